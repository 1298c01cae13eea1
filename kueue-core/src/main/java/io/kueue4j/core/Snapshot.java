package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.fairness.UsageLedger;
import io.kueue4j.core.fleet.PoolSetState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.support.UndoLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The state of an engine at one moment. Never changes; safe for several threads. */
final class Snapshot {
  /*
   * A snapshot is made without copying anything. It reads each unit (see Unit) from the engine as long as the engine has
   * not changed it; before the engine does, it gives a copy to those snapshots that may still be read (LiveSnapshots). The
   * configuration and the set of queues and cohorts are those of the engine until the snapshot is complete: it is given
   * everything before a change of them.
   *
   * Threads that read take the lock of the engine, and with or without it that of the kept units; the engine holds its own
   * when it adds to the kept units. A fork holds its own lock, too, which comes first. So locks are always taken from the
   * fork towards the engine that it stems from, and nobody waits in a circle.
   */
  private final Exclusive<EngineCore> engine;
  private final Settings settings;
  private final Catalog catalog;
  private final Configuration configuration;
  private final @Nullable UsageLedger usage;
  private final ImmutableList<PoolSetState> poolSets;
  private final long cycles;
  private final ImmutableSortedSet<WorkloadId> failed;
  private final ImmutableList<Decision> unreturned;
  private final LifecycleBooks.Summary lifecycles;
  private final KeptUnits kept = new KeptUnits();
  private final Pictures pictures = new Pictures(this);

  /** Creates the snapshot of {@code state}; whoever does holds the engine. */
  Snapshot(Exclusive<EngineCore> engine, EngineState state) {
    this.engine = engine;
    this.settings = state.settings();
    this.catalog = state.catalog().fork();
    this.configuration = state.configuration().fork(catalog, new UndoLog());
    this.usage = state.fairness().share();
    this.poolSets = state.poolSets();
    this.cycles = state.cycles();
    this.failed = state.failed();
    this.unreturned = state.decisions().unreturned();
    this.lifecycles = state.books().summary();
  }

  Settings settings() {
    return settings;
  }

  Catalog catalog() {
    return catalog;
  }

  Configuration configuration() {
    return configuration;
  }

  /** {@return what LocalQueues had used, not to be changed; null if that is not remembered} */
  @Nullable
  UsageLedger usage() {
    return usage;
  }

  /** {@return what units that are kept belong to} */
  Unit.Owner owner() {
    return new Unit.Owner(catalog, usage == null ? LocalQueueUsage.NONE : usage, new UndoLog());
  }

  /** {@return the TPU pools with all slices in use} */
  ImmutableList<PoolSetState> poolSets() {
    return poolSets;
  }

  Pictures pictures() {
    return pictures;
  }

  long cycles() {
    return cycles;
  }

  /** {@return the workloads of which a node has failed that is not replaced yet} */
  ImmutableSortedSet<WorkloadId> failed() {
    return failed;
  }

  /** {@return the decisions that no call had returned} */
  ImmutableList<Decision> unreturned() {
    return unreturned;
  }

  /** {@return what follows from the lives of all workloads together} */
  LifecycleBooks.Summary lifecycles() {
    return lifecycles;
  }

  KeptUnits kept() {
    return kept;
  }

  /** {@return what {@code ofKept} or {@code ofEngine} finds, depending on where the member is} */
  private <R> Optional<R> read(
      Unit.Member member,
      Function<Unit, Optional<R>> ofKept,
      Function<EngineState, Optional<R>> ofEngine) {
    // Asked in this order, as units are added before the snapshot is complete.
    boolean complete = kept.isComplete();
    Optional<Unit> found = kept.find(member);
    if (found.isPresent() || complete) {
      return found.flatMap(ofKept);
    }
    return engine.call(held -> {
      Optional<Unit> meanwhile = kept.find(member);
      return meanwhile.isPresent() || kept.isComplete()
          ? meanwhile.flatMap(ofKept)
          : ofEngine.apply(held.state());
    });
  }

  // ----- for forks

  /**
   * {@return a copy of the unit that {@code member} belonged to, absent if it belonged to none, or
   * to one of {@code taken}}
   */
  Optional<Unit> copyOf(Unit.Member member, Set<String> taken, Unit.Owner owner) {
    return read(
        member,
        unit -> taken.contains(unit.name()) ? Optional.empty() : Optional.of(unit.copy(owner)),
        state -> state
            .units()
            .nameOf(member)
            // If it is kept but the member is not in there, the member is new.
            .filter(name -> !taken.contains(name) && !kept.has(name))
            .map(name -> state.units().get(name).copy(owner)));
  }

  /** {@return copies of all units but {@code taken}} */
  List<Unit> copies(Set<String> taken, Unit.Owner owner) {
    return copies(taken, owner, unit -> true, state -> state.units().names());
  }

  /** {@return copies of all units but {@code taken} that have work for a cycle} */
  List<Unit> copiesOfThoseWithWork(Set<String> taken, Unit.Owner owner) {
    return copies(taken, owner, Unit::hasWork, state -> state.units().namesOfThoseWithWork());
  }

  /** {@return a copy of the unit with that name} */
  Unit copyOf(String name, Unit.Owner owner) {
    return engine.call(
        held -> kept.find(name).orElseGet(() -> held.state().units().get(name)).copy(owner));
  }

  private List<Unit> copies(
      Set<String> taken,
      Unit.Owner owner,
      Predicate<Unit> isWanted,
      Function<EngineState, Set<String>> wanted) {
    return engine.call(held -> {
      List<Unit> copies = new ArrayList<>();
      for (Unit unit : kept.all()) {
        if (!taken.contains(unit.name()) && isWanted.test(unit)) {
          copies.add(unit.copy(owner));
        }
      }
      if (!kept.isComplete()) {
        for (String name : wanted.apply(held.state())) {
          if (!taken.contains(name) && !kept.has(name)) {
            copies.add(held.state().units().get(name).copy(owner));
          }
        }
      }
      return copies;
    });
  }

  // ----- for views

  /** {@return what is seen of a ClusterQueue and of what holds its quota, if there was one} */
  <R> Optional<R> ofQueue(String name, BiFunction<QueueState, List<WorkloadRecord>, R> look) {
    return read(
        new Unit.Member.OfQueue(name),
        unit -> Optional.of(look.apply(unit.queue(name), unit.reserving(unit.queue(name)))),
        state -> state.queue(name).map(queue -> look.apply(queue, state.reserving(queue))));
  }

  /** {@return what is seen of each ClusterQueue and of what holds its quota} */
  <R> List<R> ofAllQueues(BiFunction<QueueState, List<WorkloadRecord>, R> look) {
    return engine.call(held -> {
      List<R> seen = new ArrayList<>();
      for (Unit unit : kept.all()) {
        unit.queues().values().forEach(queue -> seen.add(look.apply(queue, unit.reserving(queue))));
      }
      if (!kept.isComplete()) {
        EngineState state = held.state();
        state.queues().stream()
            .filter(queue -> !kept.has(state.units().nameOf(queue)))
            .forEach(queue -> seen.add(look.apply(queue, state.reserving(queue))));
      }
      return seen;
    });
  }
}
