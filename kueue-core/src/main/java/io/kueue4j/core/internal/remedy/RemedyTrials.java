package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.explain.QuotaReasonEnricher;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.operation.LockedEngine;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * Applies remedies to studies, which are forks of an engine at one point in time, and observes the
 * outcome for one workload.
 *
 * @param view the state of the engine
 * @param now the time of all studies
 * @param workload the workload, known to the engine
 */
record RemedyTrials(StateView view, Instant now, Workload workload) {
  private static final int MAX_CYCLES = 100;

  /**
   * The outcome of one trial.
   *
   * @param study the study after the change
   * @param result the result for the workload
   */
  record Trial(LockedEngine study, AdmissionResult result) {
    /** {@return the result of {@code question}, which must not change the state} */
    <R> R inspect(Function<EngineState, R> question) {
      return RemedyTrials.inspect(study, question);
    }

    /**
     * {@return the reasons why the workload does not fit, with figures; empty if it does not wait}
     */
    List<Reason> reasons() {
      if (!(result instanceof AdmissionResult.Pending pending)) {
        return ImmutableList.of();
      }
      return inspectQueue(queue -> new QuotaReasonEnricher(queue).update(pending.reasons()))
          .orElse(pending.reasons());
    }

    /**
     * {@return the result of {@code question} about the workload's ClusterQueue, empty if it has
     * none}
     */
    <R> Optional<R> inspectQueue(Function<QueueQuota, R> question) {
      return inspect(state -> state
          .pending()
          .target(state.require(result.workload()))
          .map(queue -> question.apply(queue.quota())));
    }

    /** {@return the workload's ClusterQueue, empty if it has none} */
    Optional<ClusterQueue> clusterQueue() {
      return inspectQueue(queue -> queue.spec());
    }
  }

  WorkloadId id() {
    return workload.id();
  }

  private LockedEngine study() {
    return new EngineCore(InstantSource.fixed(now), view.fork()).exclusive(false);
  }

  private static <R> R inspect(LockedEngine study, Function<EngineState, R> question) {
    return study.call(held -> question.apply(held.state()));
  }

  /** {@return the result of {@code question} in the state without a change} */
  <R> R inspect(Function<EngineState, R> question) {
    return inspect(study(), question);
  }

  private static Trial tryAdmit(LockedEngine study, Workload workload) {
    return new Trial(
        study,
        study
            .call(
                held -> held.workloads().tryAdmit(workload, TryAdmitOptions.defaults(), held.now()))
            .result());
  }

  /** {@return the result of {@code tryAdmit} without a change} */
  Trial withoutChange() {
    return tryAdmit(study(), workload);
  }

  /** {@return the result of {@code tryAdmit} after the remedy, empty if its objects are invalid} */
  Optional<Trial> of(Remedy remedy) {
    LockedEngine study = study();
    try {
      RemedyCalls.apply(study, remedy);
    } catch (InvalidConfigurationException e) {
      return Optional.empty();
    }
    return Optional.of(tryAdmit(study, remedy.workload().orElse(workload)));
  }

  /** {@return whether {@code tryAdmit} admits the workload after the remedy} */
  boolean admits(Remedy remedy) {
    return of(remedy).filter(trial -> trial.result().holdsQuota()).isPresent();
  }

  /** {@return whether cycles admit the workload after the remedy, without any other event} */
  boolean admitsInTurn(Remedy remedy) {
    LockedEngine study = study();
    RemedyCalls.apply(study, remedy);
    for (int i = 0; i < MAX_CYCLES; i++) {
      Decisions decisions = study.call(held -> held.workloads().runCycle(held.now()));
      if (study.call(held -> held.workloads().admission(id())).isPresent()) {
        return true;
      }
      if (decisions.isEmpty()) {
        return false;
      }
    }
    return false;
  }

  /** {@return the least number that suffices, if {@code enough} and all above it do} */
  static long least(long tooLittle, long enough, LongPredicate suffices) {
    long low = tooLittle;
    long high = enough;
    while (high - low > 1) {
      long between = low + (high - low) / 2;
      if (suffices.test(between)) {
        high = between;
      } else {
        low = between;
      }
    }
    return high;
  }
}
