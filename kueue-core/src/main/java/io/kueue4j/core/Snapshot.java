package io.kueue4j.core;

import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
  private final Exclusive<AdmissionEngine.Core> engine;
  private final Settings settings;
  private final Catalog catalog;
  private final Configuration configuration;
  private final long cycles;
  private final KeptUnits kept = new KeptUnits();
  private final Map<String, ClusterQueueView> pictures = new ConcurrentHashMap<>();
  private volatile @Nullable ImmutableSortedMap<String, ClusterQueueView> allPictures;

  /** Creates the snapshot of {@code state}; whoever does holds the engine. */
  Snapshot(Exclusive<AdmissionEngine.Core> engine, EngineState state) {
    this.engine = engine;
    this.settings = state.settings();
    this.catalog = state.catalog().fork();
    this.configuration = state.configuration().fork(catalog);
    this.cycles = state.cycles();
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

  long cycles() {
    return cycles;
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
  Optional<Unit> copyOf(Unit.Member member, Set<String> taken, Catalog forkOfCatalog) {
    return read(
        member,
        unit ->
            taken.contains(unit.name()) ? Optional.empty() : Optional.of(unit.copy(forkOfCatalog)),
        state -> state
            .units()
            .nameOf(member)
            // If it is kept but the member is not in there, the member is new.
            .filter(name -> !taken.contains(name) && !kept.has(name))
            .map(name -> state.units().get(name).copy(forkOfCatalog)));
  }

  /** {@return copies of all units but {@code taken}} */
  List<Unit> copies(Set<String> taken, Catalog forkOfCatalog) {
    return copies(taken, forkOfCatalog, unit -> true, state -> state.units().names());
  }

  /** {@return copies of all units but {@code taken} in which a cycle may find something to try} */
  List<Unit> copiesOfThoseWithHeads(Set<String> taken, Catalog forkOfCatalog) {
    return copies(
        taken, forkOfCatalog, Unit::mayHaveHead, state -> state.units().namesOfThoseWithHeads());
  }

  /** {@return a copy of the unit with that name} */
  Unit copyOf(String name, Catalog forkOfCatalog) {
    return engine.call(held ->
        kept.find(name).orElseGet(() -> held.state().units().get(name)).copy(forkOfCatalog));
  }

  private List<Unit> copies(
      Set<String> taken,
      Catalog forkOfCatalog,
      Predicate<Unit> isWanted,
      Function<EngineState, Set<String>> wanted) {
    return engine.call(held -> {
      List<Unit> copies = new ArrayList<>();
      for (Unit unit : kept.all()) {
        if (!taken.contains(unit.name()) && isWanted.test(unit)) {
          copies.add(unit.copy(forkOfCatalog));
        }
      }
      if (!kept.isComplete()) {
        for (String name : wanted.apply(held.state())) {
          if (!taken.contains(name) && !kept.has(name)) {
            copies.add(held.state().units().get(name).copy(forkOfCatalog));
          }
        }
      }
      return copies;
    });
  }

  // ----- for views

  /** {@return the picture of a ClusterQueue, if there was one of that name} */
  Optional<ClusterQueueView> clusterQueue(String name) {
    ClusterQueueView known = pictures.get(name);
    return known != null
        ? Optional.of(known)
        : read(
                new Unit.Member.OfQueue(name),
                unit -> Optional.of(Views.of(unit.queue(name), unit.reserving(unit.queue(name)))),
                state -> state.queue(name).map(queue -> Views.of(queue, state.reserving(queue))))
            .map(this::remember);
  }

  /** {@return the picture shown from now on; another thread may have been first} */
  private ClusterQueueView remember(ClusterQueueView picture) {
    ClusterQueueView first = pictures.putIfAbsent(picture.name(), picture);
    return first == null ? picture : first;
  }

  /** {@return the pictures of all ClusterQueues} */
  ImmutableSortedMap<String, ClusterQueueView> clusterQueues() {
    ImmutableSortedMap<String, ClusterQueueView> known = allPictures;
    if (known == null) {
      known = engine.call(held -> {
        Stream<String> names = kept.isComplete()
            ? kept.queueNames().stream()
            : held.state().queues().stream().map(QueueState::name);
        return names
            .flatMap(name -> clusterQueue(name).stream())
            .collect(toImmutableSortedMap(
                Comparator.naturalOrder(), ClusterQueueView::name, queue -> queue));
      });
      allPictures = known;
    }
    return known;
  }
}
