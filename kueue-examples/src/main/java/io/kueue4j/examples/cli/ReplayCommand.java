package io.kueue4j.examples.cli;

import io.kueue4j.examples.conformance.ScenarioFile;
import io.kueue4j.examples.conformance.ScenarioResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays conformance vectors and says how many scenarios agree. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "replay",
    description = "Plays conformance vectors: recorded decisions of Kueue, against the engine's.",
    exitCodeList = {"0:every scenario agrees", "1:some differ", "2:a file cannot be used"})
public final class ReplayCommand extends ExampleCommand {
  @Option(
      names = {"-v", "--verbose"},
      description = "Print the first difference of each scenario that differs.")
  private boolean verbose;

  @Option(
      names = "--without-preemption",
      description = "Leave out the scenarios in which Kueue preempted workloads.")
  private boolean withoutPreemption;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files with one scenario in each line: .jsonl or .jsonl.gz.")
  private List<Path> files;

  /** Creates the command without its arguments, which the command line sets. */
  public ReplayCommand() {}

  private static final class Tally {
    private int agreeing;
    private int total;

    void add(ScenarioResult result) {
      agreeing += result.agrees() ? 1 : 0;
      total++;
    }
  }

  @Override
  public Integer call() {
    Map<String, Tally> suites = new LinkedHashMap<>();
    Tally all = new Tally();
    // Printed only when all files turned out to be good.
    StringBuilder differences = new StringBuilder();
    for (Path file : files) {
      new ScenarioFile(file, !withoutPreemption).play(result -> {
        suites.computeIfAbsent(result.suite(), suite -> new Tally()).add(result);
        all.add(result);
        result.difference().ifPresent(text -> differences.append(text).append('\n'));
      });
    }
    PrintWriter out = spec.commandLine().getOut();
    if (verbose) {
      out.print(differences);
    }
    suites.forEach((suite, tally) ->
        out.println("suite=" + suite + " agree=" + tally.agreeing + " total=" + tally.total));
    out.println("agreement " + all.agreeing + "/" + all.total);
    return all.agreeing == all.total ? ExitCodes.OK : ExitCodes.DISAGREEMENT;
  }
}
