package io.kueue4j.core.internal.remedy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;
import java.util.function.Function;

/** A private engine on which remedies are tried. Not thread-safe. */
public interface Study {
  /** Applies the change of a remedy. */
  void apply(Remedy remedy);

  /** {@return the result of trying the workload now} */
  AdmissionResult tryAdmit(Workload workload);

  /** {@return the decisions of one cycle} */
  Decisions runCycle();

  /** {@return the admission of the workload, if it is admitted} */
  Optional<Admission> admission(WorkloadId workload);

  /** {@return the result of {@code question}, which must not change the state} */
  <R> R inspect(Function<EngineState, R> question);
}
