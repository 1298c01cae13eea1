package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.controller.ControllerView;
import io.kueue4j.examples.controller.JobView;
import io.kueue4j.examples.controller.state.JobState;
import io.kueue4j.examples.dryrun.DryRun;
import io.kueue4j.k8s.job.JobPodSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints what a controller would do with manifests: the jobs as it would write them. */
final class DryRunReport {
  private DryRunReport() {}

  static void print(DryRun run, Screen out) {
    ControllerView view = run.view();
    if (view.jobs().isEmpty()) {
      out.println("No jobs.");
    } else {
      TextTable jobs = new TextTable(ImmutableList.of(
          "NAME", "NAMESPACE", "KIND", "CLUSTERQUEUE", "STATUS", "NODE SELECTOR", "REASON"));
      for (JobView job : view.jobs()) {
        jobs.add(ImmutableList.of(
            job.name(),
            job.namespace(),
            job.kind(),
            job.clusterQueue().orElse(TableReport.NONE),
            job.state().toString(),
            job.state() == JobState.ADMITTED ? nodeSelectors(run, job) : TableReport.NONE,
            job.state() == JobState.ADMITTED ? "" : Joiner.on("; ").join(view.reasons(job))));
      }
      jobs.print(out);
    }
    out.println();
    TableReport.printQueues(view.engine().clusterQueues(), false, out);
  }

  /**
   * {@return text such as {@code main: disk=ssd,zone=a; other: zone=b}; without names if there is
   * one pod set}
   */
  private static String nodeSelectors(DryRun run, JobView job) {
    List<JobPodSet> podSets = run.podSets(job);
    return podSets.stream()
        .map(podSet -> (podSets.size() == 1 ? "" : podSet.name() + ": ") + nodeSelector(podSet))
        .collect(Collectors.joining("; "));
  }

  private static String nodeSelector(JobPodSet podSet) {
    Map<String, String> labels =
        podSet.template().getSpec() == null || podSet.template().getSpec().getNodeSelector() == null
            ? Map.of()
            : new TreeMap<>(podSet.template().getSpec().getNodeSelector());
    return labels.isEmpty()
        ? TableReport.NONE
        : Joiner.on(',').withKeyValueSeparator('=').join(labels);
  }
}
