package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Reason;
import java.time.Instant;
import java.util.Optional;

/** What a controller knew at one moment. Immutable, safe for several threads. */
public final class ControllerView {
  private final Instant time;
  private final EngineView engine;
  private final ImmutableList<JobView> jobs;
  private final ImmutableList<DelayedJob> delayed;
  private final ImmutableSortedMap<String, String> problems;
  private final ImmutableList<RefusedNote> refusedNotes;

  /** Only asked, for explanations. */
  private final AdmissionEngine study;

  ControllerView(
      Instant time,
      EngineView engine,
      ImmutableList<JobView> jobs,
      ImmutableList<DelayedJob> delayed,
      ImmutableSortedMap<String, String> problems,
      ImmutableList<RefusedNote> refusedNotes) {
    this.time = time;
    this.engine = engine;
    this.jobs = jobs;
    this.delayed = delayed;
    this.problems = problems;
    this.refusedNotes = refusedNotes;
    study = engine.whatIf();
  }

  /** {@return when that was} */
  public Instant time() {
    return time;
  }

  /** {@return queues and quotas; a fork of it answers whatever an engine can be asked} */
  public EngineView engine() {
    return engine;
  }

  /** {@return the jobs that name a queue, by kind, namespace and name} */
  public ImmutableList<JobView> jobs() {
    return jobs;
  }

  /** {@return the jobs that are kept out of their queues for a while, in the same order} */
  public ImmutableList<DelayedJob> delayed() {
    return delayed;
  }

  /** {@return what is wrong with objects that configure admission, by object} */
  public ImmutableSortedMap<String, String> problems() {
    return problems;
  }

  /** {@return the latest notes on jobs that were not believed, newest first} */
  public ImmutableList<RefusedNote> refusedNotes() {
    return refusedNotes;
  }

  /** {@return where a job stood with the engine, absent if that did not know it} */
  public Optional<Explanation> explain(JobView job) {
    return job.workload().map(id -> study.explain(id));
  }

  /** {@return why a job is where it is: what the engine says, or else the controller} */
  public ImmutableList<String> reasons(JobView job) {
    return job.state() == JobState.PENDING
            && job.workload().isPresent()
            && job.messages().isEmpty()
        ? study.explain(job.workload().get()).reasons().stream()
            .map(Reason::message)
            .collect(ImmutableList.toImmutableList())
        : job.messages();
  }
}
