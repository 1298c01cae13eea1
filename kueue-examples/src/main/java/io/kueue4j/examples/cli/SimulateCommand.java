package io.kueue4j.examples.cli;

import com.google.common.base.Ascii;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.core.simulation.SimulationResult;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.report.About;
import io.kueue4j.examples.report.SimulationReport;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates a history of jobs in queues, and says how long they waited. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "simulate",
    description = {
      "Plays a history of jobs in virtual time, with the queues that you name, and says how long"
          + " jobs waited, what was preempted and how well quota was used.",
      "Every decision is made as by Kueue. Ctrl-C ends it with the results so far."
    },
    exitCodeList = {"0:done", "2:the input cannot be used"},
    footerHeading = ExampleCommand.EXAMPLES,
    footer = {
      "  kueue4j simulate history.swf",
      "  kueue4j simulate history.jsonl --config queues.yaml --map map.yaml --report report.html"
    })
public final class SimulateCommand extends ExampleCommand {
  @Mixin
  private HistoryOptions options;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "One of ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless set. As csv, one line"
          + " for each job; as html, a page with charts, which needs no network.")
  private Output output;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also write the page of -o html into that file; into standard output for -, and"
          + " print nothing else.")
  private Optional<OutputFile> report = Optional.empty();

  /** The formats of the result. */
  enum Output {
    TABLE,
    JSON,
    CSV,
    HTML;

    /** {@return the name for users} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /** Creates the command; the command line sets its arguments. */
  public SimulateCommand() {}

  @Override
  public Integer call() {
    History history = options.history();
    Simulation simulation = options.simulation(history).simulation();
    try (Interruption interruption = Interruption.watch()) {
      SimulationResult result = run(simulation, interruption);
      warnOfLoops(result.repeatedStops());
      report.ifPresent(file -> html(result, interruption).ifPresent(file::write));
      if (report.filter(OutputFile::isStandardOutput).isEmpty()) {
        print(result, history, interruption);
      }
    }
    return ExitCodes.OK;
  }

  private SimulationResult run(Simulation simulation, Interruption interruption) {
    try (Progress progress = progress(simulation.trace().size()).withRate("jobs")) {
      return simulation.run(status -> {
        progress.set(status.endedJobs());
        return !interruption.isRequested();
      });
    }
  }

  private Optional<String> html(SimulationResult result, Interruption interruption) {
    About about = options.about(
        "Simulation of " + options.file().shortName(),
        SimulationTables.lines(result, options.largePercent()));
    return report(interruption, progress -> SimulationReport.write(result, about, progress));
  }

  private void print(SimulationResult result, History history, Interruption interruption) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case TABLE -> SimulationTables.print(result, options.largePercent(), screen());
      case JSON -> SimulationJson.print(result, history, options.largePercent(), out);
      case CSV -> JobsCsv.print(result, history, out);
      case HTML -> html(result, interruption).ifPresent(out::print);
    }
    out.flush();
  }
}
