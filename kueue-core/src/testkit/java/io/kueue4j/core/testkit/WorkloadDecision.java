package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;

/**
 * The decision on one workload.
 *
 * @param workload the workload
 * @param outcome the kind of decision
 * @param admission its admission, if it was admitted
 * @param victims the workloads that would have to stop, in the order in which they were found;
 *     empty unless it preempts
 */
public record WorkloadDecision(
    WorkloadId workload,
    Outcome outcome,
    Optional<Admission> admission,
    List<ObservedPreemption> victims) {
  /** Copies what it is given. */
  public WorkloadDecision {
    victims = ImmutableList.copyOf(victims);
  }

  /** The kind of a decision. */
  public enum Outcome {
    /** It may start. */
    ADMITTED,
    /** It can start after its victims have stopped. */
    PREEMPTING,
    /** It may not start now. */
    PENDING,
    /** It violates rules. */
    REJECTED
  }

  /** {@return the decision to admit the workload of {@code admission}} */
  public static WorkloadDecision admitted(Admission admission) {
    return new WorkloadDecision(
        admission.workload(), Outcome.ADMITTED, Optional.of(admission), ImmutableList.of());
  }

  /** {@return the decision that {@code workload} could start without {@code victims}} */
  public static WorkloadDecision preempting(WorkloadId workload, List<ObservedPreemption> victims) {
    return new WorkloadDecision(workload, Outcome.PREEMPTING, Optional.empty(), victims);
  }

  /** {@return the decision that {@code workload} may not start now} */
  public static WorkloadDecision pending(WorkloadId workload) {
    return new WorkloadDecision(workload, Outcome.PENDING, Optional.empty(), ImmutableList.of());
  }

  /** {@return the decision that {@code workload} violates rules} */
  public static WorkloadDecision rejected(WorkloadId workload) {
    return new WorkloadDecision(workload, Outcome.REJECTED, Optional.empty(), ImmutableList.of());
  }
}
