package io.kueue4j.core.internal.remedy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.explain.QuotaReasonEnricher;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadValidator;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Applies remedies to studies of an engine, and observes the outcome for one workload. */
final class RemedyTrials {
  private static final int MAX_CYCLES = 100;

  private final Supplier<Study> studies;
  private final Workload workload;

  /**
   * Creates trials.
   *
   * @param studies supplies a new study of the engine with each call
   * @param workload the workload, known to the studies
   */
  RemedyTrials(Supplier<Study> studies, Workload workload) {
    this.studies = studies;
    this.workload = workload;
  }

  /**
   * The outcome of one trial.
   *
   * @param engine the study after the change
   * @param result the result for the workload
   */
  record Trial(Study engine, AdmissionResult result) {
    /**
     * {@return the reasons why the workload does not fit, with figures; empty if it does not wait}
     */
    ImmutableList<Reason> reasons() {
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
      return engine.inspect(state -> state
          .pending()
          .target(state.require(result.workload()))
          .map(queue -> question.apply(queue.quota())));
    }

    /** {@return the workload's ClusterQueue, empty if it has none} */
    Optional<ClusterQueue> clusterQueue() {
      return inspectQueue(queue -> queue.spec());
    }
  }

  Workload workload() {
    return workload;
  }

  WorkloadId id() {
    return workload.id();
  }

  /** {@return a new study} */
  Study study() {
    return studies.get();
  }

  /** {@return the result of {@code tryAdmit} without a change} */
  Trial withoutChange() {
    Study engine = study();
    return new Trial(engine, engine.tryAdmit(workload));
  }

  /** {@return the result of {@code tryAdmit} after the remedy, empty if the remedy is invalid} */
  Optional<Trial> of(Remedy remedy) {
    if (!remedy
        .workload()
        .map(WorkloadValidator::validate)
        .orElse(ImmutableList.of())
        .isEmpty()) {
      return Optional.empty();
    }
    Study engine = study();
    try {
      engine.apply(remedy);
    } catch (InvalidConfigurationException e) {
      return Optional.empty();
    }
    return Optional.of(new Trial(engine, engine.tryAdmit(remedy.workload().orElse(workload))));
  }

  /** {@return whether {@code tryAdmit} admits the workload after the remedy} */
  boolean admits(Remedy remedy) {
    return of(remedy).filter(trial -> trial.result().holdsQuota()).isPresent();
  }

  /** {@return whether cycles admit the workload after the remedy, without any other event} */
  boolean admitsInTurn(Remedy remedy) {
    Study engine = study();
    engine.apply(remedy);
    for (int i = 0; i < MAX_CYCLES; i++) {
      Decisions decisions = engine.runCycle();
      if (engine.admission(id()).isPresent()) {
        return true;
      }
      if (decisions.isEmpty()) {
        return false;
      }
    }
    return false;
  }
}
