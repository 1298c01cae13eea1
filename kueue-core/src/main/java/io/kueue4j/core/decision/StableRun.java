package io.kueue4j.core.decision;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;

/**
 * The result of {@link io.kueue4j.core.AdmissionEngine#runUntilStable(int)}. Immutable.
 *
 * <pre>{@code
 * StableRun run = engine.runUntilStable(1_000);
 * run.decisions().admitted().forEach(admission -> start(admission));
 * if (run.end() != StableRun.End.STABLE) {
 *   log(run.end() + " after " + run.cycles() + " cycles");
 * }
 * }</pre>
 *
 * <p>A caller with nothing running, such as a simulation, reports at once that evicted workloads
 * have stopped, so that the run continues:
 *
 * <pre>{@code
 * engine.runUntilStable(1_000, () -> {
 *   Decisions decided = engine.runCycle();
 *   for (WorkloadId workload : decided.mustStop()) {
 *     decided = decided.and(engine.podsStopped(workload));
 *   }
 *   return decided;
 * });
 * }</pre>
 *
 * @param decisions the decisions of all cycles, in their order
 * @param cycles the number of cycles that were run
 * @param end why no further cycle was run
 * @param loop the preemptions that repeat, sorted by {@link RepeatedStop#message}; empty unless the
 *     end is {@link End#PREEMPTION_LOOP}
 * @since 0.1.0
 */
public record StableRun(Decisions decisions, int cycles, End end, List<RepeatedStop> loop) {
  /**
   * A preemption or an eviction that repeats in a loop: with the same policies, Kueue would repeat
   * it without end, too. Immutable.
   *
   * @param workload the workload that stops again and again
   * @param preemptor the workload that preempts it; absent if it is evicted for another reason
   * @param reason the policy by which it is preempted, or the reason of its eviction, in Kueue's
   *     words
   * @since 0.1.0
   */
  public record RepeatedStop(WorkloadId workload, Optional<WorkloadId> preemptor, String reason) {

    /** {@return the repetition of a preemption} */
    public static RepeatedStop of(PreemptionVictim victim) {
      return new RepeatedStop(
          victim.workload(), Optional.of(victim.preemptor()), victim.reason().toString());
    }

    /** {@return the repetition of an eviction} */
    public static RepeatedStop of(Eviction eviction) {
      return new RepeatedStop(
          eviction.workload(), Optional.empty(), eviction.reason().toString());
    }

    /** {@return a sentence for users, without its full stop} */
    public String message() {
      return preemptor
          .map(other -> other + " preempts " + workload + " (" + reason + ")")
          .orElseGet(() -> workload + " is evicted (" + reason + ")");
    }
  }

  /** Copies what it is given. */
  public StableRun {
    loop = ImmutableList.copyOf(loop);
  }

  /**
   * Why a run ended.
   *
   * @since 0.1.0
   */
  public enum End {
    /**
     * A further cycle would decide the same: there is nothing to try, or retrying cannot succeed
     * before something else changes.
     */
    STABLE,
    /** The limit was reached; a further cycle may decide something new. */
    LIMIT_REACHED,
    /**
     * Workloads preempt each other in an endless loop, as they also may in Kueue with the same
     * policies; for example, if two queues of a cohort reclaim from any priority.
     */
    PREEMPTION_LOOP
  }

  /** {@return whether a further cycle would decide the same} */
  public boolean isStable() {
    return end == End.STABLE;
  }
}
