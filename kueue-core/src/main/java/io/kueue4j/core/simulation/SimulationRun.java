package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.EventHeap.NEVER;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.simulation.JobResult.Outcome;
import io.kueue4j.core.simulation.JobStates.JobState;
import io.kueue4j.core.simulation.Simulation.Observer;
import io.kueue4j.core.simulation.Simulation.Observer.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run of a simulation: takes the events in the order of time, reports them to the engine, and
 * runs cycles. For a single use.
 *
 * <p>Rules: PS-9.
 */
final class SimulationRun {
  /** Kinds of planned events, in the order in which events of one time are taken. */
  static final int LIMIT = -2;

  /** A submission that precedes the ends of its time, if cycles run after each event. */
  private static final int EARLY_SUBMIT = -1;

  static final int FINISH = 0;

  static final int STOP = 1;
  static final int CLUSTER = 2;
  static final int CHECK = 3;
  static final int READY = 4;
  static final int SUBMIT = 5;
  static final int CANCEL = 6;

  /** The submission of a job that follows no others. */
  static final int ARRIVE = 7;

  private static final int EVENTS_PER_REPORT = 1_000;

  /** As often nothing but time may pass before the remaining jobs count as stuck. */
  private static final int MAX_IDLE_TICKS = 1_000;

  /** The largest number of cycles at one time; the next ones run at the next event. */
  private static final int MAX_CYCLES = 1_000_000;

  /** A turn of a loop ends after as many cycles even if each of them preempts workloads. */
  private static final int MAX_CYCLES_OF_TURN = 100;

  private final Plan plan;
  private final Trace trace;
  private final JobTimes times;
  private final @Nullable StartWatch watch;
  private final Observer observer;
  private final SimulationEngine clock;
  private final AdmissionEngine engine;
  private final EventHeap planned = new EventHeap();
  private final JobStates states;
  private final RunRecord record;
  private final DecisionHandler handler;
  private final ClusterChanges cluster;
  private final int[] predecessors;
  private final Map<Integer, String> rejections = new HashMap<>();

  /**
   * Whether cycles run after each event, submissions precede the ends of the same time, and jobs
   * end at their estimates at the latest, as in published simulations of backfilling.
   */
  private final boolean backfills;

  private int nextIndependent;
  private long nextReport = EVENTS_PER_REPORT;
  private long nextTick = NEVER;
  private int idleTicks;
  private boolean hasBegun;

  /** The time at which to pause, or to end. */
  private long until;

  /** The time of the last run of cycles that ended in a loop of preemptions. */
  private long lastLoop = NEVER;

  /** The time of the last polled cycle, and whether it has done something. */
  private long lastPoll = NEVER;

  private boolean busy;

  private @Nullable StartState start;
  private @Nullable Phase phase;

  /** Whether the engine has been called since the last cycle. */
  private boolean changed;

  SimulationRun(Plan plan, Observer observer) {
    this(plan, plan.trace(), observer, null);
  }

  private SimulationRun(Plan plan, JobTimes times, Observer observer, @Nullable StartWatch watch) {
    this.plan = plan;
    this.until = plan.endMillis();
    this.trace = plan.trace();
    this.times = times;
    this.watch = watch;
    this.observer = observer;
    this.clock = new SimulationEngine(plan);
    this.engine = clock.engine();
    this.backfills = plan.settings().backfill().isPresent();
    this.states = new JobStates(trace, times, watch, backfills);
    this.record = new RunRecord(clock, watch == null);
    this.handler = new DecisionHandler(plan, times, clock, planned, states, record, this::ended);
    this.cluster = new ClusterChanges(engine, handler);
    this.predecessors = trace.predecessors();
  }

  /**
   * Runs a plan with other times and without a record, until a watch is satisfied.
   *
   * @param plan the plan, with a state to start from
   * @param start that state
   * @param times the times of its jobs
   * @param watch receives what happens
   * @return the stops in loops
   */
  static ImmutableList<RepeatedStop> sample(
      Plan plan, StartState start, JobTimes times, StartWatch watch) {
    SimulationRun run = new SimulationRun(plan, times, Observer.NONE, watch);
    run.start = start;
    SimulationResult.End unused = run.resume();
    return run.handler.loops().repeated();
  }

  SimulationResult play() {
    SimulationResult.End end = resume();
    enter(Phase.DONE);
    boolean unused = report();
    return ImmutableSimulationResult.builder()
        .plan(plan)
        .end(end)
        .endMillis(clock.nowMillis())
        .states(states)
        .log(record.log())
        .quotas(record.series())
        .queueLengths(record.queueLengths())
        .rejections(rejections)
        .cycles(handler.cycles())
        .repeatedStops(handler.loops().repeated())
        .build();
  }

  /**
   * Plays on up to a time, which is not before the time of an earlier call.
   *
   * @return the state of the engine after all events and cycles of that time
   */
  EngineView playTo(long millis) {
    until = millis;
    SimulationResult.End unused = resume();
    return engine.view();
  }

  private SimulationResult.End resume() {
    if (!hasBegun) {
      hasBegun = true;
      begin();
    }
    boolean polls = plan.intervalMillis() > 0;
    if (changed && !polls) {
      runUntilStable();
    }
    while (states.endedCount < trace.size() && (watch == null || !watch.isSatisfied())) {
      long next = polls ? nextPoll() : nextEventOrTick();
      if (next > until || next == NEVER) {
        return next == NEVER ? SimulationResult.End.STUCK : SimulationResult.End.TIME_LIMIT;
      }
      boolean onlyTime = planned.time() == NEVER;
      clock.advanceTo(next);
      if (polls) {
        poll(next);
      } else {
        react(next);
      }
      if (isStuck(onlyTime)) {
        return SimulationResult.End.STUCK;
      }
      if (!mayProceed()) {
        return SimulationResult.End.CANCELLED;
      }
    }
    return SimulationResult.End.COMPLETE;
  }

  private void enter(Phase next) {
    if (next != phase) {
      phase = next;
      observer.enter(next);
    }
  }

  private boolean report() {
    return observer.proceed(new Observer.Status(
        Instant.ofEpochMilli(clock.nowMillis()),
        record.log().size(),
        states.endedCount,
        trace.size()));
  }

  private void begin() {
    record.configure();
    plan.base().ifPresent(this::adopt);
    for (int i = 0; i < plan.events().size(); i++) {
      int number = i;
      long time = Trace.millis(plan.events().get(i).time(), "an event");
      planned.add(time, CLUSTER, () -> change(number, time));
    }
    planArrival();
  }

  /** Takes over the workloads that the engine has at the start. */
  private void adopt(EngineView base) {
    StartState known = start == null
        ? StartState.of(plan.configuration().isEmpty() ? base : engine.view(), engine, trace)
        : start;
    for (HoldingWorkload holder : known.holders()) {
      record.holdsAtStart(holder);
      handler.adopt(holder);
      JobState job = states.of(holder.admission().workload());
      if (job != null) {
        planCancellation(job);
      }
    }
    for (int number : known.waiting()) {
      JobState job = states.of(number);
      handler.submitted(job, times.submitMillis(number));
      planCancellation(job);
    }
    // A cycle that tries nothing is the last one, whatever stops after it.
    handler.follow(Decisions.none());
    changed = true;
    busy = true;
  }

  /** Lets everything happen that is due at a time, with cycles until nothing changes. */
  private void react(long time) {
    changed |= time >= nextTick;
    do {
      takeDue();
      if (changed) {
        runUntilStable();
      }
    } while (planned.time() <= time);
  }

  /** Runs cycles, unless they would go on without end. */
  private void runUntilStable() {
    if (handler.loops().isEndless() || clock.nowMillis() == lastLoop) {
      return;
    }
    changed = false;
    enter(Phase.CYCLES);
    StableRun run = engine.runUntilStable(MAX_CYCLES, this::runCycle);
    handler.ran(run);
    if (run.end() == StableRun.End.PREEMPTION_LOOP) {
      lastLoop = clock.nowMillis();
      endTurn();
    }
    findNextTick();
  }

  /**
   * Lets the preemptors of the last turn of a loop start, which hold quota until the next event.
   */
  private void endTurn() {
    for (int cycles = 0; cycles < MAX_CYCLES_OF_TURN; cycles++) {
      Decisions cycle = engine.runCycle();
      handler.polled(cycle);
      if (cycle.preempted().isEmpty()) {
        return;
      }
    }
  }

  private Decisions runCycle() {
    Decisions cycle = engine.runCycle();
    enter(Phase.REPORTS);
    Decisions following = handler.react(cycle);
    enter(Phase.CYCLES);
    return cycle.and(following);
  }

  /** {@return the next multiple of the interval at which something may happen} */
  private long nextPoll() {
    long interval = plan.intervalMillis();
    long afterLast =
        lastPoll == NEVER ? plan.startMillis() : LongMath.saturatedAdd(lastPoll, interval);
    if (busy && !handler.loops().isEndless()) {
      return afterLast;
    }
    long next = nextEventOrTick();
    if (next == NEVER) {
      return NEVER;
    }
    long steps = -Math.floorDiv(plan.startMillis() - next, interval);
    long multiple = plan.startMillis() + steps * interval;
    return lastPoll == NEVER ? multiple : Math.max(multiple, afterLast);
  }

  private void poll(long time) {
    lastPoll = time;
    while (planned.time() <= time) {
      takeDue();
    }
    if (handler.loops().isEndless()) {
      return;
    }
    enter(Phase.CYCLES);
    Decisions cycle = engine.runCycle();
    enter(Phase.REPORTS);
    busy = !cycle.isEmpty();
    handler.polled(cycle);
    findNextTick();
  }

  /** {@return whether time passes without effect while nothing else is going to happen} */
  private boolean isStuck(boolean onlyTime) {
    idleTicks = onlyTime && !handler.takeChanged() ? idleTicks + 1 : 0;
    return idleTicks > MAX_IDLE_TICKS;
  }

  private boolean mayProceed() {
    if (record.log().size() < nextReport) {
      return true;
    }
    nextReport = (long) record.log().size() + EVENTS_PER_REPORT;
    return report();
  }

  private void findNextTick() {
    Optional<Instant> tick = engine.nextTick();
    nextTick =
        tick.isEmpty() ? NEVER : Math.max(millisNotBefore(tick.get()), clock.nowMillis() + 1);
  }

  private static long millisNotBefore(Instant time) {
    Duration sinceEpoch = Duration.between(Instant.EPOCH, time);
    long millis = TimeMath.saturatedMillis(sinceEpoch);
    return time.isAfter(Instant.ofEpochMilli(millis)) ? LongMath.saturatedAdd(millis, 1) : millis;
  }

  /** Plans the next submission of a job that follows no others: one at a time, in their order. */
  private void planArrival() {
    if (nextIndependent < times.independentCount()) {
      int number = times.independent(nextIndependent++);
      long time = Math.max(times.submitMillis(number), plan.startMillis());
      planned.add(time, backfills ? EARLY_SUBMIT : ARRIVE, () -> {
        planArrival();
        return submit(states.of(number), time);
      });
    }
  }

  /** {@return when the engine may next decide anew; ticks do not count in an endless loop} */
  private long nextEventOrTick() {
    return handler.loops().isEndless() ? planned.time() : Math.min(planned.time(), nextTick);
  }

  private void takeDue() {
    while (planned.time() <= clock.nowMillis()) {
      if (backfills) {
        takeOne();
        return;
      }
      take();
    }
  }

  /**
   * Takes the ends at limits, and the event that is the first of its time otherwise, unless that is
   * one of these ends.
   */
  private void takeOne() {
    long time = planned.time();
    long firstEnd = Long.MAX_VALUE;
    while (planned.time() == time && planned.first().kind() == LIMIT) {
      firstEnd = Math.min(firstEnd, planned.first().number());
      take();
    }
    if (planned.time() == time
        && (planned.first().kind() < FINISH || planned.first().number() < firstEnd)) {
      take();
    }
  }

  private void take() {
    EventHeap.Event next = planned.remove();
    if (!isSubmission(next)) {
      enter(Phase.REPORTS);
    }
    changed |= next.action().getAsBoolean();
  }

  private static boolean isSubmission(EventHeap.Event event) {
    return event.kind() == ARRIVE || event.kind() == SUBMIT || event.kind() == EARLY_SUBMIT;
  }

  private boolean change(int number, long time) {
    SimulationEvent event = plan.events().get(number);
    if (event instanceof SimulationEvent.Cancel cancel) {
      cancel(states.of(trace.knownNumber(cancel.job())), Outcome.CANCELLED, time);
    } else if (event instanceof SimulationEvent.Delete delete) {
      cancel(states.of(trace.knownNumber(delete.job())), Outcome.DELETED, time);
    } else {
      record.add(EventKind.CLUSTER_CHANGED, -1, number);
      cluster.change(event);
      handler.loops().changed();
      record.configure();
    }
    return true;
  }

  private void cancel(JobState job, Outcome how, long time) {
    if (job.outcome.isEnded()) {
      return;
    }
    handler.end(job, how, time);
    engine.delete(job.job.id());
  }

  /** Submits a job, unless it was cancelled before; returns whether it has. */
  private boolean submit(JobState job, long time) {
    if (job.outcome != Outcome.NOT_SUBMITTED) {
      return false;
    }
    enter(Phase.SUBMISSIONS);
    Decisions decided = engine.submit(states.workload(job));
    AdmissionResult result = decided.result();
    handler.submitted(job, time);
    handler.follow(decided);
    if (result instanceof AdmissionResult.Rejected rejected) {
      rejections.put(job.number, Joiner.on("; ").join(rejected.reasons()));
      handler.end(job, Outcome.REJECTED, time);
    } else {
      planCancellation(job);
    }
    return true;
  }

  private void planCancellation(JobState job) {
    Optional<Duration> delay = job.job.cancelAfter();
    if (delay.isPresent()) {
      long wanted = LongMath.saturatedAdd(job.submitted, TimeMath.saturatedMillis(delay.get()));
      long time = Math.max(clock.nowMillis(), wanted);
      planned.add(time, CANCEL, () -> {
        cancel(job, Outcome.CANCELLED, time);
        return true;
      });
    }
  }

  /** Plans the submission of the jobs that have waited for this one only. */
  private void ended(JobState job) {
    for (int dependent : trace.dependents(job.number)) {
      if (--predecessors[dependent] == 0) {
        long ready = LongMath.saturatedAdd(job.ended, trace.thinkMillis(dependent));
        long submission =
            Math.max(ready, Math.max(times.submitMillis(dependent), plan.startMillis()));
        planned.add(
            submission,
            backfills ? EARLY_SUBMIT : SUBMIT,
            () -> submit(states.of(dependent), submission));
      }
    }
  }
}
