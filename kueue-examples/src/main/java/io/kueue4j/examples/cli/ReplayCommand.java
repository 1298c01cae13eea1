package io.kueue4j.examples.cli;

import com.google.common.collect.EnumMultiset;
import com.google.common.collect.Multiset;
import io.kueue4j.examples.conformance.ScenarioResult;
import io.kueue4j.examples.conformance.ScenarioResult.Verdict;
import io.kueue4j.examples.conformance.VectorFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays conformance vectors and prints how many scenarios agree. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "replay",
    description = {
      "Plays conformance vectors: compares the engine's decisions with recorded ones of Kueue.",
      "Two formats are recognized by their content: scenarios with steps and outcomes, and scenarios"
          + " SUITE.in.gz of the scheduler, whose outcomes are in SUITE.up.jsonl.gz beside them."
    },
    exitCodeList = {"0:every scenario agrees", "1:some differ", "2:a file cannot be used"})
public final class ReplayCommand extends ExampleCommand {
  @Option(
      names = {"-v", "--verbose"},
      description =
          "Print the first difference of each scenario that differs, and why scenarios are refused.")
  private boolean verbose;

  @Option(
      names = "--without-preemption",
      description = "Leave out the scenarios in which Kueue preempted workloads.")
  private boolean withoutPreemption;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files with one scenario in each line, gzipped if the name ends in .gz.")
  private List<Path> files;

  /** Creates the command; the command line sets its arguments. */
  public ReplayCommand() {}

  private static final class Tally {
    private final Multiset<Verdict> verdicts = EnumMultiset.create(Verdict.class);

    void add(ScenarioResult result) {
      verdicts.add(result.verdict());
    }

    int agreeing() {
      return verdicts.count(Verdict.AGREES);
    }

    /** {@return the number of scenarios that were compared} */
    int total() {
      return agreeing() + verdicts.count(Verdict.DIFFERS);
    }

    /** {@return the numbers of scenarios that were not compared, empty if there are none} */
    String others() {
      return other(" refused=", Verdict.REFUSED) + other(" unrecorded=", Verdict.UNRECORDED);
    }

    private String other(String label, Verdict verdict) {
      return verdicts.contains(verdict) ? label + verdicts.count(verdict) : "";
    }
  }

  @Override
  public Integer call() {
    Map<String, Tally> suites = new LinkedHashMap<>();
    Tally all = new Tally();
    // Printed only if all files can be read.
    StringBuilder explanations = new StringBuilder();
    play(result -> {
      suites.computeIfAbsent(result.suite(), suite -> new Tally()).add(result);
      all.add(result);
      result.explanation().ifPresent(text -> explanations.append(text).append('\n'));
    });
    PrintWriter out = spec.commandLine().getOut();
    if (verbose) {
      out.print(explanations);
    }
    suites.forEach((suite, tally) -> out.println("suite=" + suite + " agree=" + tally.agreeing()
        + " total=" + tally.total() + tally.others()));
    out.println("agreement " + all.agreeing() + "/" + all.total() + all.others());
    return all.agreeing() == all.total() ? ExitCodes.OK : ExitCodes.DISAGREEMENT;
  }

  private void play(Consumer<ScenarioResult> listener) {
    try (Progress progress = progress(files.size())) {
      for (Path file : files) {
        Optional<VectorFile> vectors = VectorFile.of(file, !withoutPreemption);
        if (vectors.isPresent()) {
          vectors.get().play(listener);
        } else {
          progress.erase();
          spec.commandLine()
              .getErr()
              .println("note: " + file + ": calls of kinds of jobs, which are not played here");
        }
        progress.add(1);
      }
    }
  }
}
