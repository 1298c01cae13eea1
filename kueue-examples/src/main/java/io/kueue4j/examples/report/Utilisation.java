package io.kueue4j.examples.cli;

import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.QuotaSeries;
import io.kueue4j.core.simulation.SimulationResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How well quota was used, on average over the time of a simulation. */
final class Utilisation {
  private final String resource;
  private double used;
  private double nominal;

  private Utilisation(String resource) {
    this.resource = resource;
  }

  /** {@return the share of the nominal quota that was used, by resource, by ClusterQueue} */
  static Map<String, String> of(SimulationResult result) {
    Map<String, Map<String, Utilisation>> queues = byResource(result);
    Map<String, String> texts = new TreeMap<>();
    queues.forEach((queue, resources) -> texts.put(
        queue,
        resources.entrySet().stream()
            .filter(resource -> !resource.getValue().isEmpty())
            .map(resource -> resource.getKey() + " " + resource.getValue())
            .collect(Collectors.joining(", "))));
    return texts;
  }

  /** {@return the utilisation of resources by ClusterQueue} */
  static Map<String, Map<String, Utilisation>> byResource(SimulationResult result) {
    long from = result.startTime().toEpochMilli();
    long to = result.endTime().toEpochMilli();
    Map<String, Map<String, Utilisation>> queues = new TreeMap<>();
    for (QuotaSeries series : result.quotas()) {
      Utilisation sum = queues
          .computeIfAbsent(series.clusterQueue(), unused -> new TreeMap<>())
          .computeIfAbsent(series.resource(), Utilisation::new);
      sum.used += series.used().mean(from, to);
      sum.nominal += series.nominal().mean(from, to);
    }
    return queues;
  }

  /**
   * {@return the share of all quota, of cohorts too, that was used, and the share that was wanted:
   * what running and waiting jobs requested}
   */
  static String ofCluster(SimulationResult result, List<ConfigObject> configuration) {
    long from = result.startTime().toEpochMilli();
    long to = result.endTime().toEpochMilli();
    Map<String, Utilisation> cluster = new TreeMap<>();
    byResource(result)
        .values()
        .forEach(queue -> queue.forEach((resource, part) -> {
          Utilisation sum = cluster.computeIfAbsent(resource, Utilisation::new);
          sum.used += part.used;
          sum.nominal += part.nominal;
        }));
    configuration.stream()
        .filter(Cohort.class::isInstance)
        .flatMap(cohort -> ((Cohort) cohort).resourceGroups().stream())
        .flatMap(group -> group.flavors().stream())
        .flatMap(flavor -> flavor.resources().stream())
        .forEach(quota -> {
          Utilisation all = cluster.get(quota.resource());
          if (all != null) {
            all.nominal += quota.nominalQuota();
          }
        });
    Map<String, Double> wanted = wanted(result, from, to);
    return cluster.values().stream()
        .filter(all -> !all.isEmpty())
        .map(all -> all.resource + " " + all
            + (all.nominal > 0
                ? String.format(
                    Locale.ROOT,
                    ", %.1f %% wanted",
                    100 * wanted.getOrDefault(all.resource, 0.0) / all.nominal)
                : ""))
        .collect(Collectors.joining("; "));
  }

  /** {@return the mean amounts that running and waiting jobs request, by resource} */
  private static Map<String, Double> wanted(SimulationResult result, long from, long to) {
    Map<String, Double> wanted = new TreeMap<>();
    for (JobResult job : result.jobs()) {
      job.submitted().ifPresent(submitted -> {
        long end = job.ended().orElse(result.endTime()).toEpochMilli();
        double share = (end - submitted.toEpochMilli()) / (double) Math.max(1, to - from);
        for (PodSet pods : job.job().workload().podSets()) {
          pods.requests()
              .forEach((resource, amount) ->
                  wanted.merge(resource, share * amount * pods.count(), Double::sum));
        }
      });
    }
    return wanted;
  }

  /** {@return whether there is no quota, and none was borrowed} */
  private boolean isEmpty() {
    return nominal == 0 && used == 0;
  }

  /** {@return the mean amount in use} */
  double used() {
    return used;
  }

  /** {@return the mean nominal quota} */
  double nominal() {
    return nominal;
  }

  /**
   * {@return the share as a percentage, of which borrowed amounts make more than 100 %; without
   * quota, the amount}
   */
  @Override
  public String toString() {
    return nominal > 0
        ? String.format(Locale.ROOT, "%.1f %%", 100 * used / nominal)
        : String.format(Locale.ROOT, "%.1f borrowed", used / Quantity.amount(resource, "1"));
  }
}
