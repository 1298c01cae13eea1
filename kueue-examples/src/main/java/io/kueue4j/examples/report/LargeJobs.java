package io.kueue4j.examples.report;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.simulation.QuotaGroups;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The large jobs of a simulation, which starve first where whatever fits may start.
 *
 * <p>A job is large if it requests at least a percentage of the largest nominal quota that its
 * ClusterQueue has of a resource in one flavor. If the ClusterQueue has none of its own, the
 * largest one of any ClusterQueue or cohort counts.
 */
public final class LargeJobs {
  /** The percentage of a quota from which jobs are large unless another one is given. */
  public static final int DEFAULT_PERCENT = 50;

  private final Map<String, Map<String, Long>> byQueue = new HashMap<>();
  private final Map<String, Long> anywhere = new HashMap<>();

  private final int percent;

  private LargeJobs(int percent) {
    this.percent = percent;
  }

  /**
   * {@return the large jobs by the quotas of a configuration}
   *
   * @param configuration the configuration
   * @param percent the percentage of a quota from which jobs are large
   */
  public static LargeJobs of(List<ConfigObject> configuration, int percent) {
    LargeJobs large = new LargeJobs(percent);
    for (ConfigObject object : configuration) {
      Map<String, Long> own = new HashMap<>();
      QuotaGroups.quotas(object).filter(quota -> quota.nominalQuota() > 0).forEach(quota -> {
        own.merge(quota.resource(), quota.nominalQuota(), Math::max);
        large.anywhere.merge(quota.resource(), quota.nominalQuota(), Math::max);
      });
      if (object instanceof ClusterQueue queue) {
        large.byQueue.put(queue.name(), own);
      }
    }
    return large;
  }

  /** {@return statistics of the large jobs of a simulation} */
  public JobSummary summaryOf(SimulationResult result) {
    return result
        .by(job -> isLarge(job) ? Optional.of("") : Optional.empty())
        .getOrDefault("", JobSummary.none());
  }

  private boolean isLarge(JobResult job) {
    Map<String, Long> own = byQueue.getOrDefault(job.clusterQueue().orElse(""), Map.of());
    return job.job().workload().totalRequests().entrySet().stream().anyMatch(request -> {
      Long quota = own.getOrDefault(request.getKey(), anywhere.get(request.getKey()));
      return quota != null && request.getValue() * 100.0 >= (double) quota * percent;
    });
  }
}
