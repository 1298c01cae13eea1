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

/** A private engine on which remedies are tried. Not safe for several threads. */
public interface Study {
  /** Makes the change that a remedy asks for. */
  void apply(Remedy remedy);

  /** {@return what the engine decides on the workload now} */
  AdmissionResult tryAdmit(Workload workload);

  /** {@return what one cycle decides} */
  Decisions runCycle();

  /** {@return what the workload is admitted with, if it is} */
  Optional<Admission> admission(WorkloadId workload);

  /** {@return what {@code question} finds in the state, which it leaves as it is} */
  <R> R inspect(Function<EngineState, R> question);
}
