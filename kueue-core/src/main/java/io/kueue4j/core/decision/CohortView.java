package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * A cohort at the moment of an {@link io.kueue4j.core.EngineView}. Only cohorts with a ClusterQueue
 * below them are shown, whether they were applied or are only named. Immutable, safe for several
 * threads.
 *
 * @param name the name
 * @param parent the name of the cohort above it, absent for a root
 * @param root the name of the cohort at the top, its own if it is a root
 * @param weightedShare how much it borrows from the cohort above it, computed like
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
   * @since 0.1.0
   */
  public record SubtreeUsage(String flavor, String resource, long quota, long used) {}
}
