package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;

/**
 * A decision: a workload has to stop because another one needs its quota. It holds the quota until
 * the caller reports {@link io.kueue4j.core.AdmissionEngine#podsStopped}. Immutable.
 *
 * @param workload the workload that has to stop
 * @param clusterQueue the ClusterQueue whose quota it holds
 * @param preemptor the workload that needs the quota
 * @param reason the policy by which it is preempted
 * @param frees the quota that it holds, and releases when it has stopped, by flavor and resource
 * @since 0.1.0
 */
public record PreemptionVictim(
    WorkloadId workload,
    String clusterQueue,
    WorkloadId preemptor,
    PreemptionReason reason,
    List<HeldQuota> frees)
    implements Decision {
  /** Copies what it is given. */
  public PreemptionVictim {
    frees = ImmutableList.copyOf(frees);
  }

  /**
   * An amount of a resource in a flavor: milli-units of cpu, whole units of everything else.
   *
   * @param flavor the flavor
   * @param resource the resource
   * @param amount the amount
   * @since 0.1.0
   */
  public record HeldQuota(String flavor, String resource, long amount) {}
}
