package io.kueue4j.examples.monitoring;

import io.kueue4j.core.model.WorkloadId;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces workloads in texts of the engine by the names of their jobs. */
final class JobTexts {
  /** An id of a workload, which may be a variant, perhaps with the word before it. */
  private static final Pattern ID = Pattern.compile(
      "(?:\\bworkload )?([a-z0-9][a-z0-9.-]*/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:\\[[^\\]\\s]+\\])?)");

  private final Map<String, JobName> jobs = new HashMap<>();

  JobTexts(MonitorView view) {
    view.running().forEach(running -> put(running.workload(), running.job()));
    view.waiting().forEach(waiting -> waiting.workload().ifPresent(id -> put(id, waiting.job())));
  }

  private void put(WorkloadId id, JobName job) {
    jobs.put(id.toString(), job);
  }

  /** {@return the name of the job of a workload} */
  String of(WorkloadId workload) {
    JobName job = jobs.get(workload.toString());
    return job == null ? workload.toString() : job.toString();
  }

  /** {@return a text with the names of jobs in place of their workloads} */
  String translate(String text) {
    return ID.matcher(text).replaceAll(found -> {
      JobName job = jobs.get(found.group(1));
      return Matcher.quoteReplacement(job == null ? found.group() : job.toString());
    });
  }
}
