package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.Places;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.lifecycle.PodSetUpdates;
import io.kueue4j.core.internal.lifecycle.SecondPass;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of workloads that hold quota and have passed their admission checks, where
 * placement is delayed until then. Flavors and quota do not change.
 *
 * <p>Rules: U-8, U-25, T-14, T-76, T-77, T-78.
 */
final class DelayedPlacements {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final WorkloadPlacer placer;
  private final AdmissionFactory factory;

  DelayedPlacements(
      EngineState state,
      WorkloadTransitions lifecycles,
      WorkloadPlacer placer,
      AdmissionFactory factory) {
    this.state = state;
    this.lifecycles = lifecycles;
    this.placer = placer;
    this.factory = factory;
  }

  /**
   * Searches places for the workloads whose search is due, by descending priority, then the oldest
   * first.
   */
  void place(Instant now) {
    if (state.books().isAnyPlacing()) {
      // One after the other: each is decided against what those before it have been given.
      SecondPasses.due(state, state.books().placing(), DelayedPlacements::search, now)
          .forEach(record -> commit(decide(record), record, now));
    }
  }

  /** {@return when places are searched for pods of a workload, null if they are not} */
  static @Nullable SecondPass search(WorkloadRecord record) {
    return record.lifecycle().placement();
  }

  private void commit(Optional<Admission> placed, WorkloadRecord record, Instant now) {
    Reservation reservation = Objects.requireNonNull(record.reservation());
    LifecycleState lifecycle = record.lifecycle();
    if (placed.isEmpty()) {
      SecondPass next = Objects.requireNonNull(lifecycle.placement()).next(now);
      state.books().set(record, lifecycle.withPlacement(next));
      return;
    }
    state.reservations().replace(record, reservation, placed.get());
    if (lifecycles.review(record, lifecycle, now)) {
      lifecycles.admitted(record, now);
    }
  }

  /** {@return the admission with places for all pods, empty if there are none} */
  private Optional<Admission> decide(WorkloadRecord record) {
    Reservation reservation = Objects.requireNonNull(record.reservation());
    Optional<Workload> updated =
        PodSetUpdates.apply(record.workload(), record.lifecycle().checks());
    if (updated.isEmpty()) {
      return Optional.empty();
    }
    CompiledWorkload workload = state.workloads().compile(updated.get());
    Admission admission = reservation.admission();
    Places places = placer
        .planDelayed(workload, state.queueStore().ownQuota(record.requireQueue()), admission)
        .place(true);
    if (!places.isFound()) {
      return Optional.empty();
    }
    ImmutableList.Builder<PodSetAssignment> podSets = ImmutableList.builder();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      Places.PodSetPlace place = places.of(workload.indexOf(podSet.name()));
      podSets.add(
          place == null
              ? podSet
              : PodSetAssignment.builder()
                  .from(podSet)
                  .topologyAssignment(factory.toAssignment(place))
                  .delayedTopologyRequest(DelayedTopologyRequest.READY)
                  .build());
    }
    return Optional.of(
        Admission.builder().from(admission).podSetAssignments(podSets.build()).build());
  }
}
