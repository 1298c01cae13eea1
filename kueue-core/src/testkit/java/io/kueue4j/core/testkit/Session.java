package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Step.Event;
import java.util.ArrayList;
import java.util.List;

/** An engine, the books on it, and ways to lead it on. */
final class Session {
  /** Cycles without news after which none is expected, for each workload that waits. */
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
   * What happened until nothing more did.
   *
   * @param cameToRest whether it came to that
   * @param evictions who was told to stop on the way
   * @param cycles the cycles that it took
   */
  record Rest(boolean cameToRest, ImmutableList<Eviction> evictions, int cycles) {}

  /** Runs cycles in which victims stop at once, until nothing happens any more. */
  Rest settle() {
    List<Eviction> evictions = new ArrayList<>();
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

  /** {@return how many cycles it takes to try all flavors on all workloads that are tried} */
  private int quietCycles() {
    boolean isActive = seen.clusterQueues().values().stream()
        .anyMatch(queue -> !queue.pending().isEmpty());
    int waiting = seen.clusterQueues().values().stream()
        .mapToInt(queue -> queue.pending().size() + queue.inadmissible().size())
        .sum();
    return isActive ? CYCLES_TO_WALK_FLAVORS * waiting : 0;
  }

  /** Lets those stop that were told to. */
  void stopVictims() {
    for (WorkloadId id : ImmutableList.copyOf(ledger.stopping())) {
      play(new Step.Tell(Event.PODS_STOPPED, id));
    }
  }

  /** Says what is decided on a workload; an admission is taken back. */
  Decision ask(Workload workload) {
    StepOutcome outcome = play(new Step.TryAdmit(workload, false)).played().outcome();
    if (!(outcome instanceof StepOutcome.Decided decided)) {
      return Decision.rejected(workload.id());
    }
    if (decided.decision().admission().isPresent()) {
      play(new Step.Tell(Event.RELEASED, workload.id()));
    }
    return decided.decision();
  }
}
