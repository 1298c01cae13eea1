package io.kueue4j.examples.report;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.simulation.QuotaGroups;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How much of the cluster a group of jobs used and wanted over time, such as the jobs of a user. A
 * job wants what it requests from its submission to its end.
 *
 * @param used the mean part of the cluster that its jobs used in each interval
 * @param wanted the mean part that its running and waiting jobs requested
 */
record DemandSeries(ImmutableDoubleArray used, ImmutableDoubleArray wanted) {
  private static final class Sums {
    final double[] used;
    final double[] wanted;

    Sums(int count) {
      used = new double[count];
      wanted = new double[count];
    }
  }

  /**
   * {@return the demand by a label of jobs; those without are left out}
   *
   * @param result the simulation
   * @param windows the intervals
   * @param label the label of a job
   */
  static ImmutableSortedMap<String, DemandSeries> by(
      SimulationResult result, Intervals windows, Function<JobResult, Optional<String>> label) {
    double[] sizes = sizes(result);
    List<JobResult> jobs = result.jobs();
    SortedMap<String, Sums> sums = new TreeMap<>();
    @Nullable Sums[] ofJob = new @Nullable Sums[jobs.size()];
    for (int i = 0; i < ofJob.length; i++) {
      JobResult job = jobs.get(i);
      if (job.submitted().isEmpty()) {
        continue;
      }
      Sums of = label
          .apply(job)
          .map(name -> sums.computeIfAbsent(name, unused -> new Sums(windows.count())))
          .orElse(null);
      ofJob[i] = of;
      if (of != null) {
        Instant end = job.ended().orElse(result.endTime());
        long submitted = job.submitted().get().toEpochMilli();
        windows.addTo(of.wanted, submitted, end.toEpochMilli(), sizes[i]);
      }
    }
    result.forEachRun((job, start, end) -> {
      Sums of = ofJob[job];
      if (of != null) {
        windows.addTo(of.used, start, end, sizes[job]);
      }
    });
    ImmutableSortedMap.Builder<String, DemandSeries> demands = ImmutableSortedMap.naturalOrder();
    sums.forEach((name, of) -> demands.put(
        name,
        new DemandSeries(
            ImmutableDoubleArray.copyOf(of.used), ImmutableDoubleArray.copyOf(of.wanted))));
    return demands.build();
  }

  /**
   * {@return the part of the cluster that each job requests, from 0: of the resource that it
   * requests most of, in relation to the nominal quota of all ClusterQueues and cohorts}
   */
  private static double[] sizes(SimulationResult result) {
    Map<String, Long> capacity = new HashMap<>();
    result.configuration().stream()
        .flatMap(QuotaGroups::quotas)
        .forEach(quota -> capacity.merge(quota.resource(), quota.nominalQuota(), Long::sum));
    return result.jobs().stream().mapToDouble(job -> size(job.job(), capacity)).toArray();
  }

  private static double size(SimulationJob job, Map<String, Long> capacity) {
    Map<String, Double> requests = new HashMap<>();
    for (PodSet pods : job.workload().podSets()) {
      pods.requests()
          .forEach((resource, amount) ->
              requests.merge(resource, (double) amount * pods.count(), Double::sum));
    }
    return requests.entrySet().stream()
        .mapToDouble(request -> request.getValue()
            / Math.max(1, capacity.getOrDefault(request.getKey(), Long.MAX_VALUE)))
        .max()
        .orElse(0);
  }

  /** {@return the mean part of the cluster that was used over all intervals} */
  double meanUsed() {
    return used.stream().average().orElse(0);
  }

  /**
   * {@return Jain's index of the part of the demand that was served, for each interval: 1 if the
   * same part of what each group wanted was served, 1/n if only one of n groups was served; NaN if
   * none was}
   *
   * <p>Groups that wanted nothing do not count. The part that is served, and not the amount that is
   * used, is compared because a group that wants little and gets all of it is not treated unfairly.
   */
  static double[] fairness(Collection<DemandSeries> groups, int count) {
    double[] sum = new double[count];
    double[] squares = new double[count];
    int[] wanting = new int[count];
    for (DemandSeries group : groups) {
      for (int i = 0; i < count; i++) {
        if (group.wanted.get(i) > 0) {
          double served = Math.min(1, group.used.get(i) / group.wanted.get(i));
          sum[i] += served;
          squares[i] += served * served;
          wanting[i]++;
        }
      }
    }
    double[] index = new double[count];
    Arrays.setAll(index, i -> sum[i] * sum[i] / (wanting[i] * squares[i]));
    return index;
  }
}
