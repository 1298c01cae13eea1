package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.Trials.Trial;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the changes that would let the engine admit a workload.
 *
 * <p>What stands against it suggests candidates; only those are stated that have been made on a
 * copy and been followed by the admission.
 */
final class ChangeSearch {
  private static final ChangeSearch NOTHING = new ChangeSearch(null, ImmutableList.of());

  /** Null once all is found: it keeps what the engine was like at the time in memory. */
  private @Nullable Trials trials;

  private ImmutableList<Change> found;

  private ChangeSearch(@Nullable Trials trials, ImmutableList<Change> found) {
    this.trials = trials;
    this.found = found;
  }

  /** {@return the search for a workload that waits for nothing} */
  static ChangeSearch nothing() {
    return NOTHING;
  }

  /**
   * {@return the search for a workload}
   *
   * @param record what is known of the workload; nothing helps one that holds quota, or is unknown
   * @param view gives the engine as it is now
   */
  static ChangeSearch of(@Nullable WorkloadRecord record, Supplier<EngineView> view) {
    return record == null || record.reservation != null
        ? nothing()
        : new ChangeSearch(new Trials(view.get()::whatIf, record.workload()), ImmutableList.of());
  }

  /** {@return the first of {@link #all}, without looking for the others} */
  synchronized Optional<Change> first() {
    return trials == null ? found.stream().findFirst() : search(trials).findFirst();
  }

  /** {@return the changes by kind} */
  synchronized ImmutableList<Change> all() {
    if (trials != null) {
      found = search(trials).collect(ImmutableList.toImmutableList());
      trials = null;
    }
    return found;
  }

  private static Stream<Change> search(Trials trials) {
    Trial now = trials.withoutChange();
    return now.result()
        .match(
            admitted -> turn(trials),
            reserved -> turn(trials),
            preempting -> victims(trials, preempting).stream(),
            pending -> against(trials, now),
            rejected -> Stream.of());
  }

  /** Nothing but the order keeps it waiting. */
  private static Stream<Change> turn(Trials trials) {
    Change wait = Change.builder(ChangeKind.WAIT_FOR_TURN)
        .message("its turn comes; nothing else has to change")
        .build();
    return Stream.<Supplier<Optional<Change>>>of(
            () -> Optional.of(wait).filter(trials::admitsInTurn),
            () -> endOfBackoff(trials).filter(trials::admitsInTurn),
            () -> priority(trials).filter(trials::admitsInTurn))
        .flatMap(candidate -> candidate.get().stream())
        .limit(1);
  }

  private static Optional<Change> endOfBackoff(Trials trials) {
    Workload workload = trials.workload();
    Instant end = trials.copy().inspect(state -> state.require(workload.id()).backoffEnd());
    if (end.equals(Instant.MIN)) {
      return Optional.empty();
    }
    Workload ready = Workload.builder()
        .from(workload)
        .requeued(true)
        .requeueAt(Instant.EPOCH)
        .build();
    return Optional.of(Change.builder(ChangeKind.END_BACKOFF)
        .message("its backoff ends")
        .workload(ready)
        .build());
  }

  private static Optional<Change> priority(Trials trials) {
    AdmissionEngine engine = trials.copy();
    WorkloadId id = trials.id();
    return engine
        .inspect(state -> Explainer.highestPriorityBefore(state, id))
        .filter(highest -> highest < Integer.MAX_VALUE)
        .map(highest -> {
          Workload first = Workload.builder()
              .from(trials.workload())
              .priorityClass(Optional.empty())
              .priorityBoost(0)
              .priority(Math.toIntExact(highest + 1))
              .build();
          return Change.builder(ChangeKind.RAISE_PRIORITY)
              .message("its priority is " + (highest + 1) + ", above those who stand before it")
              .workload(first)
              .build();
        });
  }

  private static Optional<Change> victims(Trials trials, AdmissionResult.Preempting preempting) {
    ImmutableList<WorkloadId> victims = preempting.victims().stream()
        .map(PreemptionVictim::workload)
        .collect(ImmutableList.toImmutableList());
    return Optional.of(stop(ChangeKind.STOP_VICTIMS, victims)).filter(trials::admits);
  }

  static Change stop(ChangeKind kind, ImmutableList<WorkloadId> workloads) {
    return Change.builder(kind)
        .message((workloads.size() == 1 ? "workload " : "workloads ")
            + workloads.stream().map(WorkloadId::toString).collect(Collectors.joining(", "))
            + (workloads.size() == 1 ? " stops" : " stop"))
        .addAllStops(workloads)
        .build();
  }

  /** The workload does not fit as things are. */
  private static Stream<Change> against(Trials trials, Trial now) {
    ImmutableList<Reason> reasons = now.reasons();
    QuotaChanges quota = new QuotaChanges(trials, now);
    CohortChanges cohort = new CohortChanges(trials, now);
    CoverageChanges coverage = new CoverageChanges(trials, now);
    Stream<Supplier<Stream<Change>>> sources = Stream.of(
        () -> new SetupChanges(trials, now.engine()).against(reasons.get(0)),
        () -> PodChanges.against(trials, now.engine(), reasons),
        quota::borrowingLimits,
        cohort::lendingLimits,
        quota::nominalQuotas,
        cohort::quotas,
        coverage::coverage,
        coverage::creation,
        () -> HolderChanges.against(trials, now));
    return sources.flatMap(Supplier::get);
  }
}
