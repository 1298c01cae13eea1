package io.kueue4j.core.internal.operation;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import java.util.Optional;

/** Describes where workloads stand, as results of the calls that concern them. */
final class CurrentResults {
  private final EngineState state;
  private final Explainer explainer;

  CurrentResults(EngineState state, Explainer explainer) {
    this.state = state;
    this.explainer = explainer;
  }

  /** {@return admitted or reserved for a workload that holds quota, pending for another one} */
  AdmissionResult of(WorkloadRecord record) {
    Optional<WorkloadRecord> holder = state.variants().holder(record);
    Optional<Admission> admission = state.variants().admission(record);
    if (holder.isEmpty() || admission.isEmpty()) {
      return explainer.pending(record);
    }
    return holder.get().lifecycle().isAdmitted()
        ? new AdmissionResult.Admitted(admission.get())
        : new AdmissionResult.Reserved(admission.get(), Explainer.missing(holder.get()));
  }
}
