package io.kueue4j.core.internal.fleet;

import io.kueue4j.core.tpu.SliceRequest;

/**
 * The TPU slices that a pod set requests.
 *
 * @param podSet the number of the pod set
 * @param request the slices
 */
public record SliceDemand(int podSet, SliceRequest request) {}
