package io.kueue4j.core.internal.operation;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.internal.remedy.Study;
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
final class EngineStudy implements Study {
  private final Locked<EngineCore> fork;

  EngineStudy(StateView view, Instant now) {
    this.fork = new EngineCore(InstantSource.fixed(now), view.fork()).exclusive();
  }

  @Override
  public void apply(Remedy remedy) {
    RemedyCalls.apply(fork, remedy);
  }

  @Override
  public AdmissionResult tryAdmit(Workload workload) {
    return fork.call(
        held -> held.admissions().tryAdmit(workload, TryAdmitOptions.defaults(), held.now()));
  }

  @Override
  public Decisions runCycle() {
    return fork.call(held -> held.admissions().runCycle(held.now()));
  }

  @Override
  public Optional<Admission> admission(WorkloadId workload) {
    return fork.call(held -> held.admissions().admission(workload));
  }

  @Override
  public <R> R inspect(Function<EngineState, R> question) {
    return fork.call(held -> question.apply(held.state()));
  }
}
