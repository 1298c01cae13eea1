package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobRecord;
import io.kueue4j.examples.controller.state.RefusedAdmissions;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** Creates views of the jobs of a controller. */
record JobViews(
    EngineBook book,
    ClusterConfiguration configuration,
    JobReader reader,
    RefusedAdmissions refused) {
  ControllerView of(
      Instant time, Collection<JobRecord> jobs, ImmutableSortedMap<String, String> problems) {
    EngineView engine = book.engine().view();
    return new ControllerView(
        time,
        engine,
        jobs.stream().map(this::view).collect(ImmutableList.toImmutableList()),
        jobs.stream()
            .flatMap(record -> delayed(record).stream())
            .collect(ImmutableList.toImmutableList()),
        problems,
        refused.latest(),
        engine.whatIf());
  }

  private Optional<DelayedJob> delayed(JobRecord record) {
    return record
        .workload()
        .filter(workload -> book.isHeld(workload.id()))
        .map(workload -> new DelayedJob(
            workload,
            configuration.clusterQueueName(workload.namespace(), workload.queueName()),
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
            .or(() -> reader.queueName(record.job()))
            .orElse(""),
        record.state(),
        record.id(),
        record.id().flatMap(book::admission).map(Admission::clusterQueue),
        record.messages());
  }
}
