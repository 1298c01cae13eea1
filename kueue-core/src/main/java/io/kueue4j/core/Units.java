package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.quota.CohortTree;
import io.kueue4j.core.quota.QueueQuota;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The division of a state into units that refer to nothing outside of them, and the snapshots that
 * are given copies of units before these change.
 *
 * <p>Whoever changes a unit says so first, and a workload is given another place in one step: so a
 * copy never shows half of a change.
 */
final class Units {
  private final EngineState state;
  private final LiveSnapshots snapshots = new LiveSnapshots();

  Units(EngineState state) {
    this.state = state;
  }

  /** {@return the names of all units} */
  Set<String> names() {
    state.inheritance().takeAll();
    return Sets.union(state.forest().treeNames(), Set.of(Unit.OUTSIDE));
  }

  /** {@return the names of all units that have work for a cycle} */
  Set<String> namesOfThoseWithWork() {
    return state.pending().queuesWithWork().stream()
        .map(this::nameOf)
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }

  /**
   * {@return the name of the unit that a ClusterQueue belongs to, {@link Unit#OUTSIDE} for none}
   */
  String nameOf(@Nullable QueueState queue) {
    return queue == null ? Unit.OUTSIDE : state.forest().treeName(queue.quota());
  }

  /** {@return the name of the unit that {@code member} belongs to, absent if there is none} */
  Optional<String> nameOf(Unit.Member member) {
    if (member instanceof Unit.Member.OfQueue of) {
      return state.queue(of.name()).map(this::nameOf);
    }
    if (member instanceof Unit.Member.OfCohort of) {
      return state.treeNameOfCohort(of.name());
    }
    WorkloadId id = ((Unit.Member.OfWorkload) member).id();
    return Optional.ofNullable(state.record(id)).map(record -> nameOf(record.queue));
  }

  /** {@return the unit of that name, of which there is one; not a copy} */
  Unit get(String name) {
    if (name.equals(Unit.OUTSIDE)) {
      state.inheritance().takeOutside();
      return Unit.outside(state.workloads().all().stream()
          .filter(record -> record.queue == null)
          .collect(toImmutableList()));
    }
    CohortTree tree = state.forest().tree(name);
    ImmutableMap.Builder<String, QueueState> queues = ImmutableMap.builder();
    ImmutableMap.Builder<String, List<WorkloadRecord>> reserving = ImmutableMap.builder();
    ImmutableList.Builder<WorkloadRecord> waiting = ImmutableList.builder();
    for (QueueQuota quota : tree.queues()) {
      QueueState queue = state.queue(quota.name()).orElseThrow();
      queues.put(queue.name(), queue);
      reserving.put(queue.name(), state.reserving(queue));
      Stream.concat(queue.pending().active().stream(), queue.pending().parked().stream())
          .map(pending -> pending.compiled().source().id())
          .map(id -> Objects.requireNonNull(state.workloads().get(id)))
          .forEach(waiting::add);
    }
    return new Unit(name, tree, queues.buildOrThrow(), reserving.buildOrThrow(), waiting.build());
  }

  // ----- snapshots

  /** {@return the state as it is now; no events are waiting to be acted on} */
  Snapshot snapshot(Exclusive<EngineCore> engine) {
    return snapshots.current(() -> new Snapshot(engine, state));
  }

  /** Prepares for a change of a workload, where it is. */
  void beforeChange(WorkloadRecord record) {
    if (!snapshots.isEmpty()) {
      beforeChange(nameOf(record.queue));
    }
  }

  /** Prepares for a change of a ClusterQueue or of anything in its tree. */
  void beforeChange(QueueQuota queue) {
    if (!snapshots.isEmpty()) {
      beforeChange(state.forest().treeName(queue));
    }
  }

  /** Prepares for a change of a unit. */
  void beforeChange(String name) {
    if (!snapshots.isEmpty()) {
      snapshots.give(name, snapshot -> get(name).copy(snapshot.owner()));
    }
  }

  /**
   * Prepares for a change of what belongs to no unit, such as what LocalQueues have used: later
   * snapshots differ from those taken so far.
   */
  void beforeOtherChange() {
    snapshots.noteChange();
  }

  /** Prepares for a change of the configuration. */
  void beforeConfigurationChange() {
    if (!snapshots.isEmpty()) {
      names().forEach(this::beforeChange);
      snapshots.complete();
    }
  }
}
