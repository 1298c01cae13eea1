package io.kueue4j.core.lint;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a {@link LoopSearch} has found, and what it has searched. Immutable.
 *
 * @param loops the loops, the ones with the fewest workloads and steps first
 * @param configuration the configuration that they were played with: without what small worlds do
 *     not have, and with a LocalQueue for each ClusterQueue that had none
 * @param coverage what was searched
 * @since 0.1.0
 */
public record LoopReport(List<Loop> loops, List<ConfigObject> configuration, Coverage coverage) {
  /** Copies what it is given. */
  public LoopReport {
    loops = ImmutableList.copyOf(loops);
    configuration = ImmutableList.copyOf(configuration);
  }

  /** {@return the loops as findings, at the policy of the first preemption of their rounds} */
  public List<Finding> findings() {
    return loops.stream().map(this::finding).collect(toImmutableList());
  }

  private Finding finding(Loop loop) {
    List<ConfigObject> added = configuration.stream()
        .filter(object -> object instanceof LocalQueue queue
            && loop.workloads().stream().anyMatch(each -> WorldModel.isAddedFor(each, queue)))
        .collect(toImmutableList());
    List<String> story = Stream.of(
            loop.beginning().stream().map(Step::message),
            Stream.of("from here on again and again:"),
            loop.round().stream().map(Step::message))
        .flatMap(lines -> lines)
        .collect(toImmutableList());
    List<List<Workload>> steps = loop.workloads().stream().map(List::of).collect(toImmutableList());
    return new Finding(
        LintRule.PREEMPTION_LOOP,
        "ClusterQueue " + loop.clusterQueue(),
        loop.field(),
        loop.message(),
        loop.advice(),
        Optional.of(new Finding.Play(added, steps, story)));
  }

  /**
   * What was searched. The report has every loop that was found in it; beyond it there may be more.
   *
   * @param groups the number of groups of ClusterQueues; of equal ClusterQueues of one cohort, up
   *     to three represent all
   * @param states the number of distinct states
   * @param workloads the largest number of workloads of which all worlds of all groups were
   *     searched
   * @param groupsCutShort the number of groups whose larger worlds were not all searched, because
   *     the bound of states was reached
   * @param allGroups whether all groups were searched; not if there are more than one for each
   *     hundred states of the bound
   * @since 0.1.0
   */
  public record Coverage(
      int groups, long states, int workloads, int groupsCutShort, boolean allGroups) {}

  /**
   * A reachable loop: some workloads arrive, and from then on preemptions go on for ever although
   * nothing arrives or finishes. Immutable.
   *
   * @param clusterQueue the ClusterQueue of the first workload that preempts in a round
   * @param workloads the workloads, in the order of their arrivals
   * @param beginning the steps that lead into the loop
   * @param round the steps that repeat, at least one with a preemption
   * @param isCertain whether the loop goes on in whatever order evicted workloads stop; otherwise
   *     it takes this order
   * @param endedBy the names of settings and feature gates each of which ends this loop and makes
   *     no other of these workloads; if none does, all of them together, if these do
   * @since 0.1.0
   */
  public record Loop(
      String clusterQueue,
      List<Workload> workloads,
      List<Step> beginning,
      List<Step> round,
      boolean isCertain,
      List<String> endedBy) {
    /** Copies what it is given. */
    public Loop {
      workloads = ImmutableList.copyOf(workloads);
      beginning = ImmutableList.copyOf(beginning);
      round = ImmutableList.copyOf(round);
      endedBy = ImmutableList.copyOf(endedBy);
    }

    /** {@return the preemptions of a round, each once, in their order} */
    public List<RepeatedStop> preemptions() {
      return victims().map(RepeatedStop::of).distinct().collect(toImmutableList());
    }

    private Stream<PreemptionVictim> victims() {
      return round.stream().flatMap(step -> step.victims().stream());
    }

    private String field() {
      return switch (victims().findFirst().orElseThrow().reason()) {
        case IN_CLUSTER_QUEUE -> "preemption.withinClusterQueue";
        case IN_COHORT_RECLAIM_WHILE_BORROWING -> "preemption.borrowWithinCohort.policy";
        default -> "preemption.reclaimWithinCohort";
      };
    }

    /** {@return a sentence for users, without its full stop} */
    public String message() {
      return workloads.size() + " workloads preempt each other for ever"
          + (isCertain ? "" : " if they stop in some order") + ": "
          + preemptions().stream().map(RepeatedStop::message).collect(joining(", "));
    }

    private String advice() {
      String policies = "take a policy of these preemptions away";
      return endedBy.isEmpty()
          ? policies
          : policies + ", or turn on " + String.join(" or ", endedBy);
    }
  }

  /**
   * What happens in the cluster.
   *
   * @since 0.1.0
   */
  public enum Event {
    /** A workload is submitted. */
    ARRIVES,
    /** The pods of an evicted workload have stopped. */
    HAS_STOPPED,
    /** Time passes until the engine can do something. */
    TIME_PASSES
  }

  /**
   * An event, and what the engine decides next, until it decides nothing more. Immutable.
   *
   * @param event what happens
   * @param workload to which workload; of {@link Event#TIME_PASSES} the workload that arrived last
   * @param decisions what the engine decides, in its order
   * @since 0.1.0
   */
  public record Step(Event event, Workload workload, List<Decision> decisions) {
    /** Copies what it is given. */
    public Step {
      decisions = ImmutableList.copyOf(decisions);
    }

    /** {@return the workloads that are preempted} */
    public List<PreemptionVictim> victims() {
      return decisions.stream()
          .filter(PreemptionVictim.class::isInstance)
          .map(PreemptionVictim.class::cast)
          .collect(toImmutableList());
    }

    /** {@return a sentence for users, without its full stop} */
    public String message() {
      List<String> parts = new ArrayList<>();
      for (Decision decision : decisions) {
        if (decision instanceof PreemptionVictim victim) {
          parts.add(RepeatedStop.of(victim).message());
        } else if (decision instanceof AdmissionResult.Admitted admitted) {
          parts.add(admitted.workload() + " starts");
        }
      }
      String start = switch (event) {
        case ARRIVES -> Stories.describe(workload) + " arrives";
        case HAS_STOPPED -> workload.id() + " has stopped";
        case TIME_PASSES -> "time passes";
      };
      return parts.isEmpty()
          ? start
          : start + "; " + parts.stream().distinct().collect(joining(", "));
    }
  }
}
