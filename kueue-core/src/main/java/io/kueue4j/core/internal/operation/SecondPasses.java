package io.kueue4j.core.internal.operation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.PodReplacer;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.lifecycle.PodSetUpdates;
import io.kueue4j.core.internal.lifecycle.SecondPass;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.TpuSliceHoldings;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.state.WorkloadRecord.FailedNode;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Second passes: places pods of workloads that hold quota already, before a cycle tries its heads.
 * There are two kinds:
 *
 * <ul>
 *   <li>Pods on a failed node are placed elsewhere ({@link PodReplacer}). If they fit nowhere, the
 *       workload is evicted, or tried again later if
 *       {@link FeatureGate#TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST} is off. A second failed node, or
 *       a failed host of a TPU slice, evicts the workload at once.
 *   <li>Pods whose placement was delayed until all admission checks have passed are placed for the
 *       first time, or tried again later if they fit nowhere. Flavors and quota do not change.
 * </ul>
 *
 * <p>Rules: U-8, U-25, S-10, L-9, T-14, T-76, T-77, T-78, T-80, T-81, T-86, T-87, TPU-F-22, PS-12.
 */
final class SecondPasses {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final WorkloadPlacer placer;
  private final AdmissionFactory factory;
  private final Promiser promiser;
  private final PodReplacer replacer;

  SecondPasses(
      EngineState state,
      WorkloadTransitions lifecycles,
      WorkloadPlacer placer,
      AdmissionFactory factory,
      Promiser promiser) {
    this.state = state;
    this.lifecycles = lifecycles;
    this.placer = placer;
    this.factory = factory;
    this.promiser = promiser;
    this.replacer = new PodReplacer(state.inventories());
  }

  // ----- reports of failed nodes

  /** Records a failed node, or evicts the workload if its pods cannot be moved. */
  void report(WorkloadRecord record, String node, Instant now) {
    Reservation reservation = record.reservation();
    if (reservation == null || record.isStopping()) {
      return;
    }
    if (TpuSliceHoldings.concerns(reservation.admission(), node)) {
      // A TPU slice works as a whole; its pods cannot be moved one by one.
      evict(
          record,
          "Workload eviction triggered due to failure of a host of its slices: " + node,
          now);
      return;
    }
    if (!state.settings().isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        || !state.settings().isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT)
        || !PodReplacer.concerns(reservation.admission(), node)) {
      return;
    }
    FailedNode mark = record.failure();
    if (mark == null) {
      state.workloads().markFailed(record, new FailedNode(node, SecondPass.first(now)));
    } else if (!mark.node().equals(node)) {
      evict(
          record,
          "Workload eviction triggered due to multiple TAS assigned node failures, including: "
              + mark.node() + ", " + node,
          now);
    }
  }

  /** Withdraws a failure if it is recorded. */
  void withdraw(WorkloadRecord record, String node) {
    FailedNode mark = record.failure();
    if (mark != null && mark.node().equals(node)) {
      state.workloads().markFailed(record, null);
    }
  }

  private void evict(WorkloadRecord record, String message, Instant now) {
    lifecycles.evict(record, EvictionReason.NODE_FAILURES, message, now);
  }

  // ----- when

  /** {@return when pods on a failed node are placed elsewhere, null if no node has failed} */
  private static @Nullable SecondPass ofFailure(WorkloadRecord record) {
    FailedNode mark = record.failure();
    return mark == null ? null : mark.search();
  }

  /** {@return when pods are placed whose placement was delayed, null if there are none} */
  private static @Nullable SecondPass ofPlacement(WorkloadRecord record) {
    return record.lifecycle().placement();
  }

  /** {@return the time of the next pass after {@code now}, empty if there is none} */
  Optional<Instant> next(Instant now) {
    return Stream.concat(
            records(state.workloads().failed()).map(SecondPasses::ofFailure),
            records(state.books().placing()).map(SecondPasses::ofPlacement))
        .filter(Objects::nonNull)
        .map(SecondPass::retryTime)
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }

  /**
   * Makes the passes that are due: failed nodes first, each kind by descending priority, then the
   * oldest first.
   */
  void run(Instant now) {
    // One after the other: each is decided against what those before it have been given.
    if (state.workloads().hasFailed()) {
      due(state.workloads().failed(), SecondPasses::ofFailure, now)
          .forEach(record -> commitReplacement(
              promiser.withoutKeptNodes(record, now, () -> replacement(record)), record, now));
    }
    if (state.books().isAnyPlacing()) {
      due(state.books().placing(), SecondPasses::ofPlacement, now)
          .forEach(record -> commitPlacement(
              promiser.withoutKeptNodes(record, now, () -> placement(record)), record, now));
    }
  }

  private List<WorkloadRecord> due(
      Collection<WorkloadId> workloads,
      Function<WorkloadRecord, @Nullable SecondPass> pass,
      Instant now) {
    return records(workloads)
        .filter(record -> {
          SecondPass next = pass.apply(record);
          return next != null && next.isDue(now);
        })
        .sorted(Comparator.<WorkloadRecord>comparingLong(
                record -> -record.compiled().priority())
            .thenComparingLong(state.pending()::queueTimeMillis)
            .thenComparing(WorkloadRecord::id))
        .toList();
  }

  private Stream<WorkloadRecord> records(Collection<WorkloadId> workloads) {
    return workloads.stream().flatMap(id -> Optional.ofNullable(state.record(id)).stream());
  }

  // ----- failed nodes

  /** {@return the admission with other places for the pods, empty if there are none} */
  private Optional<Admission> replacement(WorkloadRecord record) {
    FailedNode mark = Objects.requireNonNull(record.failure());
    Reservation reservation = Objects.requireNonNull(record.reservation());
    Admission inUse = Reservation.inUse(
        reservation.admission(),
        record.compiled(),
        state.settings().isEnabled(FeatureGate.RECLAIMABLE_PODS));
    return keepsPlaces(record)
        ? Optional.of(inUse)
        : replacer.replace(updated(record), record.requireQueue().spec(), inUse, mark.node());
  }

  private void commitReplacement(
      Optional<Admission> replacement, WorkloadRecord record, Instant now) {
    FailedNode mark = Objects.requireNonNull(record.failure());
    Reservation reservation = Objects.requireNonNull(record.reservation());
    if (replacement.isPresent()) {
      state.workloads().markFailed(record, null);
      if (!replacement.get().equals(reservation.admission())) {
        state.reservations().replace(record, reservation, replacement.get());
        state
            .announcements()
            .decided(new Decision.Replacement(VariantNames.submitted(replacement.get())));
      }
    } else if (state.settings().isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST)) {
      evict(
          record,
          "Workload was evicted as there was no replacement for unhealthy node(s): " + mark.node(),
          now);
    } else {
      state
          .workloads()
          .markFailed(record, new FailedNode(mark.node(), mark.search().next(now)));
    }
  }

  /** {@return whether the pods of a workload must not be moved; rule T-87} */
  private boolean keepsPlaces(WorkloadRecord record) {
    return record.workload().ownedBySinglePod()
        && state.settings().isEnabled(FeatureGate.SKIP_REASSIGNMENT_FOR_POD_OWNED_WORKLOADS);
  }

  /** {@return the workload with the pod updates of its admission checks; rule T-14} */
  private CompiledWorkload updated(WorkloadRecord record) {
    return PodSetUpdates.apply(record.workload(), record.lifecycle().checks())
        .filter(updated -> !updated.equals(record.workload()))
        .map(updated -> state.workloads().compile(updated, record))
        .orElse(record.compiled());
  }

  // ----- delayed placements

  /** {@return the admission with places for all pods, empty if there are none} */
  private Optional<Admission> placement(WorkloadRecord record) {
    Reservation reservation = Objects.requireNonNull(record.reservation());
    Optional<Workload> updated =
        PodSetUpdates.apply(record.workload(), record.lifecycle().checks());
    if (updated.isEmpty()) {
      return Optional.empty();
    }
    CompiledWorkload workload = state.workloads().compile(updated.get(), record);
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
    // Pods that request no place get none while their queue has a flavor without topology (T-18).
    return Optional.of(Admission.builder()
            .from(admission)
            .podSetAssignments(podSets.build())
            .build())
        .filter(WorkloadTransitions::isPlaced);
  }

  private void commitPlacement(Optional<Admission> placed, WorkloadRecord record, Instant now) {
    Reservation reservation = Objects.requireNonNull(record.reservation());
    LifecycleState lifecycle = record.lifecycle();
    if (placed.isEmpty()) {
      SecondPass next = Objects.requireNonNull(lifecycle.placement()).next(now);
      state.books().set(record, lifecycle.withPlacement(next));
      return;
    }
    state.reservations().replace(record, reservation, placed.get());
    lifecycles.review(record, lifecycle, now);
  }
}
