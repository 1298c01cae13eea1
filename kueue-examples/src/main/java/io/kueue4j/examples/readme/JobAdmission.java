package io.kueue4j.examples.readme;

// snippet
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.job.JobStartException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Admission in a controller of one's own. */
final class JobAdmission {
  private final KubernetesAdmission admission = KubernetesAdmission.create();
  private final AdmissionEngine engine = admission.engine();

  ApplyResult seen(HasMetadata... objects) {
    return admission.apply(objects);
  }

  void decide(Consumer<HasMetadata> write) {
    Set<WorkloadId> tried = new HashSet<>();
    boolean news = true;
    while (news) {
      Decisions cycle = engine.runCycle();
      cycle.admitted().forEach(admitted -> start(admitted.workload(), write));
      cycle.preempted().forEach(victim -> write.accept(admission.stop(victim.workload())));
      news = !cycle.admitted().isEmpty();
      for (AdmissionResult.Pending pending : cycle.pending()) {
        news |= tried.add(pending.workload());
      }
    }
  }

  private void start(WorkloadId workload, Consumer<HasMetadata> write) {
    try {
      write.accept(admission.start(workload));
    } catch (JobStartException e) {
      engine.release(workload); // The job contradicts its flavors: see e.getMessage().
    }
  }
}
// end
