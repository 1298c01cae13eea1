package io.kueue4j.core.testkit.reference;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.testkit.CycleDecisions;
import io.kueue4j.core.testkit.EngineUnderTest;
import io.kueue4j.core.testkit.Observation;
import io.kueue4j.core.testkit.WorkloadDecision;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * A naive engine to compare others with: implements the rules as they are worded, without regard to
 * speed. It makes the same decisions as {@link io.kueue4j.core.AdmissionEngine} and shares none of
 * the code of its decisions.
 *
 * <pre>{@code
 * EngineUnderTest.Factory expected = ReferenceEngine::new;
 * }</pre>
 *
 * <p>Suitable for a handful of queues and some dozen workloads; not thread-safe.
 *
 * <p>Rules: U-8, U-9, U-17, U-18, S-1, S-3, S-20, S-21, S-22, S-24, L-3, L-9, L-10, L-13, L-14a,
 * L-23, L-24, L-25, M-29.
 */
public final class ReferenceEngine implements EngineUnderTest {
  private final State state;
  private final Turns turns;
  private final InstantSource clock;

  /**
   * Creates an engine without configuration.
   *
   * @param settings its settings
   * @param clock where it reads the time
   */
  public ReferenceEngine(Settings settings, InstantSource clock) {
    this.state = new State(new Specs(settings));
    this.turns = new Turns(state);
    this.clock = clock;
  }

  // ----- configuration

  @Override
  public void apply(List<ConfigObject> objects) {
    SpecsCheck.check(state.specs, objects);
    new SpecsChange(state, clock.instant()).apply(objects);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if it is of a kind that the model does not know
   */
  @Override
  public boolean remove(Class<? extends ConfigObject> kind, String name) {
    if (kind == ClusterQueue.class) {
      return removeClusterQueue(name);
    } else if (kind == Cohort.class) {
      return removeCohort(name);
    } else if (kind == ResourceFlavor.class) {
      return removeResourceFlavor(name);
    }
    SpecsChange change = new SpecsChange(state, clock.instant());
    if (kind == LocalQueue.class) {
      int slash = name.indexOf('/');
      return change.removeLocalQueue(name.substring(0, slash), name.substring(slash + 1));
    } else if (kind == Topology.class) {
      return change.removeTopology(name);
    } else if (kind == io.kueue4j.core.model.Node.class) {
      return change.removeNode(name);
    } else if (kind == Namespace.class) {
      return change.removeNamespace(name);
    } else if (kind == WorkloadPriorityClass.class) {
      return change.removePriorityClass(name);
    } else if (kind == AdmissionCheck.class) {
      return change.removeCheck(name);
    }
    throw new IllegalArgumentException(kind + " is not a kind that the model knows");
  }

  private boolean removeClusterQueue(String name) {
    if (!state.specs.hasQueue(name)) {
      return false;
    }
    checkState(
        state.holders(name).isEmpty(),
        "workloads hold quota of ClusterQueue %s; finish them first",
        name);
    new SpecsChange(state, clock.instant()).removeQueue(name);
    return true;
  }

  private boolean removeCohort(String name) {
    if (state.specs.cohort(name).isEmpty()) {
      return false;
    }
    new SpecsChange(state, clock.instant()).removeCohort(name);
    return true;
  }

  /** M-4. */
  private boolean removeResourceFlavor(String name) {
    checkState(
        state.specs.queuesWithFlavor(name).isEmpty(),
        "ClusterQueues name ResourceFlavor %s; change them first",
        name);
    return new SpecsChange(state, clock.instant()).removeFlavor(name);
  }

  // ----- workloads

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if it is known with other content
   */
  @Override
  public boolean submit(Workload workload) {
    Instant now = clock.instant();
    state.deliverEvents(now);
    Optional<Job> known = state.job(workload.id());
    if (known.isPresent()) {
      checkSame(known.get(), workload);
      return true;
    }
    if (!Validation.isValid(state.specs, workload)) {
      return false;
    }
    return queue(new Job(state.specs, workload, now), now);
  }

  private boolean queue(Job job, Instant now) {
    state.add(job);
    state.place(job, now);
    new Lives(state, now).followChecks(job);
    return settle(job);
  }

  /**
   * E-8.
   *
   * @return whether the elastic slice continues
   */
  private boolean settle(Job job) {
    Slices.settle(state, job);
    return state.job(job.id()).isPresent();
  }

  private static void checkSame(Job known, Workload workload) {
    checkArgument(
        known.workload().equals(workload),
        "workload %s is known with other content; update it",
        workload.id());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if it is unknown
   */
  @Override
  public boolean update(Workload workload) {
    Instant now = clock.instant();
    state.deliverEvents(now);
    Job job = known(workload.id());
    Workload old = job.workload();
    boolean holdsQuota = job.admission().isPresent();
    if (!Validation.isValid(state.specs, workload)
        || !Validation.mayReclaim(workload, job.reclaimable())
        || (holdsQuota && !mayChange(job, workload))) {
      return false;
    }
    if (old.equals(workload)) {
      return true;
    }
    long priority = job.priority();
    state.change(job, workload, now);
    boolean isEvent = !old.podSets().equals(workload.podSets())
        || !old.priorityClass().equals(workload.priorityClass())
        || priority != job.priority();
    if (holdsQuota && isEvent) {
      state.noteEventOf(job);
    }
    Lives lives = new Lives(state, now);
    if (old.active() && !workload.active()) {
      lives.deactivate(job);
    }
    if (!holdsQuota) {
      lives.followChecks(job);
      lives.reviewWait(job);
    }
    return holdsQuota || settle(job);
  }

  @Override
  public boolean setReclaimablePods(WorkloadId workload, SortedMap<String, Integer> pods) {
    Instant now = clock.instant();
    state.deliverEvents(now);
    Job job = known(workload);
    if (!Validation.mayReclaim(job.workload(), pods)
        || job.admission()
            .filter(held -> !Validation.mayReclaim(job, held, pods))
            .isPresent()) {
      return false;
    }
    if (job.reclaimable().equals(pods)) {
      return true;
    }
    job.setReclaimable(pods);
    state.change(job, job.workload(), now);
    if (job.admission().isPresent()) {
      state.noteEventOf(job);
      return true;
    }
    Lives lives = new Lives(state, now);
    lives.followChecks(job);
    lives.reviewWait(job);
    return settle(job);
  }

  private static boolean mayChange(Job job, Workload changed) {
    return Validation.mayChange(job.workload(), changed, job.isSlice(), job.isAdmitted());
  }

  private Job known(WorkloadId workload) {
    return state
        .job(workload)
        .orElseThrow(() -> new IllegalArgumentException(
            "workload " + workload + " is not known; submit it first"));
  }

  @Override
  public boolean finish(WorkloadId workload) {
    state.sampleUsage(clock.instant());
    Optional<Job> job = state.job(workload);
    job.ifPresent(state::forget);
    return job.isPresent();
  }

  @Override
  public boolean delete(WorkloadId workload) {
    return finish(workload);
  }

  @Override
  public boolean release(WorkloadId workload) {
    return holdsQuota(workload) && finish(workload);
  }

  private boolean holdsQuota(WorkloadId workload) {
    return state.job(workload).flatMap(Job::admission).isPresent();
  }

  @Override
  public boolean podsStopped(WorkloadId workload) {
    state.sampleUsage(clock.instant());
    Optional<Job> stopped = state.job(workload).filter(job -> job.isEvicted() || job.isStopping());
    stopped.ifPresent(new Lives(state, clock.instant())::stopped);
    return stopped.isPresent();
  }

  @Override
  public boolean admissionRecorded(WorkloadId workload) {
    Optional<Admission> admission = state.job(workload).flatMap(Job::admission);
    admission.ifPresent(held -> state.queue(held.clusterQueue()).advanceGeneration());
    return admission.isPresent();
  }

  @Override
  public void restore(Workload workload, Admission admission, PreemptedCondition preempted) {
    restore(
        workload,
        admission,
        job -> job.preempt(preempted.reason(), preempted.lastTransitionTime()));
  }

  @Override
  public void setPreemptionGate(WorkloadId workload, String gate, boolean open) {
    Instant now = clock.instant();
    state.deliverEvents(now);
    Job job = known(workload);
    checkArgument(
        job.workload().preemptionGates().contains(gate),
        "workload %s has no preemption gate %s",
        workload,
        gate);
    if (job.setGate(gate, open)) {
      state.queueAgain(job, now);
    }
  }

  @Override
  public boolean nodeFailed(WorkloadId workload, String host) {
    return new NodeRepairs(state, clock.instant()).report(known(workload), host);
  }

  @Override
  public boolean nodeRecovered(WorkloadId workload, String host) {
    return NodeRepairs.withdraw(known(workload), host);
  }

  @Override
  public void restore(Workload workload, Admission admission) {
    restore(workload, admission, job -> {});
  }

  /** L-12: one that was deactivated meanwhile holds no quota. */
  private void restore(Workload workload, Admission admission, Consumer<Job> status) {
    checkArgument(
        state.job(workload.id()).isEmpty(), "workload %s is known already", workload.id());
    Validation.checkRestorable(state.specs, workload, admission);
    state.sampleUsage(clock.instant());
    Job job = new Job(state.specs, workload, clock.instant());
    state.add(job);
    job.reserve(admission);
    Lives lives = new Lives(state, clock.instant());
    lives.restored(job);
    status.accept(job);
    if (!workload.active()) {
      lives.deactivate(job);
    }
    Slices.settle(state, job);
  }

  @Override
  public void restoreWaiting(Workload workload, Instant requeueAt) {
    Instant now = clock.instant();
    checkArgument(
        state.job(workload.id()).isEmpty(), "workload %s is known already", workload.id());
    checkArgument(
        Validation.isValid(state.specs, workload), "workload %s is invalid", workload.id());
    state.deliverEvents(now);
    Job job = new Job(state.specs, workload, now);
    job.delayUntil(requeueAt);
    queue(job, now);
  }

  @Override
  public void setCheck(WorkloadId workload, AdmissionCheckState check) {
    Instant now = clock.instant();
    state.deliverEvents(now);
    new Lives(state, now).report(known(workload), check);
  }

  @Override
  public void setPodsReady(WorkloadId workload, boolean ready) {
    Instant now = clock.instant();
    state.deliverEvents(now);
    known(workload).readiness.report(ready, now);
  }

  @Override
  public void restoreConsumedUsage(String namespace, String localQueue, ConsumedUsage usage) {
    state.usage.restore(Specs.localQueueKey(namespace, localQueue), usage);
  }

  // ----- decisions

  @Override
  public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
    Instant now = clock.instant();
    state.sampleUsage(now);
    Optional<Job> known = state.job(workload.id());
    known.ifPresent(job -> checkSame(job, workload));
    Optional<Admission> held = known.flatMap(Job::admission);
    if (held.isPresent()) {
      return WorkloadDecision.admitted(held.get());
    }
    if (!Validation.isValid(state.specs, workload)) {
      return WorkloadDecision.rejected(workload.id());
    }
    Job job = known.orElseGet(() -> new Job(state.specs, workload, now));
    Optional<String> queue =
        job.mayBeQueued() ? state.specs.targetQueue(workload) : Optional.empty();
    if (queue.isEmpty()) {
      return WorkloadDecision.pending(workload.id());
    }
    if (Slices.isObsolete(state, job, queue.get())) {
      return WorkloadDecision.rejected(workload.id());
    }
    Cycle.Head head = new Cycle.Head(
        job.trial(),
        queue.get(),
        state.queue(queue.get()).generation(),
        state.queue(queue.get()).isPreemptor(job));
    Effects effects = new Effects(state, now);
    Outcome outcome = new Cycle(state.specs, state.snapshot(), state.cycles)
        .run(List.of(head))
        .get(0);
    if (outcome.admitted().isPresent() && !turns.keepBack(job)) {
      state.add(job);
      Admission admission = effects.admission(outcome);
      effects.admit(job, admission, outcome.replaced());
      Slices.settle(state, job);
      return WorkloadDecision.admitted(admission);
    }
    if (outcome.victims().isEmpty()) {
      return WorkloadDecision.pending(workload.id());
    }
    if (evictVictims) {
      effects.evict(outcome);
      QueueContents contents = state.queue(queue.get());
      if (contents.contains(job)) {
        contents.waitForVictims(job, now);
      }
    }
    return WorkloadDecision.preempting(
        workload.id(),
        outcome.victims().stream()
            .map(victim -> Effects.eviction(outcome, victim))
            .collect(toImmutableList()));
  }

  @Override
  public CycleDecisions runCycle() {
    Instant now = clock.instant();
    state.deliverEvents(now);
    new Timeouts(state, now).actOnAll();
    state.deliverEvents(now);
    return new CycleRun(state, turns, now).run();
  }

  // ----- looking

  @Override
  public Observation observe() {
    state.deliverEvents(clock.instant());
    return new Look(state).observe();
  }
}
