package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadValidator;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes changes on copies of an engine and looks what becomes of one workload there. */
final class Trials {
  private static final int MAX_CYCLES = 100;

  private final Supplier<AdmissionEngine> copies;
  private final Workload workload;

  /**
   * Creates trials.
   *
   * @param copies gives an engine equal to the one asked about, a new one with each call
   * @param workload the workload, known there
   */
  Trials(Supplier<AdmissionEngine> copies, Workload workload) {
    this.copies = copies;
    this.workload = workload;
  }

  /**
   * What one trial showed.
   *
   * @param engine the copy, changed
   * @param result what became of the workload
   */
  record Trial(AdmissionEngine engine, AdmissionResult result) {
    /** {@return what does not fit, with figures; nothing if the workload does not wait} */
    ImmutableList<Reason> reasons() {
      if (!(result instanceof AdmissionResult.Pending pending)) {
        return ImmutableList.of();
      }
      return engine.inspect(state -> state
          .pending()
          .target(state.require(pending.workload()))
          .map(queue -> new Figures(queue.quota()).addTo(pending.reasons()))
          .orElse(pending.reasons()));
    }
  }

  Workload workload() {
    return workload;
  }

  WorkloadId id() {
    return workload.id();
  }

  /** {@return a new copy} */
  AdmissionEngine copy() {
    return copies.get();
  }

  /** {@return what {@code tryAdmit} says when nothing has changed} */
  Trial withoutChange() {
    AdmissionEngine engine = copy();
    return new Trial(engine, engine.tryAdmit(workload));
  }

  /** {@return what {@code tryAdmit} says after the change, empty if rules forbid the change} */
  Optional<Trial> of(Change change) {
    if (!change
        .workload()
        .map(WorkloadValidator::validate)
        .orElse(ImmutableList.of())
        .isEmpty()) {
      return Optional.empty();
    }
    AdmissionEngine engine = copy();
    try {
      change.applyTo(engine);
    } catch (InvalidConfigurationException e) {
      return Optional.empty();
    }
    return Optional.of(new Trial(engine, engine.tryAdmit(change.workload().orElse(workload))));
  }

  /** {@return whether {@code tryAdmit} admits the workload after the change} */
  boolean admits(Change change) {
    return of(change).filter(trial -> trial.result().holdsQuota()).isPresent();
  }

  /**
   * {@return whether cycles admit the workload after the change without anything else happening}
   */
  boolean admitsInTurn(Change change) {
    AdmissionEngine engine = copy();
    change.applyTo(engine);
    for (int i = 0; i < MAX_CYCLES; i++) {
      CycleResult cycle = engine.runCycle();
      if (engine.admission(id()).isPresent()) {
        return true;
      }
      if (cycle.isIdle()) {
        return false;
      }
    }
    return false;
  }
}
