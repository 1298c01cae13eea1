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
import java.util.stream.Stream;

/** Jobs that waited longest, and users who did, with the job of each that waited longest. */
public final class Waiters {
  private Waiters() {}

  /** {@return the jobs that waited longest, the longest wait first; only jobs that waited} */
  public static ImmutableList<JobResult> longestJobs(SimulationResult result, int count) {
    return result.jobs().stream()
        .filter(job -> !job.waited().isZero())
        .sorted(Comparator.comparing(JobResult::waited).reversed())
        .limit(count)
        .collect(toImmutableList());
  }

  /** {@return users by the 95th percentile of their waits, the longest first} */
  public static Stream<Map.Entry<String, JobSummary>> longestFirst(Map<String, JobSummary> users) {
    return users.entrySet().stream()
        .sorted(Map.Entry.<String, JobSummary>comparingByValue(
                Comparator.comparing(JobSummary::p95Wait).thenComparing(JobSummary::maxWait))
            .reversed()
            .thenComparing(Map.Entry::getKey));
  }

  /** {@return the users with the longest waits by their 95th percentile, the longest first} */
  static ImmutableList<String> longest(SimulationResult result, int count) {
    return longestFirst(result.by(JobResult::user))
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
