package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.monitoring.JobName;
import io.kueue4j.examples.monitoring.MonitorView;
import java.time.Instant;

/** The content of the page about a simulation, with the jobs of its manifests. */
final class SimulatedPage {
  private SimulatedPage() {}

  static MonitorView of(EngineView view, Instant time, ImmutableList<JobReport> jobs) {
    ImmutableMap<WorkloadId, JobName> names = jobs.stream()
        .collect(toImmutableMap(report -> report.job().workload().id(), SimulatedPage::name));
    MonitorView page = MonitorView.of(
        view, time, workload -> names.getOrDefault(workload.id(), JobName.of(workload)));
    ImmutableSet<WorkloadId> queued = page.waiting().stream()
        .flatMap(waiting -> waiting.explanation().stream())
        .map(Explanation::workload)
        .collect(toImmutableSet());
    return page.withOthers(jobs.stream()
        .filter(report -> report.status() == JobStatus.REJECTED
            || (report.status() == JobStatus.PENDING
                && !queued.contains(report.job().workload().id())))
        .map(SimulatedPage::outside)
        .collect(toImmutableList()));
  }

  private static MonitorView.Waiting outside(JobReport report) {
    return MonitorView.Waiting.outside(
        name(report),
        report.job().workload(),
        report.clusterQueue().orElse(""),
        report.status() == JobStatus.REJECTED
            ? MonitorView.WaitState.REJECTED
            : MonitorView.WaitState.NOT_QUEUED,
        report.reasons());
  }

  private static JobName name(JobReport report) {
    return new JobName(
        report.job().manifest().kind(), report.job().namespace(), report.job().name());
  }
}
