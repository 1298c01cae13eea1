package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.internal.life.WorkloadTransitions;
import io.kueue4j.core.internal.lifecycle.CheckList;
import io.kueue4j.core.internal.lifecycle.LifecycleState;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.VariantStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Restores workloads with the admissions and statuses that they had before the engine existed.
 *
 * <p>Rules: Q-14, E-8, T-80, PL-2.
 */
public final class Restorations {
  private final EngineParts parts;
  private final EngineState state;
  private final WorkloadTransitions lifecycles;

  Restorations(EngineParts parts) {
    this.parts = parts;
    this.state = parts.state;
    this.lifecycles = parts.lifecycles;
  }

  /**
   * Restores a workload that was admitted.
   *
   * @param preempted why it was preempted since, empty if it was not
   */
  public Decisions restore(
      Workload workload, Admission admission, Optional<PreemptedCondition> preempted, Instant now) {
    WorkloadRecord record = newRecord(workload, ImmutableSortedMap.of(), now);
    validate(workload, admission);
    boolean isOfVariant = isOfVariant(workload, admission);
    LifecycleState admitted =
        admittedOn(admission, isOfVariant || WorkloadTransitions.isPlaced(admission));
    if (isOfVariant) {
      commitFamily(record, onFlavor(admission, admitted), now);
      preempted.ifPresent(condition -> state
          .variants()
          .running(record)
          .ifPresent(variant -> lifecycles.preempt(variant, condition, null, message(condition))));
      parts.settlement.settle(now);
    } else {
      LifecycleState lifecycle = preempted
          .map(condition -> admitted.preempted(
              condition.reason().toString(), message(condition), condition.lastTransitionTime()))
          .orElse(admitted);
      commitHolder(record, admission, lifecycle, now);
    }
    return state.announcements().takeDecisions();
  }

  private static String message(PreemptedCondition condition) {
    return AdmissionFactory.message(condition.reason());
  }

  /** Restores a workload according to its status. */
  public Decisions restore(
      Workload workload, Optional<Admission> admission, WorkloadStatus status, Instant now) {
    WorkloadRecord record = restored(workload, admission, status, now);
    state
        .variants()
        .holder(record)
        .ifPresent(holder ->
            status.unhealthyNodes().forEach(node -> parts.secondPasses.report(holder, node, now)));
    return state.announcements().takeDecisions();
  }

  /** Restores what a waiting workload was promised. */
  public Decisions restore(Promise promise, Instant now) {
    WorkloadRecord record = state.requireSubmitted(promise.workload());
    checkArgument(
        state.promises().isUsed(),
        "workload %s is promised a start, but the settings do not backfill; set Settings.backfill",
        record.id());
    Head head = record.head();
    checkArgument(
        head != null && head.queue().name().equals(promise.clusterQueue()),
        "workload %s is promised a start in ClusterQueue %s, where it does not wait",
        record.id(),
        promise.clusterQueue());
    Admission admission = Admission.builder()
        .workload(record.id())
        .clusterQueue(promise.clusterQueue())
        .quotaReservedTime(promise.start())
        .addAllPodSetAssignments(promise.podSetAssignments())
        .build();
    ReservedWorkloads.checkAssignments(record.workload(), admission);
    ReservedWorkloads.checkPromisedSlices(state, record.workload(), admission);
    parts.promiser.restore(record, admission, promise, now);
    return state.announcements().takeDecisions();
  }

  /** Restores what a LocalQueue has used. */
  public Decisions restoreUsage(String namespace, String localQueue, ConsumedUsage usage) {
    state.fairness().restore(namespace, localQueue, usage);
    return state.announcements().takeDecisions();
  }

  private WorkloadRecord restored(
      Workload workload, Optional<Admission> admission, WorkloadStatus status, Instant now) {
    WorkloadRecord record = newRecord(workload, status.reclaimablePods(), now);
    LifecycleState lifecycle = LifecycleState.of(status);
    if (!status.variants().isEmpty() && usesVariants(workload, status)) {
      status.variants().stream()
          .flatMap(variant -> variant.admission().stream())
          .forEach(held -> validate(workload, held));
      return commitFamily(record, status, now);
    }
    boolean isReserved = status.isTrue(ConditionType.QUOTA_RESERVED);
    // A deactivated workload may hold no quota while it stops.
    checkArgument(
        admission.isPresent() == isReserved || (admission.isEmpty() && lifecycle.isStopping()),
        "workload %s comes with %s, expected an admission if and only if its status says that quota"
            + " is reserved: %s",
        workload.id(),
        admission.isPresent() ? "an admission" : "no admission",
        status.conditions());
    if (admission.isEmpty()) {
      return commitWaiting(record, status, now);
    }
    validate(workload, admission.get());
    return isOfVariant(workload, admission.get())
        ? commitFamily(record, onFlavor(admission.get(), lifecycle), now)
        : commitHolder(record, admission.get(), lifecycle, now);
  }

  private WorkloadRecord commitHolder(
      WorkloadRecord record, Admission admission, LifecycleState lifecycle, Instant now) {
    reserve(record, admission, lifecycle, now);
    follow(record, now);
    parts.slices.settle(record, now);
    return record;
  }

  /**
   * Restores the state without notifying the listener of events that the status already contains.
   */
  private WorkloadRecord reserve(
      WorkloadRecord record, Admission admission, LifecycleState lifecycle, Instant now) {
    state.fairness().sampleUntil(now);
    state.reservations().reserve(record, queue(admission), admission);
    state.add(record);
    state.announcements().quietly(() -> state.books().set(record, lifecycle));
    if (lifecycle.isStopping()) {
      state.reservations().evict(record, preempted(lifecycle), null);
    }
    restorePreemptions(record);
    return record;
  }

  private void follow(WorkloadRecord record, Instant now) {
    if (!record.workload().active() && record.reservation() != null) {
      deactivate(record, now);
    } else {
      lifecycles.synchroniseChecks(record, now);
      lifecycles.followStopPolicies(record, now);
    }
  }

  /**
   * Releases the quota of a workload that was deactivated while no engine existed; one that was not
   * evicted before is evicted.
   */
  private void deactivate(WorkloadRecord record, Instant now) {
    boolean isKnown = record.isStopping();
    Optional<Eviction> eviction =
        lifecycles.deactivate(record, Optional.empty(), WorkloadOperations.DEACTIVATED, now);
    if (!isKnown) {
      eviction.ifPresent(state.announcements()::decided);
    }
  }

  private WorkloadRecord commitWaiting(WorkloadRecord record, WorkloadStatus status, Instant now) {
    state.deliverEvents(now);
    commitWaiting(record, LifecycleState.of(status), now);
    lifecycles.synchroniseChecks(record, now);
    lifecycles.reviewRequeued(record, now);
    parts.settlement.settle(now);
    parts.slices.settle(record, now);
    return record;
  }

  private WorkloadRecord commitWaiting(
      WorkloadRecord record, LifecycleState lifecycle, Instant now) {
    record.setLifecycle(lifecycle.at(now));
    record.setPreempted(preempted(lifecycle), null);
    state.pending().enqueue(record, now);
    state.add(record);
    restorePreemptions(record);
    return record;
  }

  // ----- variants

  /** {@return whether an admission is of a workload that would have been queued by variants} */
  private boolean isOfVariant(Workload workload, Admission admission) {
    return state
            .queue(admission.clusterQueue())
            .filter(queue -> state.variants().areUsed(workload, queue))
            .isPresent()
        && admission.flavors().size() == 1;
  }

  private boolean usesVariants(Workload workload, WorkloadStatus status) {
    Optional<String> holding = status.variants().stream()
        .flatMap(variant -> variant.admission().stream())
        .map(Admission::clusterQueue)
        .findFirst();
    String key = Configuration.localQueueKey(workload.namespace(), workload.queueName());
    return holding
        .or(() -> state.configuration().localQueue(key).map(LocalQueue::clusterQueue))
        .flatMap(state::queue)
        .filter(queue -> state.variants().areUsed(workload, queue))
        .isPresent();
  }

  /**
   * {@return the state of a workload that was restored without a status: all checks have passed}
   *
   * @param placed whether no pods wait for a place
   */
  private LifecycleState admittedOn(Admission admission, boolean placed) {
    Instant time = admission.quotaReservedTime();
    ClusterQueue queue = queue(admission).spec();
    return LifecycleState.NEW
        .withChecks(CheckList.NONE.allReady(CheckList.required(queue, admission), time))
        .quotaReserved(time)
        .synchroniseAdmitted(placed, time);
  }

  /**
   * {@return the status of a workload that holds quota of one flavor, without information about its
   * other variants}
   */
  private static WorkloadStatus onFlavor(Admission admission, LifecycleState lifecycle) {
    VariantStatus held = new VariantStatus(
        admission.flavors().iterator().next(), true, Optional.of(admission), lifecycle.toStatus());
    // The variant has the checks; the workload also records whether it is admitted.
    LifecycleState own =
        lifecycle.isAdmitted() ? lifecycle.withChecks(CheckList.NONE) : LifecycleState.NEW;
    return WorkloadStatus.builder()
        .from(own.toStatus())
        .addAllVariants(List.of(held))
        .build();
  }

  /** {@return the condition of a workload's preemption, null if it was not preempted} */
  private static @Nullable PreemptedCondition preempted(LifecycleState lifecycle) {
    return lifecycle
        .conditions()
        .ifTrue(ConditionType.PREEMPTED)
        .flatMap(condition -> PreemptionReason.named(condition.reason())
            .map(reason -> new PreemptedCondition(reason, condition.lastTransitionTime())))
        .orElse(null);
  }

  /** The condition has the time of the last preemption, or of the start after it. */
  private void restorePreemptions(WorkloadRecord record) {
    LifecycleState lifecycle = record.lifecycle();
    lifecycle
        .conditions()
        .get(ConditionType.PREEMPTED)
        .ifPresent(last -> state
            .preemptions()
            .restore(record.id(), Math.max(1, lifecycle.preemptions()), last.lastTransitionTime()));
  }

  /** Commits a workload with the variants in its status. */
  private WorkloadRecord commitFamily(WorkloadRecord parent, WorkloadStatus status, Instant now) {
    state.deliverEvents(now);
    parent.setLifecycle(LifecycleState.of(status));
    parent.setPreempted(preempted(parent.lifecycle()), null);
    state.add(parent);
    List<WorkloadRecord> variants = new ArrayList<>();
    for (VariantStatus each : status.variants()) {
      Workload workload =
          VariantNames.variant(parent, each.flavor(), variants.size(), each.active());
      WorkloadRecord variant =
          state.workloads().newRecord(workload, parent.compiled().reclaimablePods(), now);
      LifecycleState lifecycle = LifecycleState.of(each.status());
      variants.add(each.admission()
          .map(held -> VariantNames.of(variant.id(), held))
          .map(held -> reserve(variant, held, lifecycle, now))
          .orElseGet(() -> commitWaiting(variant, lifecycle, now)));
    }
    // Last, because the state of a variant depends on the others.
    parent.setVariants(variants.stream().map(WorkloadRecord::id).collect(toImmutableList()));
    variants.forEach(variant -> follow(variant, now));
    state.pending().enqueue(parent, now);
    lifecycles.reviewRequeued(parent, now);
    variants.forEach(variant -> lifecycles.reviewRequeued(variant, now));
    parts.settlement.settle(now);
    return parent;
  }

  /** {@return a record of a workload, which must be valid and not known} */
  private WorkloadRecord newRecord(
      Workload workload, SortedMap<String, Integer> reclaimable, Instant now) {
    checkArgument(
        state.record(workload.id()) == null, "workload %s is known already", workload.id());
    List<Violation> violations = state.violations(workload, reclaimable);
    checkArgument(violations.isEmpty(), "%s", Joiner.on('\n').join(violations));
    return state.workloads().newRecord(workload, reclaimable, now);
  }

  /** Throws if an admission does not belong to a workload. */
  private void validate(Workload workload, Admission admission) {
    checkArgument(
        admission.workload().equals(workload.id()),
        "the admission is of workload %s, expected %s",
        admission.workload(),
        workload.id());
    ReservedWorkloads.checkAssignments(workload, admission);
    ReservedWorkloads.checkSlices(state, workload, admission);
    checkArgument(
        state.queue(admission.clusterQueue()).isPresent(),
        "workload %s was admitted by ClusterQueue %s, which does not exist; apply it first",
        workload.id(),
        admission.clusterQueue());
  }

  private QueueState queue(Admission admission) {
    return state.queue(admission.clusterQueue()).orElseThrow();
  }
}
