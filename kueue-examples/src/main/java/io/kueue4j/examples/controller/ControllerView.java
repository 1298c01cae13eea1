package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.Reason;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.job.KnownJobs;
import io.kueue4j.examples.controller.state.JobEventRecorder.RefusedAdmission;
import io.kueue4j.examples.controller.state.JobState;
import java.time.Instant;

/**
 * The state of a controller at one moment. Immutable but for the fork, and thread-safe.
 *
 * @param time the moment
 * @param engine queues and quotas; a fork of it answers all queries of an engine
 * @param jobs the jobs that name a queue, by kind, namespace and name
 * @param problems the problems of configuration objects, by object
 * @param refusedAdmissions the latest admissions that were refused, newest first
 * @param study a fork of the engine, only for explanations
 */
public record ControllerView(
    Instant time,
    EngineView engine,
    ImmutableList<JobView> jobs,
    ImmutableSortedMap<String, String> problems,
    ImmutableList<RefusedAdmission> refusedAdmissions,
    AdmissionEngine study) {
  /** {@return the present state of a controller} */
  static ControllerView of(JobContext context, KnownJobs jobs) {
    EngineView engine = context.book().engine().view();
    return new ControllerView(
        context.now(),
        engine,
        jobs.withLeft()
            .map(record -> JobView.of(context, record))
            .collect(ImmutableList.toImmutableList()),
        jobs.problems().all(),
        context.events().refusedAdmissions(),
        engine.whatIf());
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
