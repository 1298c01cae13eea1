package io.kueue4j.core;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;
import java.util.function.Function;

/**
 * A fork of an engine on which remedies are tried.
 *
 * @param engine the fork
 */
record EngineStudy(AdmissionEngine engine) implements Study {
  @Override
  public void apply(Remedy remedy) {
    engine.apply(remedy);
  }

  @Override
  public AdmissionResult tryAdmit(Workload workload) {
    return engine.tryAdmit(workload);
  }

  @Override
  public Decisions runCycle() {
    return engine.runCycle();
  }

  @Override
  public Optional<Admission> admission(WorkloadId workload) {
    return engine.admission(workload);
  }

  @Override
  public <R> R inspect(Function<EngineState, R> question) {
    return engine.inspect(question);
  }
}
