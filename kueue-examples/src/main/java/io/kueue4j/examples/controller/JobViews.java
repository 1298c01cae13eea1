package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.job.JobContext;
import io.kueue4j.examples.controller.job.KnownJobs;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.RefusedAdmissions;
import java.util.Optional;

/** Creates views of the jobs of a controller. */
record JobViews(JobContext context, KnownJobs jobs, RefusedAdmissions refused) {
  /** {@return the present state of the controller} */
  ControllerView now() {
    EngineView engine = context.book().engine().view();
    ImmutableList<JobRecord> all = jobs.withLeft().collect(ImmutableList.toImmutableList());
    return new ControllerView(
        context.now(),
        engine,
        all.stream().map(this::view).collect(ImmutableList.toImmutableList()),
        all.stream()
            .flatMap(record -> delayed(record).stream())
            .collect(ImmutableList.toImmutableList()),
        jobs.problems().all(),
        refused.latest(),
        engine.whatIf());
  }

  private Optional<DelayedJob> delayed(JobRecord record) {
    return record
        .workload()
        .filter(workload -> context.book().isHeld(workload.id()))
        .map(workload -> new DelayedJob(
            workload,
            context.configuration().clusterQueueName(workload.namespace(), workload.queueName()),
            String.join("; ", record.messages())));
  }

  private JobView view(JobRecord record) {
    return new JobView(
        record.key().kind(),
        record.key().namespace(),
        record.key().name(),
        record
            .workload()
            .map(Workload::queueName)
            .or(() -> context.reader().queueName(record.job()))
            .orElse(""),
        record.state(),
        record.id(),
        record.id().flatMap(context.book()::admission).map(Admission::clusterQueue),
        record.messages());
  }
}
