package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.simulation.SimulationJob;
import io.kueue4j.core.simulation.StartEstimate;
import io.kueue4j.core.simulation.StartEstimator;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.history.HistoryFile;
import io.kueue4j.examples.history.HistoryFormat;
import io.kueue4j.examples.history.HistoryPlan;
import io.kueue4j.examples.history.QueueMapping;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.examples.sweep.ParallelTasks;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Says when jobs that wait are going to start. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "estimate",
    description = {
      "Says when jobs that wait are going to start: simulates the cluster many times from its"
          + " present state, with durations of jobs by annotation, history or limit.",
      "Every decision is made as by Kueue. Ctrl-C ends it with the samples so far."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {
      "  kueue4j estimate --context prod --history workloads.json",
      "  kueue4j estimate state.yaml --workload team-a/train --default-duration PT2H"
    })
public final class EstimateCommand extends ExampleCommand {
  @Option(
      names = "--workload",
      paramLabel = "NAME",
      description = "Estimate this job only, by name or namespace/name. May be repeated; all that"
          + " wait unless set.")
  private List<String> names = ImmutableList.of();

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "Jobs that have finished, in one of the formats that simulate reads: jobs run"
          + " as long as similar ones.")
  private Optional<InputFile> history = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "HISTORY-FORMAT",
      description = "The format of the history, one of ${COMPLETION-CANDIDATES}; found out by its"
          + " first line unless set.")
  private Optional<HistoryFormat> format = Optional.empty();

  @Option(
      names = "--map",
      paramLabel = "FILE",
      description = "A file of YAML that says into which queues the jobs of the history go.")
  private Optional<InputFile> map = Optional.empty();

  @Option(names = "--arrivals", description = "Let jobs arrive as in the history.")
  private boolean arrivals;

  @Option(
      names = "--default-duration",
      paramLabel = "DURATION",
      description = "How long jobs run that have no annotation, no history and no maximum execution"
          + " time, such as PT2H; for ever unless set.")
  private Optional<Duration> defaultDuration = Optional.empty();

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description = "The time of the state, such as 2026-01-31T12:00:00Z; unless set, when files"
          + " last changed, the present for a cluster.")
  private Optional<Instant> now = Optional.empty();

  @Option(
      names = "--horizon",
      paramLabel = "DURATION",
      defaultValue = "P30D",
      description = "How far to look ahead; ${DEFAULT-VALUE} unless set.")
  private Duration horizon;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "200",
      description = "How often to simulate; ${DEFAULT-VALUE} unless set.")
  private int samples;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "The seed of the samples; ${DEFAULT-VALUE} unless set. Equal input gives equal"
          + " output.")
  private long seed;

  @Option(
      names = "--behind",
      paramLabel = "N",
      defaultValue = "" + StartEstimator.DEFAULT_BEHIND,
      description =
          "How many jobs to simulate that wait behind the estimated jobs; ${DEFAULT-VALUE}"
              + " unless set. They start earlier only where the jobs before them do not fit, and each"
              + " takes time.")
  private int behind;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many samples are simulated at the same time; the number of processors"
          + " unless set. The output does not depend on it.")
  private Optional<Integer> threads = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set.")
  private Output output;

  @Mixin
  private SimulatedState state;

  @Mixin
  private StateInput input;

  /** The formats of the result. */
  enum Output {
    TABLE,
    WIDE,
    JSON,
    CSV;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public EstimateCommand() {}

  @Override
  public Integer call() {
    check(samples > 0, "--samples is " + samples + ", expected 1 or more");
    threads.ifPresent(
        number -> check(number >= 1, "--threads is " + number + ", expected 1 or more"));
    check(behind >= 0, "--behind is " + behind + ", expected 0 or more");
    check(!horizon.isNegative(), "--horizon is " + horizon + ", expected 0 or more");
    check(!arrivals || history.isPresent(), "--arrivals needs --history");
    check(map.isEmpty() || history.isPresent(), "--map needs --history");
    check(format.isEmpty() || history.isPresent(), "--format needs --history");
    defaultDuration.ifPresent(duration -> check(
        !duration.isNegative(), "--default-duration is " + duration + ", expected 0 or more"));
    ManifestPlayer simulation = state.read(input::read);
    ImmutableList<JobReport> jobs = simulation.phase("now", job -> false).jobs();
    Set<SimulatedJob> asked = asked(jobs);
    ImmutableList<SimulationJob> past = past(simulation);
    if (past.isEmpty() && defaultDuration.isEmpty()) {
      ExpectedDurations.noteUnknown(jobs, spec.commandLine().getErr());
    }
    Instant time = time(simulation);
    StartEstimator estimator = StartEstimator.from(simulation.engine().view(), time)
        .durations(ExpectedDurations.of(past, defaultDuration))
        .arrivals(arrivals ? past : ImmutableList.of())
        .horizon(horizon)
        .behind(behind)
        .parts(
            threads.orElseGet(Runtime.getRuntime()::availableProcessors), EstimateCommand::runAll)
        .samples(samples, seed);
    try (Interruption interruption = Interruption.watch()) {
      print(new EstimateReport(
          time,
          samples,
          seed,
          estimate(estimator, asked, interruption),
          jobs.stream()
              .map(JobReport::job)
              .collect(toImmutableMap(job -> job.workload().id(), SimulatedJob::name))));
    }
    return ExitCodes.OK;
  }

  private void check(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private static void runAll(List<Runnable> parts) {
    List<Callable<Boolean>> tasks = new ArrayList<>();
    parts.forEach(part -> tasks.add(Executors.callable(part, true)));
    ImmutableList<Boolean> unused = ParallelTasks.run(parts.size(), "estimate", tasks);
  }

  private Map<SimulatedJob, StartEstimate> estimate(
      StartEstimator estimator, Set<SimulatedJob> jobs, Interruption interruption) {
    Map<WorkloadId, StartEstimate> estimates;
    try (Progress progress = progress(samples).withRate("samples")) {
      estimates =
          estimator.estimate(jobs.stream().map(job -> job.workload().id()).toList(), done -> {
            progress.set(done);
            return !interruption.isRequested();
          });
    } catch (IllegalArgumentException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    estimates.values().stream().limit(1).forEach(any -> warnOfLoops(any.repeatedStops()));
    Map<SimulatedJob, StartEstimate> byJob = new LinkedHashMap<>();
    for (SimulatedJob job : jobs) {
      StartEstimate estimate = estimates.get(job.workload().id());
      if (estimate != null) {
        byJob.put(job, estimate);
      }
    }
    return byJob;
  }

  /** {@return the jobs to estimate, in the order of the options, otherwise of their creation} */
  private Set<SimulatedJob> asked(List<JobReport> jobs) {
    Set<SimulatedJob> found = new LinkedHashSet<>();
    if (names.isEmpty()) {
      jobs.stream()
          .filter(job -> job.status() == JobStatus.PENDING)
          .forEach(job -> found.add(job.job()));
    }
    for (String name : names) {
      List<SimulatedJob> called =
          JobReport.unfinished(jobs).stream().filter(job -> job.isCalled(name)).toList();
      if (called.isEmpty()) {
        throw new InputException("--workload: there is no job " + name + " that waits or runs; "
            + SimulatedJob.existing(JobReport.unfinished(jobs)));
      }
      found.addAll(called);
    }
    return found;
  }

  /** {@return the jobs of the history in the queues of the cluster, in the order of their ends} */
  private ImmutableList<SimulationJob> past(ManifestPlayer simulation) {
    if (history.isEmpty()) {
      return ImmutableList.of();
    }
    History read = HistoryFile.read(
        history.get(), new HistoryFile.Options(format, "cpu", Optional.empty(), Integer.MAX_VALUE));
    HistoryNotes.print(read, history.get(), state.isStrict(), spec.commandLine().getErr());
    HistoryPlan plan = HistoryPlan.of(
        read,
        simulation.configuration(ConfigObject.class),
        map.map(QueueMapping::read).orElse(QueueMapping.NONE));
    return ImmutableList.sortedCopyOf(
        Comparator.comparing(job -> job.submitTime().plus(job.duration())), plan.jobs());
  }

  private Instant time(ManifestPlayer simulation) {
    Instant last = simulation.now();
    Instant asked = now.orElseGet(() -> input.isLive() ? Instant.now() : last);
    if (asked.isBefore(last)) {
      check(now.isEmpty(), "--now is " + asked + ", before the last change at " + last);
      return last;
    }
    return asked;
  }

  private void print(EstimateReport report) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case TABLE -> report.print(screen(), false);
      case WIDE -> report.print(screen(), true);
      case JSON -> report.printJson(out);
      case CSV -> report.printCsv(out);
    }
    out.flush();
  }
}
