package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.simulation.StartEstimate;
import io.kueue4j.core.simulation.StartEstimator;
import io.kueue4j.examples.report.DurationText;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Says why one job waits, what would help, and when it is going to start. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "explain",
    description = {
      "Says why a job waits: its place in the queue, the reasons on all flavors, who holds the"
          + " quota, what would let it start, and when it is going to start.",
      "estimate says more about the start, admit more about the other jobs."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {
      "  kueue4j explain team-a/train queues.yaml jobs/",
      "  kueue4j explain team-a/train --context prod --default-duration PT4H"
    })
public final class ExplainCommand extends ExampleCommand {
  /** Enough for quartiles; durations by annotation or limit need only one. */
  private static final int SAMPLES = 100;

  private static final Duration HORIZON = Duration.ofDays(30);

  @Parameters(
      index = "0",
      paramLabel = "JOB",
      description = "The job, by namespace/name, or by name if only one job is called so.")
  private String name;

  @Parameters(
      index = "1..*",
      paramLabel = "PATH",
      arity = "0..*",
      description = "Files and folders with manifests, - for standard input.")
  private List<InputFile> paths = ImmutableList.of();

  @Option(
      names = "--default-duration",
      paramLabel = "DURATION",
      description = "How long jobs run that have no annotation and no maximum execution time, such"
          + " as PT2H; for ever unless set.")
  private Optional<Duration> defaultDuration = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set.")
  private Output output;

  @Mixin
  private SimulatedState state;

  @Mixin
  private ClusterInput cluster;

  /** The formats of the result. */
  enum Output {
    TEXT,
    JSON;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public ExplainCommand() {}

  @Override
  public Integer call() {
    defaultDuration.filter(Duration::isNegative).ifPresent(duration -> {
      throw new ParameterException(
          spec.commandLine(), "--default-duration is " + duration + ", expected 0 or more");
    });
    ManifestPlayer simulation = state.read(notes -> cluster.read(paths, notes));
    ImmutableList<JobReport> jobs =
        simulation.phase("now", each -> each.isCalled(name)).jobs();
    JobReport job = asked(jobs);
    if (job.status() == JobStatus.PENDING) {
      job = job.withExplanation(simulation.engine().explain(job.job().workload().id()));
    }
    Instant now = cluster.isGiven() && Instant.now().isAfter(simulation.now())
        ? Instant.now()
        : simulation.now();
    Optional<StartEstimate> estimate = job.status() == JobStatus.PENDING
        ? Optional.of(estimate(simulation, jobs, job.job(), now))
        : Optional.empty();
    if (output == Output.JSON) {
      printJson(job, estimate);
    } else {
      print(job, estimate, now);
    }
    return ExitCodes.OK;
  }

  private JobReport asked(ImmutableList<JobReport> jobs) {
    List<JobReport> called =
        jobs.stream().filter(job -> job.job().isCalled(name)).toList();
    if (called.isEmpty()) {
      throw new InputException("there is no job " + name + "; "
          + SimulatedJob.existing(jobs.stream().map(JobReport::job).toList()));
    }
    if (called.size() > 1) {
      throw new InputException("several jobs are called " + name + ": "
          + String.join(
              ", ",
              called.stream()
                  .map(job -> job.job().namespace() + "/" + job.job().name())
                  .distinct()
                  .toList())
          + "; give the namespace, too");
    }
    return called.get(0);
  }

  private StartEstimate estimate(
      ManifestPlayer simulation, ImmutableList<JobReport> jobs, SimulatedJob job, Instant now) {
    if (defaultDuration.isEmpty()) {
      ExpectedDurations.noteUnknown(jobs, spec.commandLine().getErr());
    }
    return StartEstimator.from(simulation.engine().view(), now)
        .durations(ExpectedDurations.of(ImmutableList.of(), defaultDuration))
        .horizon(HORIZON)
        .samples(SAMPLES, 0)
        .estimate(job.workload().id());
  }

  private void print(JobReport job, Optional<StartEstimate> estimate, Instant now) {
    Screen out = screen();
    ExplanationReport.print(job, out);
    estimate.ifPresent(found -> out.printWrapped("  starts: " + start(found, now)));
    spec.commandLine().getOut().flush();
  }

  private static String start(StartEstimate estimate, Instant now) {
    if (estimate.p10().isEmpty()) {
      return "not within " + HORIZON.toDays() + " days, as far as durations are known";
    }
    String first = after(estimate.p10(), now);
    String last = after(estimate.p90(), now);
    return first.equals(last)
        ? "after " + first
        : "after " + first + " (P10), " + after(estimate.p50(), now) + " (P50), " + last + " (P90)";
  }

  private static String after(Optional<Instant> time, Instant now) {
    return time.map(start -> DurationText.text(Duration.between(now, start))).orElse("never");
  }

  private void printJson(JobReport job, Optional<StartEstimate> estimate) {
    ObjectNode root = JsonReport.newObject();
    JsonReport.write(job, root);
    estimate.ifPresentOrElse(
        found -> root.putObject("start")
            .put("p10", found.p10().map(Instant::toString).orElse(null))
            .put("p50", found.p50().map(Instant::toString).orElse(null))
            .put("p90", found.p90().map(Instant::toString).orElse(null))
            .put("neverShare", found.neverShare())
            .put("samples", found.samples()),
        () -> root.putNull("start"));
    JsonReport.print(root, spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
  }
}
