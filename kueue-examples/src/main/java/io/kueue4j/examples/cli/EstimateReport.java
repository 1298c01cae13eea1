package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Promise;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.StartEstimate;
import io.kueue4j.core.simulation.StartEstimate.Blocker;
import io.kueue4j.core.simulation.StartEstimate.State;
import io.kueue4j.examples.report.DurationText;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Prints estimates.
 *
 * @param now the time of the estimates
 * @param wanted the number of samples that were asked for
 * @param seed the seed of the samples
 * @param jobs the jobs with their estimates, in the order of the output
 * @param names the names of jobs by their workloads
 */
record EstimateReport(
    Instant now,
    int wanted,
    long seed,
    Map<SimulatedJob, StartEstimate> jobs,
    Map<WorkloadId, String> names) {
  private static final int SHOWN_BLOCKERS = 2;

  void print(Screen out, boolean wide) {
    if (jobs.isEmpty()) {
      out.println("no job waits at " + now);
      return;
    }
    int samples = jobs.values().stream().mapToInt(StartEstimate::samples).min().orElse(0);
    out.println(String.format(
        Locale.ROOT, "starts after %s, by %,d samples of seed %d", now, samples, seed));
    if (samples < wanted) {
      out.println(
          String.format(Locale.ROOT, "ended early, after %,d of %,d samples", samples, wanted));
    }
    int leftOut = jobs.values().stream().mapToInt(StartEstimate::leftOut).max().orElse(0);
    if (leftOut > 0) {
      out.println(String.format(Locale.ROOT, "without %,d jobs that wait far behind", leftOut));
    }
    out.println();
    boolean arePromised = arePromised();
    List<String> header = new ArrayList<>(
        List.of("NAME", "NAMESPACE", "QUEUE", "STATUS", "P10", "P50", "P90", "NEVER"));
    if (arePromised) {
      header.addAll(List.of("AT THE LATEST", "RESTS ON"));
    }
    header.add("WAITS FOR");
    if (wide) {
      header.add("EARLIER IF");
    }
    TextTable table = new TextTable(header);
    jobs.forEach((job, estimate) -> {
      List<String> cells = new ArrayList<>(List.of(
          job.name(),
          job.namespace(),
          job.workload().queueName(),
          status(estimate),
          text(estimate, estimate.p10()),
          text(estimate, estimate.p50()),
          text(estimate, estimate.p90()),
          percent(estimate.neverShare())));
      if (arePromised) {
        Optional<Promise> promise = estimate.explanation().promise();
        cells.add(promise
            .map(made -> DurationText.text(Duration.between(now, made.start())))
            .orElse(TableReport.NONE));
        cells.add(promise.map(EstimateReport::basis).orElse(TableReport.NONE));
      }
      cells.add(blockers(estimate));
      if (wide) {
        cells.add(estimate.explanation().remedy().map(Remedy::message).orElse(TableReport.NONE));
      }
      table.add(cells);
    });
    table.print(out);
  }

  private boolean arePromised() {
    return jobs.values().stream()
        .anyMatch(estimate -> estimate.explanation().promise().isPresent());
  }

  private static String basis(Promise promise) {
    return (promise.restsOnLimits() ? "limits" : "expected durations")
        + (promise.borrows() ? ", borrowed quota" : "");
  }

  private static String status(StartEstimate estimate) {
    return estimate.state() == State.ADMITTED ? "Admitted" : "Pending";
  }

  private String text(StartEstimate estimate, Optional<Instant> time) {
    if (estimate.state() == State.ADMITTED) {
      return TableReport.NONE;
    }
    return time.map(at -> DurationText.text(Duration.between(now, at))).orElse("never");
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private String blockers(StartEstimate estimate) {
    if (estimate.blockers().isEmpty()) {
      return TableReport.NONE;
    }
    List<Blocker> all = estimate.blockers();
    String shown = String.join(
        ", ",
        all.stream()
            .limit(SHOWN_BLOCKERS)
            .map(blocker -> name(blocker.workload()) + " " + percent(blocker.share()))
            .toList());
    return all.size() > SHOWN_BLOCKERS ? shown + ", …" : shown;
  }

  private String name(WorkloadId workload) {
    return names.getOrDefault(workload, workload.name());
  }

  void printCsv(PrintWriter out) {
    boolean arePromised = arePromised();
    out.print("namespace,job,local_queue,status,p10,p50,p90,never_share,samples,left_out"
        + (arePromised ? ",promised_start\n" : "\n"));
    jobs.forEach((job, estimate) -> {
      ImmutableList.Builder<String> cells = ImmutableList.<String>builder()
          .add(
              job.namespace(),
              job.name(),
              job.workload().queueName(),
              status(estimate),
              time(estimate.p10()),
              time(estimate.p50()),
              time(estimate.p90()),
              String.format(Locale.ROOT, "%.3f", estimate.neverShare()),
              String.valueOf(estimate.samples()),
              String.valueOf(estimate.leftOut()));
      if (arePromised) {
        cells.add(time(estimate.explanation().promise().map(Promise::start)));
      }
      out.print(JobsCsv.line(cells.build()));
    });
  }

  private static String time(Optional<Instant> time) {
    return time.map(Instant::toString).orElse("");
  }

  void printJson(PrintWriter out) {
    ObjectNode root = JsonReport.newObject().put("now", now.toString()).put("seed", seed);
    ArrayNode workloads = root.putArray("workloads");
    jobs.forEach((job, estimate) -> {
      ObjectNode json = workloads
          .addObject()
          .put("namespace", job.namespace())
          .put("name", job.name())
          .put("localQueue", job.workload().queueName())
          .put("status", status(estimate))
          .put("p10", estimate.p10().map(Instant::toString).orElse(null))
          .put("p50", estimate.p50().map(Instant::toString).orElse(null))
          .put("p90", estimate.p90().map(Instant::toString).orElse(null))
          .put("neverShare", estimate.neverShare())
          .put("samples", estimate.samples())
          .put("leftOut", estimate.leftOut());
      ArrayNode blockers = json.putArray("blockers");
      for (Blocker blocker : estimate.blockers()) {
        blockers
            .addObject()
            .put("namespace", blocker.workload().namespace())
            .put("name", name(blocker.workload()))
            .put("holdsQuota", blocker.holdsQuota())
            .put("share", blocker.share())
            .put("p10", blocker.p10().toString())
            .put("p50", blocker.p50().toString())
            .put("p90", blocker.p90().toString());
      }
      ExplanationJson.write(estimate.explanation(), json);
    });
    JsonReport.print(root, out);
  }
}
