package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.Reason;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.controller.state.RefusedAdmission;
import java.time.Instant;
import java.util.Optional;

/** The state of a controller at one moment. Immutable and thread-safe. */
public final class ControllerView {
  private final Instant time;
  private final EngineView engine;
  private final ImmutableList<JobView> jobs;
  private final ImmutableList<DelayedJob> delayed;
  private final ImmutableSortedMap<String, String> problems;
  private final ImmutableList<RefusedAdmission> refusedAdmissions;

  /** Used only for explanations. */
  private final AdmissionEngine study;

  ControllerView(
      Instant time,
      EngineView engine,
      ImmutableList<JobView> jobs,
      ImmutableList<DelayedJob> delayed,
      ImmutableSortedMap<String, String> problems,
      ImmutableList<RefusedAdmission> refusedAdmissions) {
    this.time = time;
    this.engine = engine;
    this.jobs = jobs;
    this.delayed = delayed;
    this.problems = problems;
    this.refusedAdmissions = refusedAdmissions;
    study = engine.whatIf();
  }

  /** {@return the moment} */
  public Instant time() {
    return time;
  }

  /** {@return queues and quotas; a fork of it answers all queries of an engine} */
  public EngineView engine() {
    return engine;
  }

  /** {@return the jobs that name a queue, by kind, namespace and name} */
  public ImmutableList<JobView> jobs() {
    return jobs;
  }

  /** {@return the jobs that are delayed before they are queued, in the same order} */
  public ImmutableList<DelayedJob> delayed() {
    return delayed;
  }

  /** {@return the problems of configuration objects, by object} */
  public ImmutableSortedMap<String, String> problems() {
    return problems;
  }

  /** {@return the latest admissions that were refused, newest first} */
  public ImmutableList<RefusedAdmission> refusedAdmissions() {
    return refusedAdmissions;
  }

  /** {@return the explanation of the engine for a job, empty if the engine does not contain it} */
  public Optional<Explanation> explain(JobView job) {
    return job.workload().map(id -> study.explain(id));
  }

  /**
   * {@return the reasons for the state of a job: the reasons of the engine, or else of the
   * controller}
   */
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
