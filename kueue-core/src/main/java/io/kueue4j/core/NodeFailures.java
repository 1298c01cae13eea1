package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.flavor.PodReplacer;
import io.kueue4j.core.flavor.PodReplacer.Replacement;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Running workloads of which a node has failed, and what the next cycle does about it.
 *
 * <p>Rules: U-25, L-9, T-80, T-81, T-86, TPU-F-22.
 */
final class NodeFailures {
  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

  private final EngineState state;
  private final PodReplacer replacer;

  /** What was done and nobody has been told yet. */
  private final List<Admission> replacedUntold = new ArrayList<>();

  private final List<Eviction> evictedUntold = new ArrayList<>();

  /**
   * A node of a workload that has failed.
   *
   * @param node the node
   * @param attempts how often another place was searched in vain
   * @param retryTime when it is searched again
   */
  record Mark(String node, int attempts, Instant retryTime) {}

  /**
   * What was done about failures.
   *
   * @param replaced admissions with other places
   * @param evicted what is to stop
   */
  record Repairs(ImmutableList<Admission> replaced, ImmutableList<Eviction> evicted) {}

  NodeFailures(EngineState state) {
    this.state = state;
    this.replacer = new PodReplacer(state.inventories(), state.catalog());
  }

  /** Notes a failure; {@return that the workload has to stop, if it is the second node of it} */
  Optional<Eviction> report(WorkloadRecord record, String node, Instant now) {
    Reservation reservation = record.reservation;
    if (reservation == null || record.isToldToStop()) {
      return Optional.empty();
    }
    if (HeldSlices.concerns(reservation.admission(), node)) {
      // A slice works as a whole, and its pods cannot go elsewhere one by one.
      return Optional.of(evict(
          record, "Workload eviction triggered due to failure of a host of its slices: " + node));
    }
    if (!state.settings().isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT)
        || !PodReplacer.concerns(reservation.admission(), node)) {
      return Optional.empty();
    }
    Mark mark = record.failure();
    if (mark == null) {
      state.markFailed(record, new Mark(node, 0, now));
      return Optional.empty();
    }
    if (mark.node.equals(node)) {
      return Optional.empty();
    }
    return Optional.of(evict(
        record,
        "Workload eviction triggered due to multiple TAS assigned node failures, including: "
            + mark.node + ", " + node));
  }

  /** Takes a failure back; {@return whether it was noted} */
  boolean withdraw(WorkloadRecord record, String node) {
    Mark mark = record.failure();
    if (mark == null || !mark.node.equals(node)) {
      return false;
    }
    state.markFailed(record, null);
    return true;
  }

  /** Searches other places for all pods whose node has failed, as far as that is due. */
  void repair(Instant now) {
    List<WorkloadRecord> due = new ArrayList<>();
    for (WorkloadId id : state.failed()) {
      WorkloadRecord record = state.record(id);
      Mark mark = record == null ? null : record.failure();
      if (record != null && mark != null && !mark.retryTime.isAfter(now)) {
        due.add(record);
      }
    }
    due.sort(
        Comparator.<WorkloadRecord>comparingLong(record -> -record.compiled().priority())
            .thenComparingLong(state::queueTimeMillis)
            .thenComparing(record -> record.workload().id()));
    due.forEach(record -> repair(record, now));
  }

  /** {@return what was done and nobody has been told yet} */
  Repairs tell() {
    Repairs repairs =
        new Repairs(ImmutableList.copyOf(replacedUntold), ImmutableList.copyOf(evictedUntold));
    replacedUntold.clear();
    evictedUntold.clear();
    return repairs;
  }

  /** {@return when a search that was in vain is due again, of those that are not due already} */
  Optional<Instant> nextSearch(Instant now) {
    return state.failed().stream()
        .map(state::record)
        .flatMap(record ->
            Optional.ofNullable(record)
                .flatMap(known -> Optional.ofNullable(known.failure()))
                .stream())
        .map(Mark::retryTime)
        .filter(now::isBefore)
        .min(Comparator.naturalOrder());
  }

  private void repair(WorkloadRecord record, Instant now) {
    Mark mark = Objects.requireNonNull(record.failure());
    Reservation reservation = Objects.requireNonNull(record.reservation);
    Replacement found = replacer.replace(
        record.compiled(), reservation.queue().quota(), reservation.admission(), mark.node);
    if (found instanceof Replacement.Found replacement) {
      state.markFailed(record, null);
      state.reservations().replace(record, reservation, replacement.admission());
      replacedUntold.add(replacement.admission());
    } else if (state.settings().isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST)) {
      String message = "Workload was evicted as there was no replacement for unhealthy node(s): ";
      evictedUntold.add(evict(record, message + mark.node));
    } else {
      state.markFailed(
          record, new Mark(mark.node, mark.attempts + 1, now.plus(delay(mark.attempts))));
    }
  }

  private static Duration delay(int attempts) {
    Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(attempts, 5));
    return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
  }

  private Eviction evict(WorkloadRecord record, String message) {
    state.markFailed(record, null);
    state.reservations().evict(record, null, null);
    return new Eviction(record.workload().id(), EvictionReason.NODE_FAILURES, message);
  }
}
