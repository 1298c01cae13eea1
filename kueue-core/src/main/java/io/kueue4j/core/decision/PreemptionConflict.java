package io.kueue4j.core.decision;

import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;

/**
 * An event of a cycle: a workload had found victims, and an earlier workload of the same cycle
 * preempted some of them or took the quota that they free. Immutable.
 *
 * @param workload the workload
 * @param clusterQueue the ClusterQueue that it waits in
 * @param isSkipped whether the cycle skipped it, because its victims were preempted for others or
 *     because it no longer fits beside them
 * @param recomputation the outcome of the search for other victims, absent if none was necessary
 * @since 0.1.0
 */
public record PreemptionConflict(
    WorkloadId workload,
    String clusterQueue,
    boolean isSkipped,
    Optional<Recomputation> recomputation) {
  /**
   * The result of a second search for victims, made when another workload of the same cycle has
   * preempted the victims found first.
   *
   * <p>Kueue: the label {@code result} of the metric
   * {@code preemption_target_recomputations_total}. Rules: S-14, S-15.
   *
   * @since 0.1.0
   */
  public enum Recomputation {
    /** The workload preempts other victims. */
    NEW_TARGETS("new_targets"),
    /** The workload fits as soon as the victims of earlier entries have stopped. */
    DEFERRED_FIT("deferred_fit"),
    /** Neither; the workload is tried again later. */
    SKIPPED("skipped");

    private final String text;

    Recomputation(String text) {
      this.text = text;
    }

    /** {@return the name in Kueue's metrics} */
    @Override
    public String toString() {
      return text;
    }
  }
}
