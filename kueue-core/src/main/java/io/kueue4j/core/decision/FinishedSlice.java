package io.kueue4j.core.decision;

import io.kueue4j.core.model.SliceFinishReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * A slice of an elastic job that has left the engine because another one goes on. What quota it
 * held is free, or has passed on in the same step; its pods go on running as pods of the other. It
 * is to be marked as finished, and its job is not to be stopped.
 *
 * <p>Rules: E-6, E-8.
 *
 * @param workload the slice
 * @param successor the slice of the same job that goes on
 * @param reason why
 * @param message the same in Kueue's words
 */
public record FinishedSlice(
    WorkloadId workload, WorkloadId successor, SliceFinishReason reason, String message)
    implements Decision {}
