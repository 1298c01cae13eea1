package io.kueue4j.k8s.kueue;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.List;
import java.util.Optional;

/**
 * A workload as stored by Kueue. Rules: L-1, J-22.
 *
 * @param workload the workload
 * @param admission its admission, empty if it holds no quota
 * @param status its history
 * @param preempted the reason of its eviction, empty unless it is evicted and still holds its quota
 * @param notes what was not understood or is ignored
 * @since 0.1.0
 */
public record ImportedWorkload(
    Workload workload,
    Optional<Admission> admission,
    WorkloadStatus status,
    Optional<PreemptedCondition> preempted,
    List<ManifestIssue> notes) {
  /** Copies what it is given. */
  public ImportedWorkload {
    notes = ImmutableList.copyOf(notes);
  }

  /**
   * Restores the workload in an engine with its quota, checks, evictions, and the state that it
   * waits in.
   *
   * @param engine an engine that does not contain the workload yet, with the configuration that the
   *     workload was admitted with
   * @return what was decided at once because the configuration differs from the status
   * @throws IllegalArgumentException if the engine knows the workload, if the workload is invalid,
   *     if status and admission contradict each other, or if the admission names a ClusterQueue
   *     that does not exist or does not match the pod sets
   */
  @CanIgnoreReturnValue
  public Decisions restoreTo(AdmissionEngine engine) {
    boolean isFree = isDeactivated() && !engine.settings().holdsQuotaUntilStopped();
    return engine.lifecycle().restore(workload, isFree ? Optional.empty() : admission, status);
  }

  /** {@return whether the workload holds no quota while it stops, as in Kueue (rule L-12)} */
  private boolean isDeactivated() {
    return status
        .condition(ConditionType.EVICTED)
        .filter(WorkloadCondition::isTrue)
        .filter(condition -> !workload.active()
            || EvictionReason.named(condition.reason())
                .equals(Optional.of(EvictionReason.DEACTIVATED)))
        .isPresent();
  }
}
