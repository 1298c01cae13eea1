package io.kueue4j.core;

import com.google.common.collect.ImmutableMultiset;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Unadmitted;
import io.kueue4j.core.internal.operation.EngineCore;
import io.kueue4j.core.internal.support.Locked;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Optional;

/**
 * The calls of an engine that tell it what happens to workloads between their first admission and
 * their last: admission checks, pods that run or do not, being stopped, and coming back.
 *
 * <pre>{@code
 * Decisions decisions = engine.lifecycle()
 *     .setCheck(id, AdmissionCheckState.of("budget", CheckState.READY));
 * decisions.admitted().forEach(this::start);
 * }</pre>
 *
 * <p>Every call returns what follows from it, and all earlier decisions that no call has returned
 * yet, for example those that followed from a change of the configuration.
 *
 * <p>What is told to stop holds its quota until {@link AdmissionEngine#podsStopped}; then it waits
 * for what its {@link EvictionReason} says, and is tried again.
 *
 * <p>Of an engine or of a study ({@link EngineView#whatIf}); safe for several threads.
 *
 * <p>Rules: L-1, L-7, L-11, L-12, L-15, L-25.
 */
public final class WorkloadLifecycle {
  private final Locked<EngineCore> core;

  WorkloadLifecycle(Locked<EngineCore> core) {
    this.core = core;
  }

  /**
   * Tells where an admission check of a workload stands. When all are ready the workload is
   * admitted, or its pods are placed by the next cycle if that had to wait. One that is to be tried
   * again makes it stop and wait; one that is rejected deactivates it (rule L-7).
   *
   * <p>A check that is not asked of the workload (any more) is not looked at; times and counts are
   * the engine's own.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setCheck(WorkloadId workload, AdmissionCheckState check) {
    return core.call(held -> held.lifecycle().setCheck(workload, check, held.now()));
  }

  /**
   * Tells where an admission check stands of the attempt of a workload to be admitted on one
   * flavor, as the other method does for all of them (rule CA-6).
   *
   * @param flavor the flavor; if the workload does not try it, nothing happens
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setCheck(WorkloadId workload, String flavor, AdmissionCheckState check) {
    return core.call(held -> held.lifecycle().setCheck(workload, flavor, check, held.now()));
  }

  /**
   * Lets a workload preempt others as far as one of its preemption gates is concerned, or does not;
   * a gate is closed at first, and again after every eviction (rule L-25).
   *
   * <p>The gates that the engine gives to the variants of a workload (rule CA-5) it opens itself.
   *
   * @param gate one of {@link Workload#preemptionGates()}
   * @throws IllegalArgumentException if there is no workload of that id, or no such gate of it
   */
  @CanIgnoreReturnValue
  public Decisions setPreemptionGate(WorkloadId workload, String gate, boolean open) {
    return core.call(held -> held.lifecycle().setPreemptionGate(workload, gate, open, held.now()));
  }

  /**
   * Tells whether all pods of a workload run or have succeeded. Who never calls it must not set
   * {@link io.kueue4j.core.decision.Settings#podsReady}.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setPodsReady(WorkloadId workload, boolean ready) {
    return core.call(held -> held.lifecycle().setPodsReady(workload, ready, held.now()));
  }

  /**
   * Puts a workload out of action or back into it. Out of action it is in no queue; if it holds
   * quota that is free at once, and it has to stop. Back in action it is queued again, as soon as
   * it has stopped.
   *
   * <p>The same as {@link AdmissionEngine#update} with another {@link Workload#active()}.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setActive(WorkloadId workload, boolean active) {
    return core.call(held -> held.lifecycle().setActive(workload, active, held.now()));
  }

  /**
   * Tells a workload to stop; nothing happens if it holds no quota, or was told before.
   *
   * @param workload the workload
   * @param reason why; what is preempted or deactivated is so by other calls
   * @param message the same for people
   * @throws IllegalArgumentException if there is no workload of that id, or if the reason is one
   *     that other calls are for
   */
  @CanIgnoreReturnValue
  public Decisions evict(WorkloadId workload, EvictionReason reason, String message) {
    return core.call(held -> held.lifecycle().evict(workload, reason, message, held.now()));
  }

  /**
   * Lets a workload be tried again that was told to stop and waits for something, or for its time;
   * nothing happens if it does not.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions requeue(WorkloadId workload, String reason, String message) {
    return core.call(held -> held.lifecycle().requeue(workload, reason, message, held.now()));
  }

  /**
   * Keeps a workload from being queued, or lets it be queued again. Quota that it holds without
   * being admitted it gives back; nothing happens to one that is admitted, or was told to stop
   * (rule L-11).
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  @CanIgnoreReturnValue
  public Decisions setOnHold(WorkloadId workload, boolean onHold) {
    return core.call(held -> held.lifecycle().setOnHold(workload, onHold, held.now()));
  }

  /**
   * {@return what has happened to a workload so far}
   *
   * <p>Together with {@link AdmissionEngine#admission} it is what {@link #restore} needs after a
   * restart.
   *
   * @throws IllegalArgumentException if there is no workload of that id
   */
  public WorkloadStatus status(WorkloadId workload) {
    return core.call(held -> held.lifecycle().status(workload, held.now()));
  }

  /**
   * {@return how many workloads may not run, by where they belong and why}
   *
   * <p>Looks at every workload, but puts nothing into words.
   */
  public ImmutableMultiset<Unadmitted> unadmitted() {
    return core.call(held -> held.lifecycle().unadmitted(held.now()));
  }

  /**
   * Takes a workload in to which something had happened before this engine existed, and goes on
   * from there. Quotas may be exceeded by it: what runs, runs.
   *
   * @param workload the workload, not known yet
   * @param admission what it holds quota for, absent if it holds none
   * @param status what had happened to it; for one with an admission, that quota is reserved is
   *     true
   * @throws IllegalArgumentException if the workload is known or invalid, if the status and the
   *     admission contradict each other, or as for {@link AdmissionEngine#restore(Workload,
   *     Admission)}
   */
  @CanIgnoreReturnValue
  public Decisions restore(
      Workload workload, Optional<Admission> admission, WorkloadStatus status) {
    return core.call(held -> held.lifecycle().restore(workload, admission, status, held.now()));
  }
}
