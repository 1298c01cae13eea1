package io.kueue4j.core.internal.remedy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.support.Locked;
import io.kueue4j.core.internal.view.StateView;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** A fork of an engine, at one point in time, on which remedies are tried. */
final class Study {
  private final Locked<EngineCore> fork;

  Study(StateView view, Instant now) {
    this.fork = new EngineCore(InstantSource.fixed(now), view.fork()).exclusive(false);
  }

  /** Applies the change of a remedy. */
  void apply(Remedy remedy) {
    RemedyCalls.apply(fork, remedy);
  }

  /** {@return the result of trying the workload now} */
  AdmissionResult tryAdmit(Workload workload) {
    return fork.call(
        held -> held.admissions().tryAdmit(workload, TryAdmitOptions.defaults(), held.now()));
  }

  /** {@return the decisions of one cycle} */
  Decisions runCycle() {
    return fork.call(held -> held.admissions().runCycle(held.now()));
  }

  /** {@return the admission of the workload, if it is admitted} */
  Optional<Admission> admission(WorkloadId workload) {
    return fork.call(held -> held.admissions().admission(workload));
  }

  /** {@return the result of {@code question}, which must not change the state} */
  <R> R inspect(Function<EngineState, R> question) {
    return fork.call(held -> question.apply(held.state()));
  }
}
