package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * A cohort that a ClusterQueue stands below, at one moment. Immutable, safe for several threads.
 *
 * @param name the name
 * @param parent the cohort above it, absent for a root
 * @param root the cohort at the top, itself if it is a root
 * @param weightedShare how much it borrows, as {@link ClusterQueueView#weightedShare()} says it of
 *     a queue
 * @param clusterQueues the names of all ClusterQueues below it, at whatever depth
 * @param usage quota and usage, by flavor and resource
 */
public record CohortView(
    String name,
    Optional<String> parent,
    String root,
    long weightedShare,
    ImmutableList<String> clusterQueues,
    ImmutableList<SubtreeUsage> usage) {

  /**
   * The quota of one resource in one flavor of a cohort and all below it. Amounts are milli-units
   * of cpu, whole units of everything else. Rules: Q-4.
   *
   * @param flavor the flavor
   * @param resource the resource
   * @param quota its own quota and what those below lend to it
   * @param used what the ClusterQueues below it use together, whether of that or of their own
   */
  public record SubtreeUsage(String flavor, String resource, long quota, long used) {}
}
