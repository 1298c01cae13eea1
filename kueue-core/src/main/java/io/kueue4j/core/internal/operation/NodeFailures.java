package io.kueue4j.core.internal.operation;

import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.flavor.PodReplacer;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.lifecycle.PodSetUpdates;
import io.kueue4j.core.internal.lifecycle.SecondPass;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.FailedNode;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.TpuSliceHoldings;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Handles running workloads with a failed node: evicts a workload at its second failed node or if
 * the node belongs to a TPU slice; otherwise the next cycle places the pods elsewhere
 * ({@link PodReplacer}), or evicts the workload if they fit nowhere; if
 * {@link FeatureGate#TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST} is off, it tries again later.
 *
 * <p>Rules: U-8, U-25, S-10, L-9, T-14, T-80, T-81, T-86, T-87, TPU-F-22.
 */
final class NodeFailures {
  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final PodReplacer replacer;

  NodeFailures(EngineState state, WorkloadTransitions lifecycles) {
    this.state = state;
    this.lifecycles = lifecycles;
    this.replacer = new PodReplacer(state.inventories());
  }

  /**
   * Records a failure.
   *
   * @return the eviction of the workload, if this is its second failed node or a host of a TPU
   *     slice
   */
  Optional<Eviction> report(WorkloadRecord record, String node, Instant now) {
    Reservation reservation = record.reservation();
    if (reservation == null || record.isStopping()) {
      return Optional.empty();
    }
    if (TpuSliceHoldings.concerns(reservation.admission(), node)) {
      // A TPU slice works as a whole; its pods cannot be moved one by one.
      return Optional.of(evict(
          record,
          "Workload eviction triggered due to failure of a host of its slices: " + node,
          now));
    }
    if (!state.settings().isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        || !state.settings().isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT)
        || !PodReplacer.concerns(reservation.admission(), node)) {
      return Optional.empty();
    }
    FailedNode mark = record.failure();
    if (mark == null) {
      state.workloads().markFailed(record, new FailedNode(node, SecondPass.first(now)));
      return Optional.empty();
    }
    if (mark.node().equals(node)) {
      return Optional.empty();
    }
    return Optional.of(evict(
        record,
        "Workload eviction triggered due to multiple TAS assigned node failures, including: "
            + mark.node() + ", " + node,
        now));
  }

  /**
   * Withdraws a failure.
   *
   * @return whether it was recorded
   */
  boolean withdraw(WorkloadRecord record, String node) {
    FailedNode mark = record.failure();
    if (mark == null || !mark.node().equals(node)) {
      return false;
    }
    state.workloads().markFailed(record, null);
    return true;
  }

  /** Searches other places for pods on failed nodes, where the search is due. */
  void repair(Instant now) {
    if (state.workloads().hasFailed()) {
      // One after the other: each is decided against what those before it have been given.
      SecondPasses.due(state, state.workloads().failed(), NodeFailures::search, now)
          .forEach(record -> commit(decide(record), record, now));
    }
  }

  /** {@return when places are searched for pods of a workload, null if they are not} */
  static @Nullable SecondPass search(WorkloadRecord record) {
    FailedNode mark = record.failure();
    return mark == null ? null : mark.search();
  }

  /** {@return the admission with other places for the pods, empty if there are none} */
  private Optional<Admission> decide(WorkloadRecord record) {
    FailedNode mark = Objects.requireNonNull(record.failure());
    Reservation reservation = Objects.requireNonNull(record.reservation());
    Admission inUse = Reservation.inUse(
        reservation.admission(),
        record.workload(),
        state.settings().isEnabled(FeatureGate.RECLAIMABLE_PODS));
    return keepsPlaces(record)
        ? Optional.of(inUse)
        : replacer.replace(
            updated(record),
            state.queueStore().ownQuota(record.requireQueue()),
            inUse,
            mark.node());
  }

  private void commit(Optional<Admission> replacement, WorkloadRecord record, Instant now) {
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
      String message = "Workload was evicted as there was no replacement for unhealthy node(s): ";
      state.announcements().decided(evict(record, message + mark.node(), now));
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
        .map(state.workloads()::compile)
        .orElse(record.compiled());
  }

  private Eviction evict(WorkloadRecord record, String message, Instant now) {
    return lifecycles.evict(record, EvictionReason.NODE_FAILURES, Optional.empty(), message, now);
  }
}
