package io.kueue4j.examples.report;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.SimulationResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A simulation of a report.
 *
 * @param result what happened
 * @param configuration the queues, cohorts and other configuration
 */
record Run(SimulationResult result, List<ConfigObject> configuration) {
  static Run of(Simulation simulation, SimulationResult result) {
    return new Run(result, simulation.configuration());
  }

  /** {@return the quota that cohorts have of their own, of a resource in a flavor} */
  long quotaOfCohorts(String flavor, String resource) {
    long[] sum = new long[1];
    for (ConfigObject object : configuration) {
      if (object instanceof Cohort cohort) {
        forEachQuota(cohort.resourceGroups(), (name, quota) -> {
          if (name.equals(flavor) && quota.resource().equals(resource)) {
            sum[0] += quota.nominalQuota();
          }
        });
      }
    }
    return sum[0];
  }

  /**
   * {@return the part of the cluster that each job requests, from 0: of the resource that it
   * requests most of, in relation to the nominal quota of all ClusterQueues and cohorts}
   */
  double[] sizes() {
    Map<String, Long> capacity = new HashMap<>();
    BiConsumer<String, ResourceQuota> add =
        (flavor, quota) -> capacity.merge(quota.resource(), quota.nominalQuota(), Long::sum);
    for (ConfigObject object : configuration) {
      if (object instanceof ClusterQueue queue) {
        forEachQuota(queue.resourceGroups(), add);
      } else if (object instanceof Cohort cohort) {
        forEachQuota(cohort.resourceGroups(), add);
      }
    }
    Map<String, Long> total = ImmutableMap.copyOf(capacity);
    return result.jobs().stream().mapToDouble(job -> size(job.job(), total)).toArray();
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

  private static void forEachQuota(
      List<ResourceGroup> groups, BiConsumer<String, ResourceQuota> action) {
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        flavor.resources().forEach(quota -> action.accept(flavor.flavor(), quota));
      }
    }
  }
}
