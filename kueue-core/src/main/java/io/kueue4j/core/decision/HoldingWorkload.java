package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import java.util.List;

/**
 * A workload that holds quota of a ClusterQueue, and how much, as of an
 * {@link io.kueue4j.core.EngineView}. Immutable.
 *
 * @param workload the workload
 * @param admission its admission
 * @param isAdmitted whether it may run; if not, it waits for admission checks or for the placement
 *     of its pods
 * @param isStopping whether it was evicted and {@link io.kueue4j.core.AdmissionEngine#podsStopped}
 *     has not been called since
 * @param held what it is charged: the admitted amounts less those released by reclaimable pods or
 *     scaling down, by flavor and resource; an amount may be 0
 * @since 0.1.0
 */
public record HoldingWorkload(
    Workload workload,
    Admission admission,
    boolean isAdmitted,
    boolean isStopping,
    List<PreemptionVictim.HeldQuota> held) {
  /** Copies what it is given. */
  public HoldingWorkload {
    held = ImmutableList.copyOf(held);
  }
}
