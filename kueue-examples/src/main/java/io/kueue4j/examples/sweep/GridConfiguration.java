package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.InputFile;

/**
 * A configuration of a grid.
 *
 * @param name the name
 * @param files files and folders with manifests; empty for the queues that a history has by default
 */
public record GridConfiguration(String name, ImmutableList<InputFile> files) {}
