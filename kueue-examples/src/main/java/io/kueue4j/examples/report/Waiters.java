package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/** Users who waited, and the job of each that waited longest. */
final class Waiters {
  private Waiters() {}

  /** {@return the users with the longest waits by their 95th percentile, the longest first} */
  static ImmutableList<String> longest(SimulationResult result, int count) {
    return result.by(JobResult::user).entrySet().stream()
        .sorted(Map.Entry.<String, JobSummary>comparingByValue(
                Comparator.comparing(JobSummary::p95Wait).thenComparing(JobSummary::maxWait))
            .reversed()
            .thenComparing(Map.Entry::getKey))
        .limit(count)
        .map(Map.Entry::getKey)
        .collect(toImmutableList());
  }

  /**
   * {@return the job of each of some users that waited longest, in the order of the users; those
   * without a job that waited are left out}
   */
  static ImmutableMap<String, JobResult> longestJobs(
      SimulationResult result, ImmutableList<String> users) {
    Map<String, JobResult> longest = new HashMap<>();
    for (JobResult job : result.jobs()) {
      if (!job.waited().isZero()) {
        job.job()
            .user()
            .ifPresent(user ->
                longest.merge(user, job, (a, b) -> a.waited().compareTo(b.waited()) >= 0 ? a : b));
      }
    }
    ImmutableMap.Builder<String, JobResult> inOrder = ImmutableMap.builder();
    for (String user : users) {
      JobResult job = longest.get(user);
      if (job != null) {
        inOrder.put(user, job);
      }
    }
    return inOrder.buildOrThrow();
  }
}
