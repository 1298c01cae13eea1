package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Step.Event;
import java.util.ArrayList;
import java.util.List;

/** An engine with its books, and operations to continue its history. */
final class Session {
  /**
   * The number of cycles without changes, for each pending workload, after which no change is
   * expected.
   */
  private static final int CYCLES_TO_WALK_FLAVORS = 8;

  private static final int CYCLES = 400;

  private final Player player;
  private Ledger ledger;
  private Observation seen;

  Session(EngineUnderTest.Factory factory, Settings settings) {
    player = new Player(factory, settings);
    ledger = new Ledger(settings);
    seen = player.observe();
  }

  Ledger ledger() {
    return ledger;
  }

  Observation seen() {
    return seen;
  }

  Moment play(Step step) {
    PlayedStep played = player.playAndObserve(step);
    Moment moment = new Moment(ledger, seen, played, ledger.after(played));
    ledger = moment.after();
    seen = played.after();
    return moment;
  }

  /**
   * The events until nothing happened any more.
   *
   * @param cameToRest whether that was reached
   * @param evictions the evictions on the way
   * @param cycles the number of cycles
   */
  record Rest(boolean cameToRest, ImmutableList<ObservedPreemption> evictions, int cycles) {}

  /** Runs cycles in which victims stop at once, until nothing happens. */
  Rest settle() {
    List<ObservedPreemption> evictions = new ArrayList<>();
    stopVictims();
    int quiet = 0;
    int cycles = 0;
    while (quiet <= quietCycles() && cycles < CYCLES) {
      PlayedStep cycle = play(new Step.Cycle()).played();
      cycles++;
      evictions.addAll(cycle.evictions());
      boolean isQuiet = cycle.evictions().isEmpty()
          && cycle.admitted().isEmpty()
          && cycle.replaced().isEmpty()
          && cycle.stopped().isEmpty();
      quiet = isQuiet ? quiet + 1 : 0;
      stopVictims();
    }
    return new Rest(quiet > quietCycles(), ImmutableList.copyOf(evictions), cycles);
  }

  /** {@return the number of cycles needed to try all flavors for all pending workloads} */
  private int quietCycles() {
    boolean isActive = seen.clusterQueues().values().stream()
        .anyMatch(queue -> !queue.pending().isEmpty());
    int waiting = seen.clusterQueues().values().stream()
        .mapToInt(queue -> queue.pending().size() + queue.inadmissible().size())
        .sum();
    return isActive ? CYCLES_TO_WALK_FLAVORS * waiting : 0;
  }

  /** Reports that evicted workloads have stopped. */
  void stopVictims() {
    for (WorkloadId id : ImmutableList.copyOf(ledger.stopping())) {
      play(new Step.Tell(Event.PODS_STOPPED, id));
    }
  }

  /** Returns the decision on a workload; an admission is released again. */
  WorkloadDecision ask(Workload workload) {
    StepOutcome outcome = play(new Step.TryAdmit(workload, false)).played().outcome();
    if (!(outcome instanceof StepOutcome.Decided decided)) {
      return WorkloadDecision.rejected(workload.id());
    }
    if (decided.decision().admission().isPresent()) {
      play(new Step.Tell(Event.RELEASED, workload.id()));
    }
    return decided.decision();
  }
}
