package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation.VariantExplanation;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * A workload that an engine knows: its current state, and reports about its checks.
 *
 * @param engine the engine
 * @param id the id of the workload
 */
record SubmittedWorkload(AdmissionEngine engine, WorkloadId id) {
  boolean holdsQuota() {
    return engine.admission(id).isPresent();
  }

  /** {@return the admission of a workload that holds quota} */
  Admission admission() {
    return engine.admission(id).orElseThrow();
  }

  WorkloadStatus status() {
    return engine.lifecycle().status(id);
  }

  WorkloadStatus.Phase phase() {
    return status().phase();
  }

  /** {@return a condition: {@code True Reason @seconds since the start}, or an empty text} */
  String condition(ConditionType type) {
    return status().condition(type).map(SubmittedWorkload::text).orElse("");
  }

  private static String text(WorkloadCondition condition) {
    return (condition.isTrue() ? "True " : "False ") + condition.reason() + " @"
        + Duration.between(Cluster.START, condition.lastTransitionTime()).toSeconds();
  }

  /** {@return the states of checks: {@code a Pending, b Ready}} */
  String checks() {
    return status().admissionChecks().stream()
        .map(check -> check.name() + " " + check.state())
        .collect(Collectors.joining(", "));
  }

  @CanIgnoreReturnValue
  Decisions check(String check, CheckState state) {
    return engine.lifecycle().setCheck(id, AdmissionCheckState.of(check, state));
  }

  @CanIgnoreReturnValue
  Decisions retry(String check, Duration after) {
    return engine
        .lifecycle()
        .setCheck(
            id,
            AdmissionCheckState.builder()
                .name(check)
                .state(CheckState.RETRY)
                .requeueAfter(after)
                .build());
  }

  /** {@return why the last attempt left the workload pending} */
  PendingCause cause() {
    return engine.explain(id).cause().orElseThrow();
  }

  ImmutableList<ReasonCode> reasonCodes() {
    return DecisionText.codes(engine.explain(id).reasons());
  }

  /** {@return the flavor of the cpus that the workload holds, or {@code none}} */
  String flavor() {
    return engine.admission(id).map(DecisionText::flavor).orElse("none");
  }

  /** {@return the flavors that the workload tries, with {@code !} if it may preempt there} */
  String tried() {
    return engine.explain(id).variants().stream()
        .filter(VariantExplanation::isTried)
        .map(variant -> variant.flavor() + (variant.mayPreempt() ? "!" : ""))
        .collect(Collectors.joining(" "));
  }

  /** {@return the hosts of the pods: {@code x1:2 x2:3}, or {@code nowhere}} */
  String place() {
    return engine.admission(id).map(DecisionText::place).orElse("nowhere");
  }
}
