package io.kueue4j.core;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.internal.attempt.PromisedStart;
import io.kueue4j.core.internal.operation.LockedEngine;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of an engine that report events of workloads other than submission and finish:
 * admission checks, readiness and end of pods, failed nodes, eviction, requeueing, and restarts of
 * the caller. From {@link AdmissionEngine#lifecycle()}; thread-safe.
 *
 * <pre>{@code
 * Decisions decisions = engine.lifecycle()
 *     .setCheck(id, AdmissionCheckState.of("budget", CheckState.READY));
 * decisions.admitted().forEach(this::start);
 * }</pre>
 *
 * <p>An evicted workload holds its quota until {@link AdmissionEngine#podsStopped}. Then it waits
 * as its {@link EvictionReason} says, and is tried again.
 *
 * <p>Rules: L-1, L-7, L-11, L-12, L-15, L-25, T-79.
 *
 * @since 0.1.0
 */
public final class WorkloadLifecycle {
  private final LockedEngine core;

  WorkloadLifecycle(LockedEngine core) {
    this.core = core;
  }

  /**
   * Reports the state of an admission check of a workload. When all checks are ready, the workload
   * is admitted, or the next cycle places its pods if placement was delayed. {@code RETRY} evicts
   * the workload and makes it wait, {@code REJECTED} deactivates it (rule L-7).
   *
   * <p>A check that does not apply to the workload is ignored. Times and counts in {@code check}
   * are ignored, too; the engine keeps its own.
   *
   * @param workload the workload
   * @param check the state
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setCheck(WorkloadId workload, AdmissionCheckState check) {
    requireNonNull(workload, "setCheck: workload is null");
    requireNonNull(check, "setCheck: check is null");
    return core.call(held -> held.workloads().setCheck(workload, check, held.now()));
  }

  /**
   * Reports the state of an admission check of the variant of a workload for one flavor (rule
   * CA-6). {@link #setCheck(WorkloadId, AdmissionCheckState)} reports it for all variants.
   *
   * @param workload the workload
   * @param flavor the flavor; nothing happens if the workload has no variant for it
   * @param check the state
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setCheck(WorkloadId workload, String flavor, AdmissionCheckState check) {
    requireNonNull(workload, "setCheck: workload is null");
    requireNonNull(flavor, "setCheck: flavor is null");
    requireNonNull(check, "setCheck: check is null");
    return core.call(held -> held.workloads().setCheck(workload, flavor, check, held.now()));
  }

  /**
   * Opens or closes a preemption gate of a workload. The workload preempts others only while all of
   * its gates are open. A gate is closed at first, and again after every eviction (rule L-25). The
   * engine itself opens the gates of variants (rule CA-5).
   *
   * @param workload the workload
   * @param gate one of {@link Workload#preemptionGates()}
   * @param open whether the gate is open
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id, or it has no such gate
   */
  @CanIgnoreReturnValue
  public Decisions setPreemptionGate(WorkloadId workload, String gate, boolean open) {
    requireNonNull(workload, "setPreemptionGate: workload is null");
    requireNonNull(gate, "setPreemptionGate: gate is null");
    return core.call(held -> held.workloads().setPreemptionGate(workload, gate, open, held.now()));
  }

  /**
   * Reports whether all pods of a workload are ready or have succeeded. A caller that never reports
   * it must not set {@link io.kueue4j.core.decision.Settings#podsReady}, since workloads are
   * evicted after its timeout.
   *
   * @param workload the workload
   * @param ready whether all pods are ready
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setPodsReady(WorkloadId workload, boolean ready) {
    requireNonNull(workload, "setPodsReady: workload is null");
    return core.call(held -> held.workloads().setPodsReady(workload, ready, held.now()));
  }

  /**
   * Reports how many pods of a workload have ended and will not run again. A workload that holds
   * quota gives back what these pods need. The numbers cannot fall then, except in the pod sets of
   * an elastic workload that was scaled down (rules M-30, L-24).
   *
   * <p>Kueue: {@code Workload.status.reclaimablePods}.
   *
   * @param workload the workload
   * @param pods the number of pods by pod set; no pods have ended of a pod set that is left out
   * @return the decisions that follow, with the result: the current one of the workload, or
   *     rejected with the rules that the numbers break
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setReclaimablePods(WorkloadId workload, Map<String, Integer> pods) {
    requireNonNull(workload, "setReclaimablePods: workload is null");
    requireNonNull(pods, "setReclaimablePods: pods is null");
    ImmutableSortedMap<String, Integer> reclaimable = ImmutableSortedMap.copyOf(pods);
    return core.call(
        held -> held.workloads().setReclaimablePods(workload, reclaimable, held.now()));
  }

  /**
   * Reports that a node on which pods of a running workload are placed can no longer be used. The
   * next cycle places those pods elsewhere ({@link Decisions#replaced}), or evicts the workload if
   * they fit nowhere. If another node fails before that, or if the node belongs to a TPU slice, the
   * workload is evicted at once. Does nothing unless the workload was placed on individual hosts,
   * including this one.
   *
   * <p>The caller decides when a node has failed.
   *
   * @param workload the workload
   * @param node the host name of the node in the topology
   * @return the decisions that follow: the eviction, if the workload has to stop
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions nodeFailed(WorkloadId workload, String node) {
    requireNonNull(workload, "nodeFailed: workload is null");
    requireNonNull(node, "nodeFailed: node is null");
    return core.call(held -> held.workloads().nodeFailed(workload, node, held.now()));
  }

  /**
   * Withdraws a report of {@link #nodeFailed}: the node is usable again. Does nothing unless the
   * node is one of {@link WorkloadStatus#unhealthyNodes()}: the pods may have other places already.
   *
   * @param workload the workload
   * @param node the host name
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions nodeRecovered(WorkloadId workload, String node) {
    requireNonNull(workload, "nodeRecovered: workload is null");
    requireNonNull(node, "nodeRecovered: node is null");
    return core.call(held -> held.workloads().nodeRecovered(workload, node, held.now()));
  }

  /**
   * Reports that the caller has stored an admission, as Kueue does when it writes the status of the
   * workload. Optional; afterwards, waiting workloads of that ClusterQueue start again from their
   * first flavor. Call it after each admission to get exactly Kueue's decisions.
   *
   * <p>Does nothing unless the workload holds quota.
   *
   * @return the decisions that follow
   */
  @CanIgnoreReturnValue
  public Decisions admissionRecorded(WorkloadId workload) {
    requireNonNull(workload, "admissionRecorded: workload is null");
    return core.call(held -> held.workloads().recorded(workload, held.now()));
  }

  /**
   * Deactivates or activates a workload. A deactivated workload is in no queue; if it holds quota,
   * that is free at once, unless {@link io.kueue4j.core.decision.Settings#holdsQuotaUntilStopped}
   * says otherwise, and the workload is evicted. An activated one is queued again as soon as its
   * pods have stopped. {@link AdmissionEngine#update} with another {@link Workload#active()} has
   * the same effect.
   *
   * @param workload the workload
   * @param active whether it is active
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setActive(WorkloadId workload, boolean active) {
    requireNonNull(workload, "setActive: workload is null");
    return core.call(held -> held.workloads().setActive(workload, active, held.now()));
  }

  /**
   * Evicts a workload. Nothing happens if it holds no quota or was evicted before.
   *
   * @param workload the workload
   * @param reason why; preemption and deactivation have calls of their own
   * @param message the reason as a sentence
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id, or if the reason is one
   *     that other calls are for
   */
  @CanIgnoreReturnValue
  public Decisions evict(WorkloadId workload, EvictionReason reason, String message) {
    requireNonNull(workload, "evict: workload is null");
    requireNonNull(reason, "evict: reason is null");
    requireNonNull(message, "evict: message is null");
    return core.call(held -> held.workloads().evict(workload, reason, message, held.now()));
  }

  /**
   * Ends the wait of an evicted workload, so that it is tried again: its backoff, or its wait for
   * the event that its {@link EvictionReason} names. Nothing happens if it does not wait.
   *
   * @param workload the workload
   * @param reason why, as one word for the condition {@code Requeued}
   * @param message the reason as a sentence
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions requeue(WorkloadId workload, String reason, String message) {
    requireNonNull(workload, "requeue: workload is null");
    requireNonNull(reason, "requeue: reason is null");
    requireNonNull(message, "requeue: message is null");
    return core.call(held -> held.workloads().requeue(workload, reason, message, held.now()));
  }

  /**
   * Keeps a workload out of the queues, or lets it be queued again. Quota that it holds without
   * being admitted is released. Nothing happens to a workload that is admitted or was evicted (rule
   * L-11).
   *
   * @param workload the workload
   * @param onHold whether it is kept out of the queues
   * @return the decisions that follow
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setOnHold(WorkloadId workload, boolean onHold) {
    requireNonNull(workload, "setOnHold: workload is null");
    return core.call(held -> held.workloads().setOnHold(workload, onHold, held.now()));
  }

  /**
   * {@return the status of a workload: its conditions, checks, and counts}
   *
   * <p>Store it together with {@link AdmissionEngine#admission} to be able to call
   * {@link #restore(Workload, Optional, WorkloadStatus)} after a restart.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  public WorkloadStatus status(WorkloadId workload) {
    requireNonNull(workload, "status: workload is null");
    return core.call(held -> held.workloads().status(workload, held.now()));
  }

  /**
   * {@return the number of workloads that may not run, by queue and reason}
   *
   * <p>Takes time in proportion to the number of all workloads.
   */
  public Map<Unadmitted, Integer> unadmitted() {
    return core.call(held -> held.workloads().unadmitted(held.now()));
  }

  /**
   * {@return why a workload was preempted; empty unless it was preempted and still holds its quota}
   *
   * <p>Store it together with {@link AdmissionEngine#admission} to be able to call
   * {@link #restore(Workload, Admission, PreemptedCondition)} after a restart.
   */
  public Optional<PreemptedCondition> preempted(WorkloadId workload) {
    requireNonNull(workload, "preempted: workload is null");
    return core.call(held -> held.workloads().preempted(workload));
  }

  /**
   * Restores a workload that was admitted before this engine existed, for example after a restart.
   * It may exceed quotas, since it is running.
   *
   * @param workload the workload, not known yet
   * @param admission its admission; the admission checks that apply to it count as passed
   * @return the decisions that follow, such as an eviction if its queue is drained
   * @throws IllegalArgumentException if the workload is known or invalid, or if the admission is of
   *     another workload, names a ClusterQueue that does not exist, or does not match the pod sets
   */
  @CanIgnoreReturnValue
  public Decisions restore(Workload workload, Admission admission) {
    requireNonNull(workload, "restore: workload is null");
    requireNonNull(admission, "restore: admission is null");
    return core.call(
        held -> held.restorations().restore(workload, admission, Optional.empty(), held.now()));
  }

  /**
   * Restores a workload that was preempted before this engine existed and has not been reported as
   * stopped. It holds its quota until {@link AdmissionEngine#podsStopped}, and is the first
   * candidate for preemption, as in the engine that preempted it.
   *
   * @param workload the workload, not known yet
   * @param admission its admission
   * @param preempted why it was preempted, from {@link #preempted}
   * @return the decisions that follow
   * @throws IllegalArgumentException if the workload is known or invalid, or if the admission is of
   *     another workload, names a ClusterQueue that does not exist, or does not match the pod sets
   */
  @CanIgnoreReturnValue
  public Decisions restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    requireNonNull(workload, "restore: workload is null");
    requireNonNull(admission, "restore: admission is null");
    requireNonNull(preempted, "restore: preempted is null");
    return core.call(held ->
        held.restorations().restore(workload, admission, Optional.of(preempted), held.now()));
  }

  /**
   * Restores a workload with its status from before this engine existed, for example after a
   * restart. It may exceed quotas, since it may be running.
   *
   * @param workload the workload, not known yet
   * @param admission its admission, absent if it holds no quota
   * @param status its status; with an admission, the condition {@code QuotaReserved} in it is true
   * @return the decisions that follow
   * @throws IllegalArgumentException if the workload is known or invalid, if the status and the
   *     admission contradict each other, or if the admission is of another workload, names a
   *     ClusterQueue that does not exist, or does not match the pod sets
   */
  @CanIgnoreReturnValue
  public Decisions restore(
      Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    requireNonNull(workload, "restore: workload is null");
    requireNonNull(admission, "restore: admission is null");
    requireNonNull(status, "restore: status is null");
    return core.call(held -> held.restorations().restore(workload, admission, status, held.now()));
  }

  /**
   * {@return the start that a workload is promised, empty if it is promised none}
   *
   * <p>Store it to be able to call {@link #restore(Promise)} after a restart.
   */
  public Optional<Promise> promise(WorkloadId workload) {
    requireNonNull(workload, "promise: workload is null");
    return core.call(held ->
        Optional.ofNullable(held.state().promises().of(workload)).map(PromisedStart::toPromise));
  }

  /**
   * Restores what a waiting workload was promised before a restart, after the workload itself was
   * submitted or restored. The next cycle moves it if it cannot be kept.
   *
   * @param promise what {@link #promise} returned before
   * @return the decisions that follow
   * @throws IllegalArgumentException if the workload does not wait in the ClusterQueue of the
   *     promise, the assignments are not of its pod sets, or
   *     {@link io.kueue4j.core.decision.Settings#backfill} is absent
   */
  @CanIgnoreReturnValue
  public Decisions restore(Promise promise) {
    requireNonNull(promise, "restore: promise is null");
    return core.call(held -> held.restorations().restore(promise, held.now()));
  }
}
