package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.simulation.JobSummary;
import java.util.List;
import java.util.SortedMap;

/**
 * The result of one point of a grid.
 *
 * @param point the number of the point
 * @param total statistics of all jobs
 * @param largeJobs statistics of the jobs that are large with the first value of each step
 * @param clusterQueues statistics by ClusterQueue
 * @param utilisation what was used of each resource
 * @param repeatedStops the stops that repeat in loops
 * @param digest the hash of everything that happened
 */
public record PointResult(
    int point,
    JobSummary total,
    JobSummary largeJobs,
    SortedMap<String, JobSummary> clusterQueues,
    ImmutableSortedMap<String, Usage> utilisation,
    List<RepeatedStop> repeatedStops,
    String digest) {
  /**
   * Amounts of a resource, on average over the time of a simulation; milli-units of cpu.
   *
   * @param used the amount in use
   * @param nominal the nominal quota of all ClusterQueues and cohorts
   */
  public record Usage(double used, double nominal) {}
}
