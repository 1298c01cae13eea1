package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.Comparison;
import io.kueue4j.core.simulation.Comparison.Divergence;
import io.kueue4j.core.simulation.JobResult;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.report.LargeJobs;
import io.kueue4j.examples.report.Utilisation;
import io.kueue4j.examples.report.Waiters;
import io.kueue4j.examples.sweep.SummaryJson;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Prints results of simulations as JSON. Durations are in seconds. */
final class SimulationJson {
  private static final int MAX_LONGEST = 10;

  private SimulationJson() {}

  static void print(SimulationResult result, History history, int largePercent, PrintWriter out) {
    ObjectNode root = JsonReport.newObject().put("history", history.source());
    write(result, LargeJobs.of(result.configuration(), largePercent), root);
    JsonReport.print(root, out);
  }

  static void print(Comparison comparison, History history, int largePercent, PrintWriter out) {
    ObjectNode root = JsonReport.newObject().put("history", history.source());
    comparison
        .firstDivergence()
        .ifPresentOrElse(
            first -> write(first, root.putObject("firstDifference")),
            () -> root.putNull("firstDifference"));
    root.put("changedJobs", comparison.changedJobs().size());
    LargeJobs large = LargeJobs.of(comparison.base().configuration(), largePercent);
    write(comparison.base(), large, root.putObject("before"));
    write(comparison.other(), large, root.putObject("after"));
    JsonReport.print(root, out);
  }

  private static void write(Divergence first, ObjectNode json) {
    json.put("time", first.time().toString())
        .put("job", first.job().map(WorkloadId::toString).orElse(null))
        .put("event", first.event())
        .put("only", first.inBase() ? "before" : "after");
    ArrayNode reasons = json.putArray("reasons");
    first.reasons().forEach(reason -> reasons.add(reason.toString()));
  }

  private static void write(SimulationResult result, LargeJobs large, ObjectNode root) {
    root.put("end", result.end().toString())
        .put("startTime", result.startTime().toString())
        .put("endTime", result.endTime().toString())
        .put("events", result.events())
        .put("cycles", result.cycles())
        .put("admissions", result.admissions())
        .put("digest", result.digest());
    ObjectNode total = root.putObject("total");
    SummaryJson.write(result.total(), total);
    ObjectNode cluster = total.putObject("utilisation");
    Utilisation.ofCluster(result)
        .forEach(used -> cluster
            .putObject(used.resource())
            .put("meanUsed", used.used())
            .put("meanNominal", used.nominal())
            .put("meanWanted", used.wantedAmount()));
    SummaryJson.write(large.summaryOf(result), root.putObject("largeJobs"));
    ObjectNode queues = root.putObject("clusterQueues");
    Map<String, Map<String, Utilisation>> utilisation = Utilisation.byResource(result);
    result.by(JobResult::clusterQueue).forEach((name, jobs) -> {
      ObjectNode queue = queues.putObject(name);
      SummaryJson.write(jobs, queue);
      ObjectNode resources = queue.putObject("utilisation");
      utilisation
          .getOrDefault(name, Map.of())
          .forEach((resource, used) -> resources
              .putObject(resource)
              .put("meanUsed", used.used())
              .put("meanNominal", used.nominal()));
    });
    write(
        result.by(job -> Optional.of(
            job.job().workload().namespace() + "/" + job.job().workload().queueName())),
        root.putObject("localQueues"));
    write(result.by(JobResult::flavor), root.putObject("flavors"));
    write(result.by(JobResult::group), root.putObject("groups"));
    write(result.by(JobResult::user), root.putObject("users"));
    ArrayNode longest = root.putArray("longestWaits");
    Waiters.longestJobs(result, MAX_LONGEST).forEach(job -> write(job, longest.addObject()));
  }

  private static void write(JobResult job, ObjectNode json) {
    Workload workload = job.job().workload();
    json.put("name", workload.name())
        .put("namespace", workload.namespace())
        .put("clusterQueue", job.clusterQueue().orElse(null))
        .put("waitSeconds", job.waited().toMillis() / 1000.0)
        .put("submitted", job.submitted().map(Instant::toString).orElse(null))
        .put("started", job.started().map(Instant::toString).orElse(null));
    job.promisedStart().ifPresent(start -> json.put("firstPromisedStart", start.toString()));
    ObjectNode requests = json.putObject("requests");
    workload.totalRequests().forEach(requests::put);
  }

  private static void write(Map<String, JobSummary> groups, ObjectNode json) {
    groups.forEach((name, jobs) -> SummaryJson.write(jobs, json.putObject(name)));
  }
}
