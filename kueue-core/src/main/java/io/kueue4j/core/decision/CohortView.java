package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;

/**
 * A cohort as of an {@link io.kueue4j.core.EngineView}. Only cohorts with a ClusterQueue below them
 * are included, whether they were applied or are only referred to by name. Immutable and
 * thread-safe.
 *
 * @param name the name
 * @param parent the name of its parent cohort, absent for a root
 * @param root the name of the root of its tree, its own name if it is the root
 * @param weightedShare how much it borrows from its parent, computed like
 *     {@link ClusterQueueView#weightedShare()}
 * @param clusterQueues the names of all ClusterQueues below it, at any depth, in order
 * @param usage quota and usage, by flavor and resource
 * @since 0.1.0
 */
public record CohortView(
    String name,
    Optional<String> parent,
    String root,
    long weightedShare,
    List<String> clusterQueues,
    List<SubtreeUsage> usage) {
  /** Copies what it is given. */
  public CohortView {
    clusterQueues = ImmutableList.copyOf(clusterQueues);
    usage = ImmutableList.copyOf(usage);
  }

  /**
   * The quota of one resource in one flavor of a cohort and its subtree. Amounts are milli-units of
   * cpu, whole units of everything else. Rules: Q-4.
   *
   * @param flavor the flavor
   * @param resource the resource
   * @param quota its own quota and what its members lend to it
   * @param used the total usage of the ClusterQueues below it, from that quota and from their own
   * @since 0.1.0
   */
  public record SubtreeUsage(String flavor, String resource, long quota, long used) {}
}
