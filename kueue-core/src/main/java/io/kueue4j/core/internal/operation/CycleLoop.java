package io.kueue4j.core.internal.operation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.Multiset;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.WorkloadId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs cycles until a further one would decide the same. For a single run.
 *
 * <p>A cycle makes progress if it decides anything but that workloads remain pending, or if it
 * tries a workload that no cycle has tried since the last change. A workload may try one flavor per
 * cycle, so cycles without progress continue until it has tried all of them.
 */
public final class CycleLoop {
  /** A preemption that repeats more often is in a loop. */
  static final int MAX_REPETITIONS = 10;

  private final LockedEngine core;
  private final ImmutableList.Builder<Decision> decisions = ImmutableList.builder();
  private final Set<WorkloadId> tried = new HashSet<>();
  private final Multiset<RepeatedStop> preemptions = HashMultiset.create();
  private int withoutNews;

  /** The result of {@link #maxFlavors} at the first cycle without news; it looks at all queues. */
  private int flavors;

  private boolean isLoop;

  /** Creates a loop of an engine. */
  public CycleLoop(LockedEngine core) {
    this.core = core;
  }

  /** {@return the largest number of flavors that a workload may try, one per cycle} */
  private static int maxFlavors(EngineState state) {
    return state.queues().stream()
        .mapToInt(queue -> queue.spec().resourceGroups().stream()
            .mapToInt(group -> group.flavors().size())
            .sum())
        .max()
        .orElse(0);
  }

  /**
   * Runs cycles.
   *
   * @param limit the maximum number of cycles
   * @param cycle runs a cycle, called without the engine's lock; returns its decisions
   */
  public StableRun run(int limit, Supplier<Decisions> cycle) {
    for (int cycles = 1; cycles <= limit; cycles++) {
      Decisions decided = cycle.get();
      decisions.addAll(decided.all());
      if (decided.isEmpty()) {
        return result(cycles, StableRun.End.STABLE);
      }
      withoutNews = hasNews(decided) ? 0 : withoutNews + 1;
      if (isLoop) {
        return result(cycles, StableRun.End.PREEMPTION_LOOP);
      }
      if (hasTriedAllFlavors()) {
        return result(cycles, StableRun.End.STABLE);
      }
    }
    return result(limit, StableRun.End.LIMIT_REACHED);
  }

  /** A listener may have changed the flavors since they were counted, so the end counts again. */
  private boolean hasTriedAllFlavors() {
    if (withoutNews == 0) {
      return false;
    }
    if (withoutNews == 1 || withoutNews > flavors) {
      flavors = core.call(engine -> maxFlavors(engine.state()));
    }
    return withoutNews > flavors;
  }

  private boolean hasNews(Decisions decided) {
    boolean isNews = Iterables.any(decided.all(), CycleLoop::isChange);
    if (isNews) {
      // What did not fit before may fit now.
      tried.clear();
    }
    for (Decision decision : decided.all()) {
      if (decision instanceof PreemptionVictim victim) {
        isLoop |= preemptions.add(RepeatedStop.of(victim), 1) >= MAX_REPETITIONS;
      }
      if (!isChange(decision)) {
        isNews |= tried.add(decision.workload());
      }
    }
    return isNews;
  }

  private static boolean isChange(Decision decision) {
    return !(decision instanceof AdmissionResult)
        || decision instanceof AdmissionResult.Admitted
        || decision instanceof AdmissionResult.Reserved;
  }

  private StableRun result(int cycles, StableRun.End end) {
    return new StableRun(
        Decisions.of(decisions.build()),
        cycles,
        end,
        end == StableRun.End.PREEMPTION_LOOP ? repeated() : ImmutableList.of());
  }

  /** {@return the preemptions in loops, which have repeated about equally often} */
  private ImmutableList<RepeatedStop> repeated() {
    return preemptions.entrySet().stream()
        .filter(preemption -> preemption.getCount() > MAX_REPETITIONS / 2)
        .map(Multiset.Entry::getElement)
        .sorted(Comparator.comparing(RepeatedStop::message))
        .collect(toImmutableList());
  }
}
