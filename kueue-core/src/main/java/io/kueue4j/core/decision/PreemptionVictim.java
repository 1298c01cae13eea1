package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.WorkloadId;

/**
 * A workload that has to stop for another. Once told to, it holds its quota until
 * {@link io.kueue4j.core.AdmissionEngine#podsStopped} says that it has stopped.
 *
 * @param workload the workload
 * @param clusterQueue the ClusterQueue whose quota it holds
 * @param preemptor the workload that it makes room for
 * @param reason under which rule
 * @param frees what it holds, and gives back when it has stopped
 */
public record PreemptionVictim(
    WorkloadId workload,
    String clusterQueue,
    WorkloadId preemptor,
    PreemptionReason reason,
    ImmutableList<HeldQuota> frees)
    implements Decision {

  /**
   * An amount of a resource in a flavor: milli-units of cpu, whole units of everything else.
   *
   * @param flavor the flavor
   * @param resource the resource
   * @param amount the amount
   */
  public record HeldQuota(String flavor, String resource, long amount) {}
}
