package io.kueue4j.core.fleet;

import io.kueue4j.core.tpu.SliceRequest;

/**
 * The slices that a pod set asks for.
 *
 * @param podSet the number of the pod set
 * @param request the slices
 */
public record SliceDemand(int podSet, SliceRequest request) {}
