package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;

/**
 * An admission check that a ClusterQueue asks for.
 *
 * @param name the AdmissionCheck
 * @param onFlavors the flavors that it is asked for on, empty for all
 */
public record AdmissionCheckRule(String name, ImmutableList<String> onFlavors) {}
