package io.kueue4j.examples.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.simulation.Simulation.Observer;
import io.kueue4j.examples.report.SweepReport;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.sweep.Goal;
import io.kueue4j.examples.sweep.GoalSearch;
import io.kueue4j.examples.sweep.GridFile;
import io.kueue4j.examples.sweep.IndexedJob;
import io.kueue4j.examples.sweep.PointResult;
import io.kueue4j.examples.sweep.SweepGrid;
import io.kueue4j.examples.sweep.SweepJson;
import io.kueue4j.examples.sweep.SweepMerge;
import io.kueue4j.examples.sweep.SweepResult;
import io.kueue4j.examples.sweep.SweepRunner;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Simulates a grid of configurations, policies, loads and histories. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "sweep",
    description = {
      "Simulates a grid: histories of jobs with each of several configurations, policies, quotas,"
          + " numbers of nodes, loads and seeds. Uses all processors; the result does not depend on"
          + " their number.",
      "Ctrl-C ends it with the points that are done. With --of N it simulates a part of the points,"
          + " and --merge joins the results of all parts; --manifest prints an Indexed Job of"
          + " Kubernetes that runs the parts."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"})
public final class SweepCommand extends ExampleCommand {
  @Parameters(
      paramLabel = "GRID",
      arity = "0..1",
      description = "The file that describes the grid, in YAML.")
  private @Nullable InputFile file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set. There is a line"
          + " for each point.")
  private Output output;

  @Option(
      names = "--by-queue",
      description = "Also print a line for each ClusterQueue of each point.")
  private boolean byQueue;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also write a page of HTML with charts into that file, which needs no network;"
          + " into standard output for -, and print nothing else.")
  private Optional<OutputFile> report = Optional.empty();

  @Option(
      names = "--goal",
      paramLabel = "FIGURE=LIMIT",
      description = "Say with which smallest quota or number of nodes mean, p50, p90, p95, p99 or"
          + " max of waits, slowdown or preemptions are within a limit, such as p95=PT1H; with all"
          + " seeds, and without more jobs that never end than with the largest.")
  private Optional<String> goal = Optional.empty();

  @Option(
      names = "--along",
      paramLabel = "NAME",
      description = "The name of that quota or number of nodes, if several have several values.")
  private Optional<String> along = Optional.empty();

  @Option(
      names = "--bisect",
      description = "With --goal: simulate only the points that bisection needs. Right only if the"
          + " goal is met with every amount above one with which it is met, which Kueue does not"
          + " guarantee.")
  private boolean bisect;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many points are simulated at the same time; the number of processors"
          + " unless set.")
  private Optional<Integer> threads = Optional.empty();

  @Option(
      names = "--of",
      paramLabel = "N",
      description = "Simulate one of N parts, which --merge joins.")
  private Optional<Integer> of = Optional.empty();

  @Option(
      names = "--index",
      paramLabel = "I",
      defaultValue = "${env:JOB_COMPLETION_INDEX}",
      description = "With --of: which part, from 0; that in the variable JOB_COMPLETION_INDEX"
          + " unless set.")
  private Optional<Integer> index = Optional.empty();

  @Option(
      names = "--merge",
      paramLabel = "FILE",
      arity = "1..*",
      description = "Simulate nothing, but join the results of all parts: what -o json has printed,"
          + " or the logs of the pods.")
  private List<InputFile> merge = ImmutableList.of();

  @Option(
      names = "--strict",
      description =
          "Take bad lines, and what manifests have that is passed over otherwise, for errors.")
  private boolean strict;

  @Mixin
  private SweepJobOptions job;

  /** The formats of the result. */
  enum Output {
    TABLE,
    JSON,
    CSV;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public SweepCommand() {}

  @Override
  public Integer call() {
    checkOptions();
    if (!merge.isEmpty()) {
      print(merged());
      return ExitCodes.OK;
    }
    GridFile.Result read = GridFile.read(gridFile());
    if (job.isManifest()) {
      printManifest(read);
      return ExitCodes.OK;
    }
    SweepInput input = SweepInput.read(read.grid(), strict, spec.commandLine().getErr());
    SweepResult grid = new SweepResult(
        read.inputs().digest(Version.number()),
        Version.number(),
        read.grid().axes(),
        part(),
        ImmutableList.of());
    try (Interruption interruption = Interruption.watch()) {
      print(simulate(grid, read.grid(), input, interruption));
    }
    return ExitCodes.OK;
  }

  private void checkOptions() {
    check(
        merge.isEmpty() != (file == null),
        merge.isEmpty() ? "Missing required parameter: 'GRID'" : "expected either GRID or --merge");
    check(!bisect || goal.isPresent(), "--bisect needs --goal");
    check(along.isEmpty() || goal.isPresent(), "--along needs --goal");
    check(
        !bisect || (of.isEmpty() && merge.isEmpty()),
        "--bisect chooses points by the results of others, so it cannot be divided into parts");
    threads.ifPresent(
        number -> check(number >= 1, "--threads is " + number + ", expected 1 or more"));
    of.ifPresent(number -> check(number >= 1, "--of is " + number + ", expected 1 or more"));
    check(!job.isManifest() || of.isPresent(), "--manifest needs --of, the number of pods");
    check(!job.isManifest() || merge.isEmpty(), "expected either --manifest or --merge");
  }

  private void check(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private InputFile gridFile() {
    if (file == null) {
      throw new IllegalStateException("the file was checked before");
    }
    return file;
  }

  private Optional<SweepResult.Part> part() {
    if (of.isEmpty()) {
      return Optional.empty();
    }
    check(
        index.isPresent(),
        "--of needs --index, or the variable JOB_COMPLETION_INDEX of an Indexed Job");
    int number = index.orElse(0);
    check(
        number >= 0 && number < of.get(),
        "--index is " + number + ", expected 0 to " + (of.get() - 1));
    return Optional.of(new SweepResult.Part(number, of.get()));
  }

  private SweepResult merged() {
    Map<String, SweepResult> parts = new LinkedHashMap<>();
    for (InputFile each : merge) {
      SweepJson.read(each)
          .forEach((name, part) -> check(parts.put(name, part) == null, name + " is named twice"));
    }
    return SweepMerge.merge(parts);
  }

  private void printManifest(GridFile.Result read) {
    int parts = of.orElse(1);
    check(
        parts <= read.grid().size(),
        "--of is " + parts + ", but the grid has " + read.grid().size() + " points");
    PrintWriter out = spec.commandLine().getOut();
    IndexedJob.of(read.inputs(), job.job(parts))
        .forEach(object -> out.print(Serialization.asYaml(object)));
    out.flush();
  }

  private SweepResult simulate(
      SweepResult empty, SweepGrid grid, SweepInput input, Interruption interruption) {
    List<Integer> all = IntStream.range(0, empty.size())
        .filter(point -> empty.part().filter(part -> !part.contains(point)).isEmpty())
        .boxed()
        .toList();
    List<PointResult> done = new ArrayList<>();
    Optional<GoalSearch> search = search(empty);
    try (Progress progress = progress(input.jobs(all)).withRate("jobs")) {
      SweepRunner runner = new SweepRunner(
          threads.orElseGet(Runtime.getRuntime()::availableProcessors),
          point -> interruption.isRequested()
              ? Optional.empty()
              : input.simulate(point, following(progress, interruption)));
      done.addAll(
          bisect && search.isPresent() ? search.get().bisect(runner::run) : runner.run(all));
    }
    if (interruption.isRequested()) {
      spec.commandLine()
          .getErr()
          .println(
              "warning: interrupted; " + done.size() + " of " + grid.size() + " points are done");
    }
    return new SweepResult(
        empty.digest(), empty.version(), empty.axes(), empty.part(), ImmutableList.copyOf(done));
  }

  /** {@return what adds the jobs that end to the progress of all points} */
  private static Observer following(Progress progress, Interruption interruption) {
    int[] counted = {0};
    return status -> {
      progress.add(status.endedJobs() - (long) counted[0]);
      counted[0] = status.endedJobs();
      return !interruption.isRequested();
    };
  }

  private Optional<GoalSearch> search(SweepResult result) {
    return goal.map(text -> new GoalSearch(result.axes(), Goal.parse(text), along));
  }

  private void print(SweepResult result) {
    warnOfLoops(result.points().stream()
        .flatMap(point -> point.repeatedStops().stream())
        .distinct()
        .toList());
    report.ifPresent(page -> page.write(SweepReport.write(result, CommandText.of(spec))));
    if (report.filter(OutputFile::isStandardOutput).isPresent()) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    Optional<GoalSearch> search = search(result);
    switch (output) {
      case TABLE -> {
        new SweepTables(result, byQueue).table(screen());
        search.ifPresent(
            each -> SweepTables.answers(each, each.answers(result.points()), bisect, screen()));
      }
      case JSON -> {
        ObjectNode root = JsonReport.newObject();
        SweepJson.write(result, root);
        search.ifPresent(each -> answers(each, each.answers(result.points()), root));
        JsonReport.print(root, out);
      }
      case CSV -> new SweepTables(result, byQueue).csv(out);
    }
    out.flush();
  }

  private static void answers(GoalSearch search, List<GoalSearch.Answer> answers, ObjectNode root) {
    ObjectNode json = root.putObject("goal")
        .put("figure", search.goal().figure().toString())
        .put("atMost", search.goal().atMost())
        .put("along", search.axis());
    ArrayNode array = json.putArray("answers");
    for (GoalSearch.Answer answer : answers) {
      ObjectNode added = array.addObject();
      ObjectNode values = added.putObject("values");
      answer.others().forEach(values::put);
      added
          .put("smallest", answer.amount().orElse(null))
          .put("unfinished", answer.unfinished())
          .put("monotone", answer.isMonotone());
    }
  }
}
