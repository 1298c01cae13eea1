package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the remedies that would let the engine admit a workload.
 *
 * <p>The reasons why the workload waits suggest drafts. A draft is a remedy only if a study that
 * applies it admits the workload.
 */
final class RemedySearch {
  /** Null once all remedies are found, because it keeps a whole state. */
  private @Nullable RemedyTrials trials;

  private ImmutableList<Remedy> found = ImmutableList.of();

  /** Creates a search for a workload that holds no quota, whose remedies {@code trials} tries. */
  RemedySearch(RemedyTrials trials) {
    this.trials = trials;
  }

  /** {@return the first of {@link #all}, without searching for the others} */
  synchronized Optional<Remedy> first() {
    return trials == null ? found.stream().findFirst() : search(trials).findFirst();
  }

  /** {@return the smallest remedy of each kind, in the order of {@link Remedy.Kind}} */
  synchronized List<Remedy> all() {
    if (trials != null) {
      found = search(trials).collect(ImmutableList.toImmutableList());
      trials = null;
    }
    return found;
  }

  private static Stream<Remedy> search(RemedyTrials trials) {
    Trial now = trials.withoutChange();
    return now.result()
        .match(
            admitted -> turn(trials),
            reserved -> turn(trials),
            preempting -> victims(trials, preempting).stream(),
            pending -> against(trials, now),
            rejected -> Stream.of());
  }

  /** Drafts for a workload that only the order keeps waiting. */
  private static Stream<Remedy> turn(RemedyTrials trials) {
    Remedy wait = Remedy.builder(Remedy.Kind.WAIT_FOR_TURN)
        .message("its turn comes; nothing else has to change")
        .build();
    return Stream.<Supplier<Optional<Remedy>>>of(
            () -> Optional.of(wait).filter(trials::admitsInTurn),
            () -> endOfBackoff(trials).filter(trials::admitsInTurn),
            () -> priority(trials).filter(trials::admitsInTurn))
        .flatMap(candidate -> candidate.get().stream())
        .limit(1);
  }

  private static Optional<Remedy> endOfBackoff(RemedyTrials trials) {
    Workload workload = trials.workload();
    Instant end = trials.inspect(state -> state.require(workload.id()).backoffEnd());
    if (end.equals(Instant.MIN)) {
      return Optional.empty();
    }
    return Optional.of(Remedy.builder(Remedy.Kind.END_BACKOFF)
        .message("its backoff ends")
        .workload(workload)
        .build());
  }

  private static Optional<Remedy> priority(RemedyTrials trials) {
    WorkloadId id = trials.id();
    return trials
        .inspect(state -> Explainer.highestPriorityBefore(state, id))
        .filter(highest -> highest < Integer.MAX_VALUE)
        .map(highest -> {
          Workload first = Workload.builder()
              .from(trials.workload())
              .priorityClass(Optional.empty())
              .priorityBoost(0)
              .priority(Math.toIntExact(highest + 1))
              .build();
          return Remedy.builder(Remedy.Kind.RAISE_PRIORITY)
              .message("its priority is " + (highest + 1) + ", above those who stand before it")
              .workload(first)
              .build();
        });
  }

  private static Optional<Remedy> victims(
      RemedyTrials trials, AdmissionResult.Preempting preempting) {
    ImmutableList<WorkloadId> victims = preempting.victims().stream()
        .map(PreemptionVictim::workload)
        .collect(ImmutableList.toImmutableList());
    return Optional.of(stop(Remedy.Kind.STOP_VICTIMS, victims)).filter(trials::admits);
  }

  static Remedy stop(Remedy.Kind kind, ImmutableList<WorkloadId> workloads) {
    return Remedy.builder(kind)
        .message((workloads.size() == 1 ? "workload " : "workloads ")
            + workloads.stream().map(WorkloadId::toString).collect(Collectors.joining(", "))
            + (workloads.size() == 1 ? " stops" : " stop"))
        .addAllStops(workloads)
        .build();
  }

  /** Drafts for a workload that does not fit now. */
  private static Stream<Remedy> against(RemedyTrials trials, Trial now) {
    List<Reason> reasons = now.reasons();
    QuotaRemedies quota = new QuotaRemedies(trials, now);
    CoverageRemedies coverage = new CoverageRemedies(trials, now);
    Stream<Supplier<Stream<Remedy>>> sources = Stream.of(
        () -> new SetupRemedies(trials, now).against(reasons.get(0)),
        () -> PodRemedies.against(trials, now),
        quota::borrowingLimits,
        quota::lendingLimits,
        quota::nominalQuotas,
        quota::cohortQuotas,
        coverage::coverage,
        coverage::creation,
        () -> MinimalEvictionRemedy.against(trials, now));
    return sources.flatMap(Supplier::get);
  }
}
