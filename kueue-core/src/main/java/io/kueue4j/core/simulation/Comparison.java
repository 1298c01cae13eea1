package io.kueue4j.core.simulation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import com.google.common.collect.Sets;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.immutables.value.Value;

/**
 * How two simulations of the same jobs differ, for example with two configurations or two policies.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * SimulationResult base = simulation.run();
 * SimulationResult more = simulation.with(biggerQueue).run();
 * Comparison comparison = Comparison.of(base, more);
 * comparison.by(JobResult::user).forEach((user, pair) ->
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

  /**
   * {@return statistics by a label of jobs, which includes labels of one result only}
   *
   * @param label the label, as in {@link SimulationResult#by}
   */
  public SortedMap<String, SummaryPair> by(Function<JobResult, Optional<String>> label) {
    Map<String, JobSummary> before = base().by(label);
    Map<String, JobSummary> after = other().by(label);
    ImmutableSortedMap.Builder<String, SummaryPair> pairs = ImmutableSortedMap.naturalOrder();
    JobSummary none = JobSummary.none();
    for (String name : Sets.union(before.keySet(), after.keySet())) {
      pairs.put(
          name, new SummaryPair(before.getOrDefault(name, none), after.getOrDefault(name, none)));
    }
    return pairs.build();
  }

  /**
   * {@return the first time at which something happened in one simulation and not in the other,
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
   * The first difference between two simulations: something that happened in one of them and not,
   * at that time, in the other. Immutable.
   *
   * @param time when it happened
   * @param job the job that it happened to; absent for a change of the cluster
   * @param event what happened, for example {@code admitted on a100}
   * @param inBase whether it happened in the simulation to compare with, otherwise in the other one
   * @param reasons if the job was admitted, why it waited in the simulation in which it was not; if
   *     it was stopped, why it waited afterwards. From
   *     {@link io.kueue4j.core.AdmissionEngine#explain}; empty if it did not wait
   * @since 0.1.0
   */
  public record Divergence(
      Instant time, Optional<WorkloadId> job, String event, boolean inBase, List<Reason> reasons) {
    /** Copies what it is given. */
    public Divergence {
      reasons = ImmutableList.copyOf(reasons);
    }

    /**
     * {@return for example {@code at 2026-01-01T00:00:10Z job ns/b was admitted on a100 only in the
     * other simulation; it waited in the base: …}}
     */
    @Override
    public String toString() {
      String where = inBase ? "the base" : "the other simulation";
      return "at " + time + " " + job.map(id -> "job " + id).orElse("the cluster") + " was " + event
          + " only in " + where
          + (reasons.isEmpty() ? "" : "; it waited: " + Joiner.on("; ").join(reasons));
    }
  }
}
