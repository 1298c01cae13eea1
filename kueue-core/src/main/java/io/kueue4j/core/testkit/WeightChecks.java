package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks of what the weight of a ClusterQueue does under fair sharing. */
final class WeightChecks {
  private WeightChecks() {}

  static List<String> moreWeightIsNoWorse(Trial trial) {
    Ledger books = trial.replay().ledger();
    boolean isClaimed = books.settings().fairSharing().isPresent()
        && books.cohorts().stream().allMatch(cohort -> cohort.parent().isEmpty())
        && books.queues().stream().allMatch(queue -> queue.preemption().equals(Preemption.NEVER));
    if (!isClaimed) {
      return List.of();
    }
    List<String> wrong = new ArrayList<>();
    for (ClusterQueue queue : books.queues()) {
      double weight =
          queue.fairSharing().weight() == 0 ? 1 : queue.fairSharing().weight();
      Set<WorkloadId> once = admitted(trial, queue, weight);
      Set<WorkloadId> twice = admitted(trial, queue, 2 * weight);
      if (!twice.containsAll(once)) {
        wrong.add("a cycle admits " + once + " from ClusterQueue " + queue.name() + " of weight "
            + weight + ", and with twice that " + twice);
      }
    }
    return wrong;
  }

  /** {@return whom the next cycle admits from a queue of that weight} */
  private static Set<WorkloadId> admitted(Trial trial, ClusterQueue queue, double weight) {
    Session session = trial.replay();
    ClusterQueue changed = ClusterQueue.builder()
        .from(queue)
        // A change, whatever the weight was.
        .fairSharing(new FairSharing(weight))
        .build();
    session.play(new Step.Apply(ImmutableList.of(changed)));
    Set<WorkloadId> admitted = new TreeSet<>();
    for (Admission admission : session.play(new Step.Cycle()).played().admitted()) {
      if (admission.clusterQueue().equals(queue.name())) {
        admitted.add(admission.workload());
      }
    }
    return admitted;
  }
}
