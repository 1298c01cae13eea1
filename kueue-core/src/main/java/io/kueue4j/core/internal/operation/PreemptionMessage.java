package io.kueue4j.core.internal.operation;

import com.google.common.base.Joiner;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.preemption.Victim;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.PreemptionReason;

/**
 * Formats the human-readable message of a preemption: the preemptor, the reason, and the cohort
 * paths of both workloads.
 *
 * <p>Kueue: message of the conditions {@code Evicted} and {@code Preempted}. Rules: P-20.
 */
final class PreemptionMessage {
  private static final Joiner SLASH = Joiner.on('/');

  private PreemptionMessage() {}

  /** {@return the message to a victim} */
  static String of(Head preemptor, Victim victim) {
    return "Preempted to accommodate workload " + preemptor.id() + " (UID: "
        + preemptor.compiled().source().uid() + ") in ClusterQueue "
        + preemptor.queue().name() + dueTo(victim.reason()) + "; preemptor path: "
        + path(preemptor.queue().quota()) + "; preemptee path: "
        + path(preemptor.queue().quota().tree().layout().queueOf(victim.holder()));
  }

  /** {@return the message for an unknown preemptor} */
  static String ofUnknown(PreemptionReason reason) {
    return "Preempted to accommodate another workload" + dueTo(reason);
  }

  private static String dueTo(PreemptionReason reason) {
    return " due to "
        + switch (reason) {
          case IN_CLUSTER_QUEUE -> "prioritization in the ClusterQueue";
          case IN_COHORT_RECLAMATION -> "reclamation within the cohort";
          case IN_COHORT_FAIR_SHARING -> "Fair Sharing within the cohort";
          case IN_COHORT_RECLAIM_WHILE_BORROWING -> "reclamation within the cohort while borrowing";
        };
  }

  /** {@return the path from the root cohort to the queue} */
  private static String path(QueueQuota queue) {
    StringBuilder path = new StringBuilder();
    SLASH.appendTo(path.append('/'), queue.cohortsAbove().reverse());
    return path.append(path.length() > 1 ? "/" : "").append(queue.name()).toString();
  }
}
