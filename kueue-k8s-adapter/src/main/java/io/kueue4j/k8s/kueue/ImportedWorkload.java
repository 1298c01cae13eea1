package io.kueue4j.k8s.kueue;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.util.Optional;

/**
 * A workload as Kueue has stored it. Rules: L-1, J-22.
 *
 * @param workload what is to be admitted; when it may be tried again is part of it
 * @param admission what it was given, absent if it holds no quota
 * @param status what had happened to it
 * @param preempted for what it was told to stop, absent unless it was and still holds its quota
 * @param notes what was not understood or is not taken into account
 */
public record ImportedWorkload(
    Workload workload,
    Optional<Admission> admission,
    WorkloadStatus status,
    Optional<PreemptedCondition> preempted,
    ImmutableList<ManifestIssue> notes) {

  /**
   * Takes the workload into an engine, which goes on from where it stood: with its quota, checks,
   * evictions, and what it waits for.
   *
   * @param engine an engine that does not know the workload yet, with the configuration that it was
   *     admitted by
   * @return what was decided at once, since the configuration says other than the status
   * @throws IllegalArgumentException as {@link io.kueue4j.core.WorkloadLifecycle#restore} does
   */
  @CanIgnoreReturnValue
  public Decisions restoreTo(AdmissionEngine engine) {
    // The status says when it may be tried again, and changes; the workload would say it for good.
    Workload plain = Workload.builder()
        .from(workload)
        .requeued(true)
        .requeueAt(Optional.empty())
        .build();
    return engine
        .lifecycle()
        .restore(plain, isDeactivated() ? Optional.empty() : admission, status);
  }

  /** What was deactivated holds no quota any more while it stops (rule L-12). */
  private boolean isDeactivated() {
    return status
        .condition(ConditionType.EVICTED)
        .filter(WorkloadCondition::isTrue)
        .filter(told -> !workload.active()
            || EvictionReason.named(told.reason()).equals(Optional.of(EvictionReason.DEACTIVATED)))
        .isPresent();
  }
}
