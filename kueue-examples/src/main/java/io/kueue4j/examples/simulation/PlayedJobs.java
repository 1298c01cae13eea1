package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import com.google.common.collect.Lists;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The jobs of a simulation: runs the cycles of the engine, and starts and stops jobs as it decides.
 * Not thread-safe.
 */
final class PlayedJobs {
  private final AdmissionEngine engine;
  private final PodStops stops;
  private final Map<WorkloadId, PlayedJob> jobs = new LinkedHashMap<>();
  private final List<Event> events = new ArrayList<>();
  private Runnable afterCycle = () -> {};
  private int cycles;

  PlayedJobs(AdmissionEngine engine, PodStops stops) {
    this.engine = engine;
    this.stops = stops;
  }

  /** {@return the same jobs, which a copy of the engine decides on} */
  PlayedJobs copy(AdmissionEngine other) {
    PlayedJobs copy = new PlayedJobs(other, stops);
    jobs.values().forEach(job -> copy.add(new PlayedJob(job)));
    return copy;
  }

  PodStops stops() {
    return stops;
  }

  /** {@return all jobs, in the order of their creation} */
  Collection<PlayedJob> all() {
    return Collections.unmodifiableCollection(jobs.values());
  }

  boolean has(WorkloadId workload) {
    return jobs.containsKey(workload);
  }

  PlayedJob of(WorkloadId workload) {
    return Objects.requireNonNull(jobs.get(workload), "only what was created is admitted");
  }

  /**
   * {@return a job}
   *
   * @param name its name, or {@code namespace/name}
   * @param act what is to happen to it, as a verb for messages
   * @param expected what it has to be, for messages
   * @param suits whether that can happen to it
   * @throws InputException if there is none of that name, or if that cannot happen to it
   */
  PlayedJob find(String name, String act, String expected, Predicate<PlayedJob> suits) {
    List<PlayedJob> called =
        jobs.values().stream().filter(job -> job.job.isCalled(name)).toList();
    return called.stream()
        .filter(suits)
        .findFirst()
        .orElseThrow(() -> new InputException(
            called.isEmpty()
                ? "there is no job " + name + " that could " + act + "; "
                    + SimulatedJob.existing(
                        jobs.values().stream().map(job -> job.job).toList())
                : "job " + name + " cannot " + act + ": it is " + called.get(0).status
                    + ", expected " + expected));
  }

  void add(PlayedJob job) {
    jobs.put(job.job.workload().id(), job);
  }

  void checkIsNew(SimulatedJob job) {
    PlayedJob before = jobs.get(job.workload().id());
    if (before != null && before.status != JobStatus.FINISHED) {
      throw new InputException("there is a job " + job.name() + " in namespace " + job.namespace()
          + " that has not finished; expected another name");
    }
  }

  void submit(SimulatedJob job, Instant time) {
    PlayedJob entry = new PlayedJob(job, time);
    add(entry);
    Decisions decided = engine.submit(job.workload());
    followAll(decided);
    if (decided.result() instanceof AdmissionResult.Rejected rejected) {
      entry.status = JobStatus.REJECTED;
      entry.rejection = rejected.reasons();
      events.add(new Event(Event.Type.REJECTED, job, "", Joiner.on("; ").join(rejected.reasons())));
    } else {
      followAll(engine.lifecycle().setReclaimablePods(job.workload().id(), job.reclaimablePods()));
    }
  }

  void finish(PlayedJob entry) {
    WorkloadId id = entry.job.workload().id();
    entry.last = engine.lifecycle().status(id);
    engine.finish(id);
    entry.status = JobStatus.FINISHED;
    events.add(new Event(Event.Type.FINISHED, entry.job, "", ""));
  }

  void delete(PlayedJob entry) {
    WorkloadId id = entry.job.workload().id();
    engine.delete(id);
    jobs.remove(id);
  }

  /** Reports to the jobs that run that a host has failed. */
  void nodeFailed(String host) {
    for (PlayedJob entry : ImmutableList.copyOf(jobs.values())) {
      WorkloadId id = entry.job.workload().id();
      if (engine.admission(id).isPresent()) {
        followAll(engine.lifecycle().nodeFailed(id, host));
      }
    }
  }

  /** {@return what happened since the last call} */
  ImmutableList<Event> takeEvents() {
    ImmutableList<Event> news = ImmutableList.copyOf(events);
    events.clear();
    return news;
  }

  void afterEachCycle(Runnable observer) {
    afterCycle = observer;
  }

  /** {@return the number of cycles that had something to try} */
  int cycles() {
    return cycles;
  }

  /** Runs cycles until there is nothing to try, or trying does not help. */
  void settle() {
    StableRun run = engine.runUntilStable(Integer.MAX_VALUE, () -> {
      Decisions cycle = engine.runCycle();
      Decisions decided = cycle.and(follow(cycle));
      cycles += cycle.isEmpty() ? 0 : 1;
      afterCycle.run();
      return decided;
    });
    if (run.end() == StableRun.End.PREEMPTION_LOOP) {
      throw new InputException(
          LoopText.of(run.loop()) + "; let queues reclaim or borrow from lower priorities only");
    }
  }

  /** Starts and stops jobs until nothing more follows. */
  void followAll(Decisions decided) {
    for (Decisions next = decided; !next.isEmpty(); ) {
      next = follow(next);
    }
  }

  /**
   * Starts jobs at once, and stops them when they have to.
   *
   * @return what the engine decides then
   */
  private Decisions follow(Decisions cycle) {
    Decisions decided = Decisions.none();
    for (Admission admission : cycle.admitted()) {
      decided = decided.and(admitted(admission));
    }
    cycle.replaced().forEach(moved -> of(moved.workload()).admission = Optional.of(moved));
    for (PreemptionVictim victim : cycle.preempted()) {
      WorkloadId by = victim.preemptor();
      Event preempted = new Event(
          Event.Type.PREEMPTED,
          of(victim.workload()).job,
          by.name(),
          Optional.of(by),
          victim.reason().toString());
      decided = decided.and(stop(preempted));
    }
    for (Eviction eviction : cycle.evicted()) {
      decided = decided.and(stop(new Event(
          Event.Type.EVICTED, of(eviction.workload()).job, "", eviction.reason().toString())));
    }
    return decided;
  }

  /** Its pods run at once. */
  private Decisions admitted(Admission admission) {
    PlayedJob entry = of(admission.workload());
    entry.status = JobStatus.ADMITTED;
    entry.admission = Optional.of(admission);
    events.add(new Event(Event.Type.ADMITTED, entry.job, admission.clusterQueue(), ""));
    WorkloadId id = admission.workload();
    engine.lifecycle().admissionRecorded(id);
    return engine.settings().podsReady().isPresent()
            && engine.lifecycle().status(id).isTrue(ConditionType.ADMITTED)
        ? engine.lifecycle().setPodsReady(id, true)
        : Decisions.none();
  }

  private Decisions stop(Event event) {
    WorkloadId workload = event.job().workload().id();
    PlayedJob entry = of(workload);
    entry.status = JobStatus.PENDING;
    entry.admission = Optional.empty();
    events.add(event);
    return stops == PodStops.AT_ONCE ? engine.podsStopped(workload) : Decisions.none();
  }

  /**
   * {@return how things are with all jobs}
   *
   * @param reasoned which jobs come with the reasons why they wait; they take most of the time
   * @param explained whether the pending ones among these come with their explanations as well
   */
  ImmutableList<JobReport> reports(Predicate<SimulatedJob> reasoned, boolean explained) {
    List<PlayedJob> known = jobs.values().stream()
        .filter(entry -> entry.status == JobStatus.PENDING || entry.status == JobStatus.ADMITTED)
        .filter(entry -> reasoned.test(entry.job))
        .toList();
    EngineView view = engine.view();
    // Many jobs wait for the same reasons.
    Interner<List<String>> texts = Interners.newStrongInterner();
    Map<WorkloadId, JobReport> reports = new HashMap<>();
    engine
        .explainAll(Lists.transform(known, entry -> entry.job.workload().id()), explanation -> {
          PlayedJob entry = of(explanation.workload());
          boolean pending = entry.status == JobStatus.PENDING;
          List<String> reasons = pending
              ? ReasonTexts.whyPending(explanation)
              : ReasonTexts.messages(explanation.reasons());
          return report(
              view,
              entry,
              texts.intern(reasons),
              pending && explained ? Optional.of(explanation) : Optional.empty());
        })
        .forEach(report -> reports.put(report.job().workload().id(), report));
    return jobs.values().stream()
        .map(entry -> reports.getOrDefault(
            entry.job.workload().id(),
            report(view, entry, ReasonTexts.messages(entry.rejection), Optional.empty())))
        .collect(toImmutableList());
  }

  private static JobReport report(
      EngineView view, PlayedJob entry, List<String> reasons, Optional<Explanation> explanation) {
    String queue = entry.job.namespace() + "/" + entry.job.workload().queueName();
    return new JobReport(
        entry.job,
        entry.status,
        view.configuration(LocalQueue.class, queue).map(LocalQueue::clusterQueue),
        entry.admission,
        reasons,
        explanation);
  }
}
