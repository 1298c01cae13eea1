package io.kueue4j.examples.docs;

// snippet
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.job.JobStartException;
import java.util.function.Consumer;

/** Admission in a controller of one's own. */
final class JobAdmission {
  private final KubernetesAdmission admission = KubernetesAdmission.create();
  private final AdmissionEngine engine = admission.engine();
  private final Consumer<HasMetadata> write;

  JobAdmission(Consumer<HasMetadata> write) {
    this.write = write;
  }

  ApplyResult seen(HasMetadata... objects) {
    ApplyResult result = admission.apply(objects);
    act(result.decisions());
    return result;
  }

  void podsStopped(WorkloadId workload) {
    act(engine.podsStopped(workload));
  }

  void decide() {
    engine.runUntilStable(1_000, () -> act(engine.runCycle()));
  }

  private Decisions act(Decisions decisions) {
    decisions.mustStop().forEach(workload -> write.accept(admission.stop(workload)));
    decisions.admitted().forEach(admitted -> start(admitted.workload()));
    return decisions;
  }

  private void start(WorkloadId workload) {
    try {
      write.accept(admission.start(workload));
    } catch (JobStartException e) {
      engine.release(workload); // The job contradicts its flavors: see e.getMessage().
    }
  }
}
// end
