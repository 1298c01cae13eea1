package io.kueue4j.examples.cli;

import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.trace.ArrivalTrace;
import io.kueue4j.examples.trace.PublishedTraces;
import io.kueue4j.examples.trace.TraceFile;
import io.kueue4j.examples.trace.TracePlayer;
import io.kueue4j.examples.trace.TraceReport;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Plays a trace: many workloads that arrive at many queues. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "trace",
    description = {
      "Plays a configuration of Kueue's scheduling performance tests, on a virtual clock.",
      "Prints what was decided, how long the first run took (cold) and the best of its repetitions"
          + " (warm), and how long workloads waited."
    },
    exitCodeList = {"0:done", "2:there is no such trace"})
public final class TraceCommand extends ExampleCommand {
  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "3",
      description = "Play it so many times more after the first; ${DEFAULT-VALUE} unless set.")
  private int repeat;

  @Option(
      names = "--wide",
      description = "Print processor time and allocation beside the time that passed.")
  private boolean wide;

  @Parameters(
      paramLabel = "TRACE",
      description =
          "baseline, large or tas, which Kueue publishes times of, or a file in the format of"
              + " Kueue's test/performance/scheduler/configs/*/generator.yaml; - for standard input.")
  private InputFile trace;

  /** Creates the command; the command line sets its arguments. */
  public TraceCommand() {}

  @Override
  public Integer call() {
    if (repeat < 1) {
      throw new ParameterException(
          spec.commandLine(), "--repeat is " + repeat + ", expected 1 or more");
    }
    PrintWriter out = spec.commandLine().getOut();
    ArrivalTrace played = trace();
    int workloads = played.arrivals().size();
    TraceReport cold;
    TraceReport warm;
    try (Progress progress = progress((repeat + 1L) * workloads)) {
      cold = TracePlayer.play(played, progress::set);
      progress.erase();
      out.println("trace " + played.name() + ": " + cold.decisions());
      out.println("cold: " + costs(cold));
      out.flush();
      warm = TracePlayer.play(played, finished -> progress.set(workloads + finished));
      cold.checkSameDecisions(warm);
      for (int run = 2; run <= repeat; run++) {
        long before = (long) run * workloads;
        warm = warm.best(TracePlayer.play(played, finished -> progress.set(before + finished)));
      }
    }
    out.println("warm: " + costs(warm));
    out.println(cold.classes());
    out.flush();
    return ExitCodes.OK;
  }

  private String costs(TraceReport report) {
    return wide ? report.costs() : report.times();
  }

  private ArrivalTrace trace() {
    Optional<PublishedTraces> published = PublishedTraces.named(trace.toString());
    if (published.isPresent()) {
      return published.get().trace();
    }
    if (trace.path().filter(Files::notExists).isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no trace and no file " + trace + "; expected baseline, large, tas or a file");
    }
    TraceFile file = TraceFile.read(trace);
    Notes notes = new Notes(false, spec.commandLine().getErr());
    file.notes().forEach(notes::add);
    notes.finish();
    return ArrivalTrace.of(file.configuration());
  }
}
