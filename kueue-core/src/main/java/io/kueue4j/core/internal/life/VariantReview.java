package io.kueue4j.core.internal.life;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.lifecycle.CheckList;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.Variants;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus.PreemptionGateState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings the variants of one workload, and the workload itself, into a consistent state after one
 * of them or their queue has changed. Idempotent.
 *
 * <p>Rules: L-11, L-16, CA-2, CA-3, CA-4, CA-5, CA-6.
 */
final class VariantReview {
  /** The time between two openings of preemption gates. */
  private static final Duration BETWEEN_OPENINGS = Duration.ofMinutes(5);

  private final EngineState state;
  private final WorkloadTransitions lifecycles;
  private final WorkloadRecord parent;
  private final Instant now;

  /** The queue of the workload, null if it currently has none. */
  private final @Nullable QueueState queue;

  private final List<String> flavors;

  VariantReview(
      EngineState state, WorkloadTransitions lifecycles, WorkloadRecord parent, Instant now) {
    this.state = state;
    this.lifecycles = lifecycles;
    this.parent = parent;
    this.now = now;
    this.queue = state
        .variants()
        .holder(parent)
        .map(WorkloadRecord::requireQueue)
        .or(() -> state.pending().target(parent))
        .orElse(null);
    this.flavors = queue == null ? ImmutableList.of() : queue.spec().flavors();
  }

  void run() {
    if (queue != null && parent.reservation() == null) {
      if (!state.variants().areUsed(parent.workload(), queue)) {
        dissolve();
        return;
      }
      followFlavors(queue);
    }
    if (!parent.hasVariants()) {
      return;
    }
    followContent();
    followHold();
    stopIdle();
    startReady();
    recordStop();
    activate();
    recordStart();
    bringBack();
    followBackoff();
    openGate();
  }

  private List<WorkloadRecord> variants() {
    return state.variants().of(parent);
  }

  private @Nullable WorkloadRecord running() {
    return state.variants().running(parent).orElse(null);
  }

  private static String flavor(WorkloadRecord variant) {
    return VariantNames.flavor(variant.id());
  }

  /** {@return the number of better flavors; a flavor that the queue no longer has comes last} */
  private int rank(WorkloadRecord variant) {
    int index = flavors.indexOf(flavor(variant));
    return index < 0 ? flavors.size() : index;
  }

  // ----- creation and removal

  private void dissolve() {
    if (parent.hasVariants()) {
      variants().forEach(variant -> state.forget(variant, WorkloadRemoved.Reason.DELETED, now));
      parent.setVariants(ImmutableList.of());
    }
  }

  private void followFlavors(QueueState of) {
    List<WorkloadId> wanted = new ArrayList<>();
    for (String flavor : flavors) {
      wanted.add(VariantNames.variant(parent.id(), flavor));
    }
    for (WorkloadRecord variant : variants()) {
      boolean isStale = !flavors.contains(flavor(variant));
      if (isStale && variant.lifecycle().isAdmitted()) {
        leave(variant, of);
        wanted.add(variant.id());
      } else if (isStale) {
        state.forget(variant, WorkloadRemoved.Reason.DELETED, now);
      }
    }
    for (int i = 0; i < flavors.size(); i++) {
      if (!parent.variants().contains(wanted.get(i))) {
        add(VariantNames.variant(parent, flavors.get(i), i, parent.workload().active()));
      }
    }
    if (!wanted.equals(parent.variants())) {
      parent.setVariants(ImmutableList.copyOf(wanted));
    }
    if (!parent.lifecycle().checks().equals(CheckList.NONE)) {
      lifecycles.synchroniseChecks(parent, now);
    }
  }

  private void add(Workload workload) {
    WorkloadRecord variant =
        state.workloads().newRecord(workload, parent.compiled().reclaimablePods(), now);
    state.pending().enqueue(variant, now);
    state.add(variant);
    lifecycles.synchroniseChecks(variant, now);
  }

  /** Evicts a variant whose flavor the queue no longer has. */
  private void leave(WorkloadRecord variant, QueueState of) {
    if (!variant.isStopping()) {
      lifecycles.evict(
          variant,
          EvictionReason.FLAVOR_MIGRATION,
          "ClusterQueue " + of.name() + " has no flavor " + flavor(variant) + " any more",
          now);
    }
  }

  // ----- from the workload to its variants

  private void followContent() {
    for (WorkloadRecord variant : variants()) {
      Workload wanted = VariantNames.variant(
          parent, flavor(variant), rank(variant), variant.workload().active());
      CompiledWorkload expected = state.workloads().compile(wanted, parent);
      if (queue != null && !expected.hasContentOf(variant.compiled())) {
        state.change(variant, expected, now);
        lifecycles.synchroniseChecks(variant, now);
      }
    }
  }

  private void followHold() {
    for (WorkloadRecord variant : variants()) {
      lifecycles.hold(variant, parent.lifecycle().isOnHold(), now);
    }
  }

  /** Applies the backoff of the workload to all variants that could be tried. */
  private void followBackoff() {
    LifecycleState waits = parent.lifecycle();
    if (waits.isStopping() || !waits.backoffEnd().isAfter(now)) {
      return;
    }
    for (WorkloadRecord variant : variants()) {
      LifecycleState known = variant.lifecycle();
      if (variant.reservation() == null
          && !known.isStopping()
          && known.backoffEnd().isBefore(waits.backoffEnd())) {
        // In its queue, an active variant would stay active (U-19).
        state.pending().unqueue(variant);
        lifecycles.requeue(variant, known.waitingAs(waits), now);
      }
    }
  }

  // ----- from a variant to the workload

  /** Reports evicted variants on which the workload does not run as stopped. */
  private void stopIdle() {
    variants().forEach(this::stopIfIdle);
  }

  private void stopIfIdle(WorkloadRecord variant) {
    if (variant.isStopping() && !Variants.runs(variant, parent)) {
      lifecycles.stopped(variant, now);
    }
  }

  /** Starts variants that have passed their checks, one after another. */
  private void startReady() {
    WorkloadRecord running = running();
    for (WorkloadRecord variant : variants()) {
      boolean isReady = variant.reservation() != null
          && !variant.lifecycle().isAdmitted()
          && !variant.isStopping()
          && variant.lifecycle().checks().isReady();
      if (!isReady) {
        continue;
      }
      if (running == null) {
        lifecycles.review(variant, variant.lifecycle(), now);
        running = running();
      } else if (rank(variant) < rank(running) && !running.isStopping()) {
        lifecycles.migrate(running, variant, now);
      }
    }
  }

  private void recordStop() {
    WorkloadRecord running = running();
    LifecycleState known = parent.lifecycle();
    if (!known.isAdmitted() || known.isStopping()) {
      return;
    }
    if (running == null) {
      state.books().set(parent, known.withdrawn("PendingEvaluation", "No variant runs", now));
      state.announcements().decided(new Decision.Suspension(parent.id()));
    } else if (running.isStopping()) {
      recordStop(running, known.at(now));
    }
  }

  private void recordStop(WorkloadRecord running, LifecycleState known) {
    EvictionReason variantReason = running.lifecycle().evictionReason().orElseThrow();
    String message = running
        .lifecycle()
        .conditions()
        .get(ConditionType.EVICTED)
        .map(WorkloadCondition::message)
        .orElse("");
    if (variantReason == EvictionReason.PREEMPTED) {
      // The preemption has recorded this decision already.
      String why = running.preempted().map(by -> by.reason().toString()).orElse("");
      parent.setPreempted(
          running.preempted().orElse(null), running.preemptedBy().orElse(null));
      state.books().set(parent, known.preempted(why, message, now));
      return;
    }
    // A variant that a check has rejected is deactivated, but its workload is not.
    EvictionReason reason = variantReason == EvictionReason.DEACTIVATED
        ? EvictionReason.ADMISSION_CHECK
        : variantReason;
    lifecycles.evict(parent, reason, message, now);
  }

  private void recordStart() {
    WorkloadRecord running = running();
    LifecycleState known = parent.lifecycle();
    if (running == null || running.isStopping() || known.isAdmitted()) {
      return;
    }
    parent.clearPreempted();
    state.books().set(parent, known.at(now).quotaReserved(now).synchroniseAdmitted(true, now));
    running
        .admission()
        .map(VariantNames::submitted)
        .map(AdmissionResult.Admitted::new)
        .ifPresent(state.announcements()::decided);
  }

  // ----- variants to try

  private void activate() {
    WorkloadRecord running = running();
    for (WorkloadRecord variant : variants()) {
      boolean wanted = parent.workload().active() && isWanted(variant, running);
      if (wanted && !variant.workload().active()) {
        Workload active =
            Workload.builder().from(variant.workload()).active(true).build();
        state.change(variant, active, now);
        lifecycles.synchroniseChecks(variant, now);
        lifecycles.reviewRequeued(variant, now);
      } else if (!wanted && variant.workload().active()) {
        lifecycles.deactivate(variant, Optional.empty(), why(running), now);
        stopIfIdle(variant);
      }
    }
  }

  private boolean isWanted(WorkloadRecord variant, @Nullable WorkloadRecord running) {
    if (running == null || running.equals(variant)) {
      return true;
    }
    Optional<ConcurrentAdmissionPolicy> policy =
        Optional.ofNullable(queue).flatMap(known -> known.spec().concurrentAdmissionPolicy());
    return policy
        .filter(known -> known.mode() == ConcurrentAdmissionPolicy.Mode.TRY_PREFERRED_FLAVORS)
        .filter(known -> rank(variant) < rank(running))
        .filter(known -> known
            .lastAcceptableFlavor()
            .filter(last -> flavors.indexOf(last) < rank(variant))
            .isEmpty())
        .isPresent();
  }

  private String why(@Nullable WorkloadRecord running) {
    return running == null || !parent.workload().active()
        ? "The workload is not active"
        : "The workload runs on flavor " + flavor(running);
  }

  // ----- requeueing

  /** Requeues a variant that stopped for a better one, in case that one is not admitted. */
  private void bringBack() {
    bringBack(parent);
    variants().forEach(this::bringBack);
  }

  private void bringBack(WorkloadRecord record) {
    LifecycleState known = record.lifecycle();
    if (!known.isStopping()
        && known.awaitedReason().equals(Optional.of(EvictionReason.FLAVOR_MIGRATION))) {
      lifecycles.requeue(
          record,
          known.requeued(true, "VariantStopped", "The workload may be tried on all flavors", now),
          now);
    }
  }

  // ----- preemption gates

  /**
   * Opens the preemption gates of the variants one after another: first the gate of the best
   * variant that could preempt, and after some time the gate of the next one.
   */
  private void openGate() {
    List<WorkloadRecord> waiting =
        variants().stream().filter(state.pending()::isQueueable).toList();
    WorkloadRecord next = nextGated(waiting);
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

  private @Nullable WorkloadRecord nextGated(List<WorkloadRecord> waiting) {
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
            .filter(condition -> !state.settings().includes(KueueFix.GATES_AFTER_BETTER_VARIANTS)
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
