package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;

/**
 * The content of files.
 *
 * @param fleet the pools with unhealthy hosts and running slices
 * @param requests the requests, in order
 * @param permanent owners of slices that must not be stopped
 * @param notes unknown fields, which have no effect
 */
public record FitInput(
    TpuFleet fleet,
    ImmutableList<NamedRequest> requests,
    ImmutableSet<String> permanent,
    List<ManifestIssue> notes) {}
