package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.examples.tpu.study.Study;
import io.kueue4j.examples.tpu.study.StudyPolicy;
import io.kueue4j.examples.tpu.study.StudyReport;
import io.kueue4j.examples.tpu.study.StudyScenario;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Compares placement strategies for slices by simulation. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "study",
    description = {
      "Plays random jobs against ways to place TPU slices, the same jobs for each way, and prints how"
          + " well the machine was used: on one pod, on 8 pods, with bad hosts, on superpods of cubes.",
      "Everything but times is the same whenever it is run with the same options."
    },
    exitCodeList = {"0:done", "2:there is no such scenario or policy"})
public final class TpuStudyCommand extends ExampleCommand {
  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      description = "Run these only; --list tells their names.")
  private List<String> scenarios = List.of();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      split = ",",
      description = "Compare these only; --list tells their names.")
  private List<String> policies = List.of();

  @Option(
      names = {"--seeds", "--seed"},
      paramLabel = "SEED",
      split = ",",
      description = "One simulation for each seed; 1,2,3 unless set.")
  private List<Long> seeds = List.of(1L, 2L, 3L);

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Jobs of each simulation; as many as the scenario has unless set.")
  private Optional<Integer> jobs = Optional.empty();

  @Option(
      names = "--times",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether to print times, which are never the same twice; done unless negated.")
  private boolean times;

  @Option(names = "--list", description = "Print scenarios and policies, and run nothing.")
  private boolean list;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set.")
  private Output output;

  /** The formats of the result. */
  enum Output {
    TABLE,
    JSON;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public TpuStudyCommand() {}

  @Override
  public Integer call() {
    check("--scenario", scenarios, StudyScenario.ALL.stream().map(StudyScenario::name));
    ImmutableList<StudyScenario> chosen = StudyScenario.ALL.stream()
        .filter(each -> scenarios.isEmpty() || scenarios.contains(each.name()))
        .collect(toImmutableList());
    check(
        "--policy",
        policies,
        chosen.stream().flatMap(each -> each.policies().stream()).map(StudyPolicy::name));
    if (jobs.isPresent() && jobs.get() < 1) {
      throw new ParameterException(
          spec.commandLine(), "--jobs is " + jobs.get() + ", expected 1 or more");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      print(StudyReport.policies(chosen));
      return ExitCodes.OK;
    }
    Study study =
        new Study(chosen, ImmutableList.copyOf(policies), ImmutableList.copyOf(seeds), jobs);
    try (Progress progress = progress(study.jobCount())) {
      if (output == Output.JSON) {
        StudyJson.print(study, times, progress, out);
      } else {
        out.println(StudyReport.CAVEAT);
        study.run(progress::add, result -> {
          progress.erase();
          out.println();
          StudyReport.heading(result, study.seeds()).forEach(out::println);
          print(StudyReport.rows(result, times));
        });
      }
    }
    return ExitCodes.OK;
  }

  private void check(String option, List<String> given, Stream<String> known) {
    ImmutableSet<String> names = known.collect(ImmutableSet.toImmutableSet());
    for (String name : given) {
      if (!names.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            option + " is " + name + ", expected one of " + String.join(", ", names));
      }
    }
  }

  private void print(ImmutableList<ImmutableList<String>> rows) {
    TextTable.of(rows).print(screen());
    spec.commandLine().getOut().flush();
  }
}
