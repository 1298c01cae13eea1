package io.kueue4j.core.decision;

import io.kueue4j.core.model.SliceFinishReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * A decision: an elastic slice, one of the workloads that an elastic job consists of while it is
 * scaled, has left the engine because another slice of its job continues. Its quota was released,
 * or transferred to the other slice in the same step. Its pods continue as pods of the other: mark
 * the slice as finished, and do not stop the job. Immutable.
 *
 * <p>Rules: E-6, E-8.
 *
 * @param workload the slice that has left
 * @param successor the slice of the same job that continues
 * @param reason why it has left
 * @param message the reason as a sentence, in Kueue's words
 * @since 0.1.0
 */
public record FinishedSlice(
    WorkloadId workload, WorkloadId successor, SliceFinishReason reason, String message)
    implements Decision {}
