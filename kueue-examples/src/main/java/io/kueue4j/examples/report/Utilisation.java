package io.kueue4j.examples.report;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import io.kueue4j.examples.simulation.QuotaGroups;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** How well quota of a resource was used, on average over the time of a simulation. */
public final class Utilisation {
  private static final String NONE = "none";

  private final String resource;
  private double used;
  private double nominal;
  private double wanted;

  private Utilisation(String resource) {
    this.resource = resource;
  }

  /** {@return the share of the nominal quota that was used, by resource, by ClusterQueue} */
  public static Map<String, String> of(SimulationResult result) {
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
  public static Map<String, Map<String, Utilisation>> byResource(SimulationResult result) {
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

  /** {@return the utilisation of the resources of the cluster, of the quota of cohorts too} */
  public static SortedMap<String, Utilisation> resources(SimulationResult result) {
    SortedMap<String, Utilisation> cluster = new TreeMap<>();
    byResource(result)
        .values()
        .forEach(queue -> queue.forEach((resource, part) -> {
          Utilisation sum = cluster.computeIfAbsent(resource, Utilisation::new);
          sum.used += part.used;
          sum.nominal += part.nominal;
        }));
    QuotaGroups.ofCohorts(result.configuration())
        .forEach(quota -> cluster.computeIfAbsent(quota.resource(), Utilisation::new).nominal +=
            quota.nominalQuota());
    return cluster;
  }

  /**
   * {@return how well the quota of the cluster was used that ClusterQueues can use, of cohorts too,
   * the resource first that was used most}
   */
  public static ImmutableList<Utilisation> ofCluster(SimulationResult result) {
    SortedMap<String, Utilisation> cluster = resources(result);
    wanted(result).forEach((resource, wanted) -> {
      Utilisation all = cluster.get(resource);
      if (all != null) {
        all.wanted = wanted;
      }
    });
    Set<String> ofQueues =
        result.quotas().stream().map(QuotaSeries::resource).collect(Collectors.toSet());
    return cluster.values().stream()
        .filter(all -> !all.isEmpty() && ofQueues.contains(all.resource))
        .sorted(Comparator.comparingDouble(Utilisation::share).reversed())
        .collect(toImmutableList());
  }

  /**
   * How well quota of a resource of the cluster was used, before and after a change.
   *
   * @param resource the resource
   * @param share the shares that were used
   * @param wanted the shares that jobs requested, empty without quota
   */
  public record Change(String resource, String share, String wanted) {
    private static Change of(Utilisation before, Utilisation after) {
      String wanted = Texts.change(before.wantedShare(), after.wantedShare());
      return new Change(
          after.resource,
          Texts.change(before.orNone(), after.orNone()),
          wanted.equals(NONE) ? "" : wanted + " wanted");
    }

    @Override
    public String toString() {
      return resource + " " + share + (wanted.isEmpty() ? "" : ", ") + wanted;
    }
  }

  /**
   * {@return how well the quota of the cluster was used before and after the change, the resource
   * first that was used most after it}
   */
  public static ImmutableList<Change> ofCluster(Comparison comparison) {
    Map<String, Utilisation> before =
        Maps.uniqueIndex(ofCluster(comparison.base()), of -> of.resource);
    Map<String, Utilisation> after =
        Maps.uniqueIndex(ofCluster(comparison.other()), of -> of.resource);
    return Sets.union(after.keySet(), before.keySet()).stream()
        .map(resource -> Change.of(
            before.getOrDefault(resource, new Utilisation(resource)),
            after.getOrDefault(resource, new Utilisation(resource))))
        .collect(toImmutableList());
  }

  /**
   * {@return the share of the nominal quota that was used before and after the change, by resource,
   * by ClusterQueue}
   */
  public static Map<String, String> of(Comparison comparison) {
    Map<String, Map<String, Utilisation>> before = byResource(comparison.base());
    Map<String, Map<String, Utilisation>> after = byResource(comparison.other());
    Map<String, String> texts = new TreeMap<>();
    for (String queue : Sets.union(before.keySet(), after.keySet())) {
      Map<String, Utilisation> old = before.getOrDefault(queue, Map.of());
      Map<String, Utilisation> changed = after.getOrDefault(queue, Map.of());
      texts.put(
          queue,
          new TreeSet<>(Sets.union(old.keySet(), changed.keySet()))
              .stream()
                  .map(resource -> Change.of(
                      old.getOrDefault(resource, new Utilisation(resource)),
                      changed.getOrDefault(resource, new Utilisation(resource))))
                  .map(change -> change.resource + " " + change.share)
                  .collect(Collectors.joining(", ")));
    }
    return texts;
  }

  private double share() {
    return nominal > 0 ? used / nominal : 0;
  }

  /** {@return the mean amounts that running and waiting jobs request, by resource} */
  private static Map<String, Double> wanted(SimulationResult result) {
    long from = result.startTime().toEpochMilli();
    long to = result.endTime().toEpochMilli();
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

  /** {@return the resource} */
  public String resource() {
    return resource;
  }

  /**
   * {@return the share that running and waiting jobs requested, as a percentage; empty without
   * quota}
   */
  public String wanted() {
    return nominal > 0 ? wantedShare() + " wanted" : "";
  }

  private String wantedShare() {
    return nominal > 0 ? String.format(Locale.ROOT, "%.1f %%", 100 * wanted / nominal) : NONE;
  }

  private String orNone() {
    return isEmpty() ? NONE : toString();
  }

  /** {@return the mean amount in use} */
  public double used() {
    return used;
  }

  /** {@return the mean amount that running and waiting jobs requested; of the cluster only} */
  public double wantedAmount() {
    return wanted;
  }

  /** {@return the mean nominal quota} */
  public double nominal() {
    return nominal;
  }

  /**
   * {@return the share as a percentage, of which borrowed amounts make more than 100 %; without
   * quota, the amount}
   */
  @Override
  public String toString() {
    return nominal > 0
        ? String.format(Locale.ROOT, "%.1f %%", 100 * share())
        : String.format(Locale.ROOT, "%.1f borrowed", used / Quantity.amount(resource, "1"));
  }
}
