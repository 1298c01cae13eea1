package io.kueue4j.core.internal.variant;

import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.cycle.Head;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.transition.WorkloadTransitions;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptionGateState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens the preemption gates of the variants of a workload one after another: first the gate of the
 * best variant that could preempt, and after some time the gate of the next one.
 *
 * <p>Rules: CA-5.
 */
final class VariantGates {
  private static final Duration BETWEEN_OPENINGS = Duration.ofMinutes(5);

  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final Instant now;
  private final boolean awaitsBetterVariants;

  VariantGates(EngineState state, WorkloadTransitions lifecycles, Instant now) {
    this.state = state;
    this.lifecycles = lifecycles;
    this.now = now;
    this.awaitsBetterVariants = state.settings().includes(KueueFix.GATES_AFTER_BETTER_VARIANTS);
  }

  /** Opens the gate of one of {@code variants}, the best first, if it is due. */
  void open(WorkloadRecord parent, List<WorkloadRecord> variants) {
    List<WorkloadRecord> waiting =
        variants.stream().filter(state.pending()::isQueueable).toList();
    WorkloadRecord next = next(waiting);
    Instant time = next == null
        ? null
        : lastOpening(waiting)
            .map(last -> TimeMath.saturatedAdd(last, BETWEEN_OPENINGS))
            .orElse(now);
    if (next != null && time != null && !time.isAfter(now)) {
      lifecycles.setGate(next, VariantNames.GATE, true, now);
      time = null;
    }
    if (!Objects.equals(time, parent.gateOpening())) {
      parent.setGateOpening(time);
      state.books().setTimer(parent);
    }
  }

  private @Nullable WorkloadRecord next(List<WorkloadRecord> waiting) {
    for (WorkloadRecord variant : waiting) {
      if (variant.lifecycle().isOpen(VariantNames.GATE)) {
        continue;
      }
      if (variant.lifecycle().conditions().isTrue(ConditionType.BLOCKED_ON_PREEMPTION_GATES)) {
        return variant;
      }
      if (!wasTried(variant)) {
        return null;
      }
    }
    return null;
  }

  /**
   * {@return whether the outcome of an attempt of the variant is known, by its own attempt or one
   * of its shape}
   */
  private boolean wasTried(WorkloadRecord variant) {
    Head head = variant.head();
    return variant
            .lifecycle()
            .conditions()
            .get(ConditionType.QUOTA_RESERVED)
            .filter(condition -> !awaitsBetterVariants
                || !condition.reason().equals(PendingCause.PENDING_EVALUATION.toString()))
            .isPresent()
        || (head != null && head.queue().pending().failureOfShape(head.pending()) != null);
  }

  private static Optional<Instant> lastOpening(List<WorkloadRecord> waiting) {
    return waiting.stream()
        .flatMap(variant -> variant.lifecycle().gate(VariantNames.GATE).stream())
        .filter(PreemptionGateState::isOpen)
        .map(PreemptionGateState::lastTransitionTime)
        .max(Comparator.naturalOrder());
  }
}
