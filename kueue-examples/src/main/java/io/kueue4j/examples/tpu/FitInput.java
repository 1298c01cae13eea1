package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.k8s.yaml.ManifestIssue;

/**
 * What files describe.
 *
 * @param fleet the pools with what is broken and what runs in them
 * @param requests what is asked for, in order
 * @param permanent owners of slices that must not be stopped
 * @param notes fields that are not known, and so do nothing
 */
public record FitInput(
    TpuFleet fleet,
    ImmutableList<NamedRequest> requests,
    ImmutableSet<String> permanent,
    ImmutableList<ManifestIssue> notes) {}
