package io.kueue4j.core.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which waiting workloads the samples of an estimation simulate: those that may be served before
 * the estimated workloads, and a limited number of workloads behind them, which can only fill gaps.
 */
final class WaitingLimit {
  private final AdmissionEngine study;
  private final ImmutableSet<WorkloadId> asked;

  /** The lowest priority of an estimated workload. */
  private int priority = Integer.MAX_VALUE;

  /** The last place of an estimated workload in its ClusterQueue; -1 if none is in a queue. */
  private int place = -1;

  /** Creates the limit for workloads that are known to an engine. */
  WaitingLimit(AdmissionEngine study, ImmutableSet<WorkloadId> asked) {
    this.study = study;
    this.asked = asked;
  }

  /**
   * Deletes the waiting workloads that do not count.
   *
   * @param view the state of the engine
   * @param isRelevant whether a ClusterQueue may affect the estimated workloads; of others, nothing
   *     that waits counts
   * @param behind the number of workloads behind the estimated ones, which the relevant
   *     ClusterQueues share evenly
   * @return how many of them are in relevant ClusterQueues
   */
  int apply(EngineView view, Predicate<String> isRelevant, int behind) {
    ImmutableList<ClusterQueueView> queues = ImmutableList.copyOf(view.clusterQueues());
    ImmutableList<ClusterQueueView> relevant =
        queues.stream().filter(queue -> isRelevant.test(queue.name())).collect(toImmutableList());
    queues.stream().filter(queue -> !isRelevant.test(queue.name())).forEach(queue -> {
      int unused = delete(queue.waiting());
    });
    relevant.forEach(this::findPlace);
    int share = (int) Math.ceil(behind / (double) Math.max(1, relevant.size()));
    return relevant.stream()
        .mapToInt(queue -> delete(far(queue.waiting(), share)))
        .sum();
  }

  private void findPlace(ClusterQueueView queue) {
    List<WaitingWorkload> waiting = queue.waiting();
    for (int i = 0; i < waiting.size(); i++) {
      if (isAsked(waiting.get(i))) {
        place = Math.max(place, i);
        priority = Math.min(priority, waiting.get(i).priority());
      }
    }
  }

  private boolean isAsked(WaitingWorkload waiting) {
    return asked.contains(VariantNames.submitted(waiting.workload().id()));
  }

  /** {@return the workloads of a ClusterQueue that are more than a number of places behind} */
  private List<WaitingWorkload> far(List<WaitingWorkload> waiting, int behind) {
    int last = -1;
    for (int i = 0;
        i < waiting.size() && (i <= place || waiting.get(i).priority() > priority);
        i++) {
      last = i;
    }
    long kept = last + 1L + behind;
    return kept < waiting.size() ? waiting.subList((int) kept, waiting.size()) : ImmutableList.of();
  }

  private int delete(List<WaitingWorkload> waiting) {
    int deleted = 0;
    for (WaitingWorkload each : waiting) {
      WorkloadId id = VariantNames.submitted(each.workload().id());
      if (!asked.contains(id)
          && study.admission(id).isEmpty()
          && study.workload(id).isPresent()) {
        study.delete(id);
        deleted++;
      }
    }
    return deleted;
  }
}
