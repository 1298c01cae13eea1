package io.kueue4j.core.cycle;

import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.flavor.Assignment;
import io.kueue4j.core.flavor.AssignmentMode;
import io.kueue4j.core.flavor.FlavorAssigner;
import io.kueue4j.core.flavor.PodSetReducer;
import io.kueue4j.core.flavor.ScanProgress;
import io.kueue4j.core.quota.QueueQuota;
import org.jspecify.annotations.Nullable;

/**
 * Finds the assignment that a head goes into the cycle with. Changes nothing but the head's scan
 * progress.
 *
 * <p>Rules: S-5, A-1, F-25.
 */
public final class Nominator {
  private final FlavorAssigner assigner;
  private final CycleRules rules;

  /** Creates a nominator. */
  public Nominator(FlavorAssigner assigner, CycleRules rules) {
    this.assigner = assigner;
    this.rules = rules;
  }

  /**
   * {@return the assignment of {@code head}, which now remembers how far the walk came in
   * {@code cycle}}
   */
  Assignment nominate(Candidate head, long cycle) {
    CompiledWorkload workload = head.compiled();
    QueueQuota queue = head.queue().quota();
    if (isOutdated(head.progress(), head, cycle)) {
      head.setProgress(null);
    }
    Assignment assignment = assign(workload, queue, head.progress());
    head.setProgress(
        new ScanProgress(assignment.podSets(), cycle, queue.generation(), workload.shape()));
    return assignment;
  }

  private Assignment assign(
      CompiledWorkload workload, QueueQuota queue, @Nullable ScanProgress progress) {
    Assignment full = assigner.assign(workload, queue, workload.fullCounts(), progress);
    if (full.mode() == AssignmentMode.FIT
        || !rules.partialAdmission()
        || workload.shrinkablePods() == 0) {
      return full;
    }
    Assignment reduced = PodSetReducer.search(workload, counts -> {
      Assignment trial = assigner.assign(workload, queue, counts, progress);
      return trial.mode() == AssignmentMode.FIT ? trial : null;
    });
    return reduced == null ? full : reduced;
  }

  private boolean isOutdated(@Nullable ScanProgress progress, Candidate head, long cycle) {
    if (progress == null) {
      return false;
    }
    if (rules.preservesScanProgress()) {
      if (!progress.shape().equals(head.compiled().shape())) {
        return true;
      }
      if (progress.cycle() >= cycle - 1) {
        return false;
      }
    }
    return head.queue().quota().generation() > progress.generation();
  }
}
