package io.kueue4j.core.simulation;

import com.google.common.math.LongMath;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Decision.PromiseChange;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.JobStates.JobState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Does what the decisions of the engine say: starts and stops jobs, and plans what follows. */
final class DecisionHandler {
  private final Plan plan;
  private final Trace trace;
  private final JobTimes times;
  private final SimulationEngine clock;
  private final AdmissionEngine engine;
  private final EventHeap planned;
  private final JobStates states;
  private final RunRecord record;
  private final Consumer<JobState> onEnd;
  private final Map<WorkloadId, Admission> others = new HashMap<>();
  private final Deque<JobState> stopping = new ArrayDeque<>();
  private final Deque<WorkloadId> othersStopping = new ArrayDeque<>();
  private final StopLoops loops = new StopLoops();
  private final boolean reportsPods;
  private boolean changed;
  private long cycles;

  /** The calls of {@link #react} in the current run. */
  private int reactions;

  DecisionHandler(
      Plan plan,
      JobTimes times,
      SimulationEngine clock,
      EventHeap planned,
      JobStates states,
      RunRecord record,
      Consumer<JobState> onEnd) {
    this.plan = plan;
    this.trace = plan.trace();
    this.times = times;
    this.clock = clock;
    this.engine = clock.engine();
    this.planned = planned;
    this.states = states;
    this.record = record;
    this.onEnd = onEnd;
    this.reportsPods = plan.base().isPresent() || plan.settings().podsReady().isPresent();
  }

  /** {@return whether anything but attempts has happened since the last call} */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** {@return the number of cycles that had something to try} */
  long cycles() {
    return cycles;
  }

  /** {@return the loops of workloads that stop and start again} */
  StopLoops loops() {
    return loops;
  }

  /** Counts the cycles of a run, of which {@link #react} has seen those with decisions only. */
  void ran(StableRun run) {
    cycles += run.cycles() - reactions;
    reactions = 0;
    if (run.end() == StableRun.End.PREEMPTION_LOOP) {
      loops.found();
    }
  }

  /**
   * Does what a cycle has decided.
   *
   * @return the decisions that follow
   */
  Decisions react(Decisions cycle) {
    reactions++;
    cycles += cycle.isEmpty() ? 0 : 1;
    handle(cycle);
    return stopPods();
  }

  /** Does what a cycle has decided that is not part of a run. */
  void polled(Decisions cycle) {
    Decisions unused = react(cycle);
    reactions = 0;
  }

  /** Records the submission of a job. */
  void submitted(JobState job, long time) {
    job.submitted = time;
    job.queue = record.clusterQueue(Trace.localQueue(job.job.workload()));
    job.outcome = Outcome.WAITING;
    changeWaiting(job, 1);
    record.add(EventKind.SUBMITTED, job.number, job.queue);
    changed = true;
    loops.changed();
  }

  /** Takes over a workload that holds quota at the start. */
  void adopt(HoldingWorkload holder) {
    Admission admission = holder.admission();
    JobState job = states.of(admission.workload());
    if (job == null) {
      others.put(admission.workload(), admission);
      return;
    }
    job.outcome = Outcome.WAITING;
    job.submitted = times.submitMillis(job.number);
    setAdmission(job, admission);
    if (holder.isStopping()) {
      planStop(job);
    } else if (holder.isAdmitted()) {
      long started =
          Math.min(clock.nowMillis(), Trace.millis(admission.quotaReservedTime(), job.job));
      long end = LongMath.saturatedAdd(started, states.start(job, started));
      planFinish(job, Math.max(clock.nowMillis(), end));
    } else {
      askChecks(job);
    }
  }

  private void handle(Decisions decisions) {
    for (Decision decision : decisions.all()) {
      if (decision instanceof AdmissionResult.Pending) {
        continue;
      }
      if (decision instanceof PromiseChange change) {
        JobState promised = states.of(change.workload());
        if (promised != null) {
          promised.note(change);
        }
        continue;
      }
      if (decision instanceof PreemptionVictim victim) {
        loops.add(RepeatedStop.of(victim));
      } else if (decision instanceof Eviction eviction) {
        loops.add(RepeatedStop.of(eviction));
      }
      JobState job = states.of(decision.workload());
      if (job == null) {
        handleOther(decision);
      } else if (!job.isOver(clock.nowMillis())) {
        handle(job, decision);
      }
    }
  }

  private void handle(JobState job, Decision decision) {
    if (decision instanceof AdmissionResult.Admitted admitted) {
      admitted(job, admitted.admission());
    } else if (decision instanceof AdmissionResult.Reserved reserved) {
      reserved(job, reserved.admission());
    } else if (decision instanceof PreemptionVictim victim) {
      job.preemptions++;
      Integer preemptor = trace.number(victim.preemptor());
      interrupt(job, EventKind.PREEMPTED, preemptor == null ? -1 : preemptor);
    } else if (decision instanceof Eviction eviction) {
      job.evictions++;
      int reason = record.id(eviction.reason().toString());
      if (eviction.reason() == EvictionReason.DEACTIVATED) {
        // Its quota is free at once, whether its pods have stopped or not.
        endRun(job, EventKind.EVICTED, reason);
        end(job, Outcome.DEACTIVATED, clock.nowMillis());
      } else {
        interrupt(job, EventKind.EVICTED, reason);
      }
    } else if (decision instanceof Decision.Suspension) {
      job.evictions++;
      suspend(job);
    } else if (decision instanceof Decision.Replacement replacement) {
      job.held = replacement.admission();
      record.add(EventKind.MOVED, job.number, -1);
      changed = true;
    } else if (decision instanceof FinishedSlice) {
      end(job, Outcome.REPLACED, clock.nowMillis());
    }
  }

  private void handleOther(Decision decision) {
    WorkloadId id = decision.workload();
    if (decision instanceof AdmissionResult result && result.holdsQuota()) {
      Admission admission = engine.admission(id).orElseThrow();
      if (others.put(id, admission) == null) {
        record.hold(admission);
      }
      changed = true;
    } else if (decision instanceof FinishedSlice) {
      releaseOther(id);
    } else if (!(decision instanceof AdmissionResult)
        && !(decision instanceof Decision.Replacement)) {
      othersStopping.add(id);
      changed = true;
    }
  }

  private void releaseOther(WorkloadId id) {
    if (others.remove(id) != null) {
      record.release(id);
      changed = true;
    }
  }

  private void admitted(JobState job, Admission admission) {
    changed = true;
    hold(job, admission);
    record.add(EventKind.ADMITTED, job.number, job.flavor);
    long runs = states.start(job, clock.nowMillis());
    engine.lifecycle().admissionRecorded(admission.workload());
    planFinish(job, LongMath.saturatedAdd(clock.nowMillis(), runs));
    if (reportsPods) {
      plan.behavior()
          .podsReadyDelay(job.job, job.starts)
          .ifPresent(delay -> plan(
              after(delay, job),
              SimulationRun.READY,
              job,
              () -> follow(engine.lifecycle().setPodsReady(admission.workload(), true))));
    }
  }

  private void planFinish(JobState job, long time) {
    job.plannedEnd = time;
    boolean isAtLimit = time - job.lastStart >= states.limitMillis(job);
    plan(time, isAtLimit ? SimulationRun.LIMIT : SimulationRun.FINISH, job, () -> {
      end(job, Outcome.FINISHED, time);
      engine.finish(job.job.id());
    });
  }

  /** Plans what happens to a job at a time, unless the job has changed until then. */
  private void plan(long time, int kind, JobState job, Runnable action) {
    int epoch = job.epoch;
    planned.add(time, kind, () -> {
      boolean isCurrent = job.epoch == epoch;
      if (isCurrent) {
        action.run();
      }
      return isCurrent;
    });
  }

  private void reserved(JobState job, Admission admission) {
    changed = true;
    hold(job, admission);
    job.reservations++;
    record.add(EventKind.RESERVED, job.number, job.flavor);
    askChecks(job);
  }

  private void askChecks(JobState job) {
    WorkloadId id = job.job.id();
    for (AdmissionCheckState check : engine.lifecycle().status(id).admissionChecks()) {
      if (check.state() != CheckState.READY) {
        plan.behavior()
            .checkAnswer(job.job, check.name(), Math.max(1, job.reservations))
            .ifPresent(answer -> plan(
                after(answer.delay(), job),
                SimulationRun.CHECK,
                job,
                () -> follow(engine
                    .lifecycle()
                    .setCheck(id, AdmissionCheckState.of(check.name(), answer.state())))));
      }
    }
  }

  private long after(Duration delay, JobState job) {
    return LongMath.saturatedAdd(clock.nowMillis(), Math.max(0, Trace.millis(delay, job.job)));
  }

  private void hold(JobState job, Admission admission) {
    if (job.held == null) {
      changeWaiting(job, -1);
      record.hold(admission);
    }
    setAdmission(job, admission);
  }

  private void setAdmission(JobState job, Admission admission) {
    job.held = admission;
    job.queue = record.id(admission.clusterQueue(), job.queue);
    job.flavor = record.flavors(admission);
  }

  private void changeWaiting(JobState job, int delta) {
    record.changeWaiting(job.queue, delta);
  }

  private void release(JobState job) {
    if (job.held != null) {
      record.release(job.job.id());
      job.held = null;
    }
  }

  /** Lets a job wait again that may still hold quota. */
  private void requeue(JobState job) {
    if (job.held != null) {
      release(job);
      changeWaiting(job, 1);
    }
  }

  private void interrupt(JobState job, EventKind kind, int detail) {
    endRun(job, kind, detail);
    if (engine.isStopping(job.job.id())) {
      planStop(job);
    } else {
      requeue(job);
    }
  }

  /** Stops a job that may keep its quota, because its queue has got another admission check. */
  private void suspend(JobState job) {
    endRun(job, EventKind.EVICTED, record.id("Suspended"));
    if (engine.admission(job.job.id()).isPresent()) {
      askChecks(job);
    } else {
      requeue(job);
    }
  }

  private void endRun(JobState job, EventKind kind, int detail) {
    changed = true;
    record.add(kind, job.number, detail);
    if (job.outcome == Outcome.RUNNING) {
      job.interrupt(clock.nowMillis());
    } else {
      job.epoch++;
    }
  }

  private void planStop(JobState job) {
    long delay = Trace.millis(plan.behavior().terminationDelay(job.job), job.job);
    if (delay <= 0) {
      stopping.add(job);
    } else {
      plan(
          LongMath.saturatedAdd(clock.nowMillis(), delay),
          SimulationRun.STOP,
          job,
          () -> follow(stopped(job)));
    }
  }

  /**
   * Stops the pods that stop at once.
   *
   * @return the decisions that follow
   */
  private Decisions stopPods() {
    Decisions following = Decisions.none();
    while (!stopping.isEmpty() || !othersStopping.isEmpty()) {
      Decisions decided;
      if (stopping.isEmpty()) {
        WorkloadId other = othersStopping.remove();
        decided = engine.podsStopped(other);
        releaseOther(other);
      } else {
        decided = stopped(stopping.remove());
      }
      handle(decided);
      following = decided.isEmpty() ? following : following.and(decided);
    }
    return following;
  }

  private Decisions stopped(JobState job) {
    Decisions decided = engine.podsStopped(job.job.id());
    requeue(job);
    record.add(EventKind.STOPPED, job.number, -1);
    return decided;
  }

  /** Does what a call of the engine has decided, outside of cycles. */
  @CanIgnoreReturnValue
  Decisions follow(Decisions decided) {
    handle(decided);
    return stopPods();
  }

  /** {@return the workloads that hold quota, of the trace and others, with their admissions} */
  List<Admission> holders() {
    List<Admission> holders = new ArrayList<>();
    states.all().map(job -> job.held).filter(Objects::nonNull).forEach(holders::add);
    holders.addAll(new TreeMap<>(others).values());
    return holders;
  }

  /** Ends a job that has not ended; the caller reports it to the engine if it needs to know. */
  void end(JobState job, Outcome how, long time) {
    changed = true;
    loops.changed();
    if (job.held != null) {
      release(job);
    } else if (job.outcome == Outcome.WAITING) {
      changeWaiting(job, -1);
    }
    states.end(job, how, time);
    record.add(EventKind.of(how), job.number, -1);
    onEnd.accept(job);
  }
}
