package io.kueue4j.core.decision;

import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * A decision of an engine about one workload.
 *
 * <p>Calls return decisions and an {@link EngineListener} receives them, as the same values:
 *
 * <ul>
 *   <li>{@link AdmissionResult}: it may start, holds quota, or waits, with reasons
 *   <li>{@link PreemptionVictim}: it has to stop for another workload
 *   <li>{@link Eviction}: it has to stop for another reason, or was deactivated
 *   <li>{@link Suspension}: it must not continue, and the caller does not report its pods as
 *       stopped
 *   <li>{@link Replacement}: some of its pods move to other nodes
 *   <li>{@link PromiseChange}: it is promised a start, or its promise moves or is withdrawn
 *   <li>{@link FinishedSlice}: an elastic slice has left because another slice of its job continues
 *   <li>{@link Removal}: it has left because the caller said so
 * </ul>
 *
 * @since 0.1.0
 */
public sealed interface Decision
    permits AdmissionResult,
        PreemptionVictim,
        Eviction,
        Decision.Suspension,
        Decision.Replacement,
        Decision.PromiseChange,
        Decision.FinishedSlice,
        Decision.Removal {
  /** {@return the workload that the decision is about} */
  WorkloadId workload();

  /**
   * A workload that must not start or continue until it is admitted again. It keeps quota that it
   * has reserved, for example while it waits for an admission check that its queue got since; the
   * caller does not report when its pods have stopped.
   *
   * @param workload the workload
   * @since 0.1.0
   */
  record Suspension(WorkloadId workload) implements Decision {}

  /**
   * A running workload some of whose pods move to other nodes because their node has failed.
   *
   * @param admission the admission in force from now on
   * @since 0.1.0
   */
  record Replacement(Admission admission) implements Decision {
    @Override
    public WorkloadId workload() {
      return admission.workload();
    }
  }

  /**
   * A workload that has left the engine because the caller finished, released or deleted it.
   *
   * @param workload the workload
   * @param reason which of the three
   * @since 0.1.0
   */
  record Removal(WorkloadId workload, WorkloadRemoved.Reason reason) implements Decision {}

  /**
   * A waiting workload that is promised a start, or whose promise changes. Only with
   * {@link Settings#backfill}.
   *
   * @param workload the workload
   * @param promise what it is promised from now on, absent if nothing
   * @param before what it was promised before, absent if nothing
   * @param reason why, for people
   * @since 0.1.0
   */
  record PromiseChange(
      WorkloadId workload, Optional<Promise> promise, Optional<Promise> before, String reason)
      implements Decision {
    /** {@return whether the workload starts later than promised before, or is promised nothing} */
    public boolean isDelay() {
      return before.isPresent()
          && promise.filter(now -> !now.start().isAfter(before.get().start())).isEmpty();
    }
  }

  /**
   * A decision: an elastic slice, one of the workloads that an elastic job consists of while it is
   * scaled, has left the engine because another slice of its job continues. Its quota was released,
   * or transferred to the other slice in the same step. Its pods continue as pods of the other:
   * mark the slice as finished, and do not stop the job. Immutable.
   *
   * <p>Rules: E-6, E-8.
   *
   * @param workload the slice that has left
   * @param successor the slice of the same job that continues
   * @param reason why it has left
   * @param message the reason as a sentence, in Kueue's words
   * @since 0.1.0
   */
  record FinishedSlice(WorkloadId workload, WorkloadId successor, Reason reason, String message)
      implements Decision {
    /**
     * Why an elastic slice is finished although its job is not.
     *
     * <p>Kueue: reason of the condition {@code Finished}. Rules: E-6, E-8.
     *
     * @since 0.1.0
     */
    public enum Reason {
      /** Another elastic slice has replaced it. */
      WORKLOAD_SLICE_REPLACED("WorkloadSliceReplaced"),
      /** Another elastic slice of the job continues instead of it. */
      OUT_OF_SYNC("OutOfSync");

      private final String text;

      Reason(String text) {
        this.text = text;
      }

      /** {@return the reason as Kueue writes it} */
      @Override
      public String toString() {
        return text;
      }
    }
  }
}
