package io.kueue4j.core.internal.life;

import static java.util.stream.Collectors.joining;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.cycle.PreemptionGuard;
import io.kueue4j.core.internal.explain.Explainer;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.Variants;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Determines which heads may preempt and which have to wait for another variant to stop, and
 * records the outcome of attempts that failed for this reason.
 *
 * <p>Rules: S-10, L-25, CA-3, CA-4.
 */
public final class VariantGuard implements PreemptionGuard {
  private final EngineState state;
  private final Variants variants;
  private final WorkloadTransitions lifecycles;
  private final boolean isOn;
  private final boolean gatesCount;

  public VariantGuard(EngineState state, WorkloadTransitions lifecycles) {
    this.state = state;
    this.variants = state.variants();
    this.lifecycles = lifecycles;
    this.isOn = state.settings().isEnabled(FeatureGate.CONCURRENT_ADMISSION);
    this.gatesCount =
        isOn || state.settings().isEnabled(FeatureGate.MULTIKUEUE_ORCHESTRATED_PREEMPTION);
  }

  @Override
  public boolean runsElsewhere(Head head) {
    return isOn && VariantNames.isVariant(head.id()) && variants.runsElsewhere(head.record());
  }

  @Override
  public boolean mayPreempt(Head head) {
    Workload workload = head.compiled().source();
    if (!gatesCount || workload.preemptionGates().isEmpty()) {
      return true;
    }
    LifecycleState known = head.record().lifecycle();
    return workload.preemptionGates().stream().allMatch(known::isOpen);
  }

  /** Records the outcome of an attempt that did not admit its head. */
  public void tried(Head head, Attempt attempt, Explainer explainer, Instant now) {
    if (!gatesCount) {
      return;
    }
    WorkloadRecord record = head.record();
    if (!record.isVariant() && !attempt.isGated()) {
      return;
    }
    LifecycleState step = record.lifecycle();
    if (attempt.isGated()) {
      step = step.blockedOnGates(now);
    }
    if (record.isVariant()) {
      AdmissionResult.Pending pending = explainer.pending(head, attempt);
      step = step.notReserved(pending.cause().toString(), text(pending.reasons()), now);
    }
    state.books().set(record, step);
    if (attempt.isMigrating()) {
      WorkloadRecord parent =
          Objects.requireNonNull(state.record(VariantNames.submitted(record.id())));
      variants
          .running(parent)
          .filter(running -> !running.isStopping())
          .ifPresent(running -> lifecycles.migrate(running, record, now));
    }
  }

  private static String text(List<Reason> reasons) {
    return reasons.stream().map(Reason::message).collect(joining("; "));
  }
}
