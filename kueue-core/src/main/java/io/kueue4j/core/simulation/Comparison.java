package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Sets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.immutables.value.Value;

/**
 * How two simulations of the same jobs differ, for example with two configurations or two policies.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * SimulationResult base = simulation.run();
 * SimulationResult more = simulation.with(biggerQueue).run();
 * Comparison comparison = Comparison.of(base, more);
 * comparison.byUser().forEach((user, pair) ->
 *     log(user + ": " + pair.base().meanWait() + " -> " + pair.other().meanWait()));
 * comparison.firstDivergence().ifPresent(difference -> log(difference.toString()));
 * }</pre>
 *
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Comparison {
  Comparison() {}

  /**
   * {@return the comparison of two results}
   *
   * @param base the result to compare with
   * @param other the result that is compared
   * @throws IllegalArgumentException if they are not of the same jobs in the same order
   */
  public static Comparison of(SimulationResult base, SimulationResult other) {
    checkArgument(
        base.plan().trace().hasSameJobs(other.plan().trace()),
        "the results are of different traces, %s and %s jobs; expected the same jobs in the same order",
        base.plan().trace().size(),
        other.plan().trace().size());
    return ImmutableComparison.builder().base(base).other(other).build();
  }

  /** {@return the result that is compared with} */
  public abstract SimulationResult base();

  /** {@return the result that is compared} */
  public abstract SimulationResult other();

  /** {@return both results of each job, in the order of the trace} */
  public List<JobPair> jobs() {
    List<JobResult> before = base().jobs();
    List<JobResult> after = other().jobs();
    return Lists.transform(
        ContiguousSet.closedOpen(0, before.size()).asList(),
        i -> new JobPair(before.get(i), after.get(i)));
  }

  /**
   * {@return those jobs that started or ended at another time, or elsewhere, or were stopped more
   * or less often}
   */
  public List<JobPair> changedJobs() {
    return jobs().stream()
        .filter(pair -> !pair.base().equals(pair.other()))
        .collect(toImmutableList());
  }

  /** {@return the statistics of all jobs} */
  public SummaryPair total() {
    return new SummaryPair(base().total(), other().total());
  }

  /** {@return statistics by ClusterQueue, which includes queues of one result only} */
  public SortedMap<String, SummaryPair> byClusterQueue() {
    return pairs(base().byClusterQueue(), other().byClusterQueue());
  }

  /** {@return statistics by LocalQueue, as {@code namespace/name}} */
  public SortedMap<String, SummaryPair> byLocalQueue() {
    return pairs(base().byLocalQueue(), other().byLocalQueue());
  }

  /** {@return statistics by user} */
  public SortedMap<String, SummaryPair> byUser() {
    return pairs(base().byUser(), other().byUser());
  }

  /** {@return statistics by group} */
  public SortedMap<String, SummaryPair> byGroup() {
    return pairs(base().byGroup(), other().byGroup());
  }

  private static ImmutableSortedMap<String, SummaryPair> pairs(
      Map<String, JobSummary> before, Map<String, JobSummary> after) {
    ImmutableSortedMap.Builder<String, SummaryPair> pairs = ImmutableSortedMap.naturalOrder();
    JobSummary none = JobSummary.none();
    for (String name : Sets.union(before.keySet(), after.keySet())) {
      pairs.put(
          name, new SummaryPair(before.getOrDefault(name, none), after.getOrDefault(name, none)));
    }
    return pairs.build();
  }

  /**
   * {@return the mean quota and usage of both results, each from its start to its end, by
   * ClusterQueue, flavor and resource}
   */
  public List<UsagePair> usage() {
    Map<List<String>, UsageMeans> before = means(base());
    Map<List<String>, UsageMeans> after = means(other());
    UsageMeans none = new UsageMeans(0, 0);
    TreeMap<String, UsagePair> pairs = new TreeMap<>();
    for (List<String> key : Sets.union(before.keySet(), after.keySet())) {
      pairs.put(
          String.join("\0", key),
          new UsagePair(
              key.get(0),
              key.get(1),
              key.get(2),
              before.getOrDefault(key, none),
              after.getOrDefault(key, none)));
    }
    return ImmutableList.copyOf(pairs.values());
  }

  private static Map<List<String>, UsageMeans> means(SimulationResult result) {
    long from = result.plan().startMillis();
    long to = result.endMillis();
    return result.quotas().stream()
        .collect(Collectors.toMap(
            series -> List.of(series.clusterQueue(), series.flavor(), series.resource()),
            series ->
                new UsageMeans(series.nominal().mean(from, to), series.used().mean(from, to))));
  }

  /**
   * {@return the first time at which something happened in one simulation and not in the other(),
   * with the reason; empty if there is none}
   *
   * <p>The first call repeats the simulations up to that time to ask the engine for the reason.
   */
  @Value.Lazy
  public Optional<Divergence> firstDivergence() {
    return new DivergenceSearch(base(), other()).first();
  }

  @Override
  public String toString() {
    return "Comparison [" + base() + ", " + other() + "]";
  }

  /**
   * The results of one job in both simulations.
   *
   * @param base in the one to compare with
   * @param other in the one that is compared
   * @since 0.1.0
   */
  public record JobPair(JobResult base, JobResult other) {}

  /**
   * The statistics of a group of jobs in both simulations.
   *
   * @param base in the one to compare with
   * @param other in the one that is compared
   * @since 0.1.0
   */
  public record SummaryPair(JobSummary base, JobSummary other) {}

  /**
   * Means over the time of a simulation. Amounts are milli-units of cpu, whole units of everything
   * else.
   *
   * @param nominal the nominal quota
   * @param used its usage
   * @since 0.1.0
   */
  public record UsageMeans(double nominal, double used) {
    /**
     * {@return the part of the nominal quota that was used; more than 1 if it borrowed; NaN without
     * quota and usage}
     */
    public double utilisation() {
      return used / nominal;
    }
  }

  /**
   * Mean quota and usage in both simulations.
   *
   * @param clusterQueue the ClusterQueue
   * @param flavor the flavor
   * @param resource the resource
   * @param base in the one to compare with
   * @param other in the one that is compared
   * @since 0.1.0
   */
  public record UsagePair(
      String clusterQueue, String flavor, String resource, UsageMeans base, UsageMeans other) {}
}
