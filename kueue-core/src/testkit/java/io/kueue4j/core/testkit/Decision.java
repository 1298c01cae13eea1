package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * What was decided on one workload.
 *
 * @param workload the workload
 * @param outcome the kind of decision
 * @param admission on what it may start, if it was admitted
 * @param victims who would have to stop, in the order in which they were found; empty unless it
 *     preempts
 */
public record Decision(
    WorkloadId workload,
    Outcome outcome,
    Optional<Admission> admission,
    ImmutableList<Eviction> victims) {

  /** The kind of a decision. */
  public enum Outcome {
    /** It may start. */
    ADMITTED,
    /** It could start if others stopped. */
    PREEMPTING,
    /** It may not start now. */
    PENDING,
    /** It breaks rules of its own. */
    REJECTED
  }

  /** {@return that the workload of {@code admission} may start} */
  public static Decision admitted(Admission admission) {
    return new Decision(
        admission.workload(), Outcome.ADMITTED, Optional.of(admission), ImmutableList.of());
  }

  /** {@return that {@code workload} could start without {@code victims}} */
  public static Decision preempting(WorkloadId workload, ImmutableList<Eviction> victims) {
    return new Decision(workload, Outcome.PREEMPTING, Optional.empty(), victims);
  }

  /** {@return that {@code workload} may not start now} */
  public static Decision pending(WorkloadId workload) {
    return new Decision(workload, Outcome.PENDING, Optional.empty(), ImmutableList.of());
  }

  /** {@return that {@code workload} breaks rules of its own} */
  public static Decision rejected(WorkloadId workload) {
    return new Decision(workload, Outcome.REJECTED, Optional.empty(), ImmutableList.of());
  }
}
