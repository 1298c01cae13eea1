package io.kueue4j.examples.cli;

import io.kueue4j.examples.trace.PublishedTraces;
import io.kueue4j.examples.trace.TracePlayer;
import io.kueue4j.examples.trace.TraceReport;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays one of the traces that Kueue publishes scheduling times of. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "trace",
    description = {
      "Plays one of the configurations that Kueue publishes scheduling times of, on a virtual clock.",
      "Prints what was decided, what the first run cost (cold) and the best of all (warm)."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:there is no such trace"})
public final class TraceCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Play it so many times; ${DEFAULT-VALUE} unless set.")
  private int repeat;

  @Parameters(paramLabel = "TRACE", description = "One of ${COMPLETION-CANDIDATES}, in any case.")
  private PublishedTraces trace;

  /** Creates the command without its arguments, which the command line sets. */
  public TraceCommand() {}

  @Override
  public Integer call() {
    if (repeat < 1) {
      throw new ParameterException(
          spec.commandLine(), "--repeat is " + repeat + ", expected 1 or more");
    }
    PrintWriter out = spec.commandLine().getOut();
    TraceReport cold = TracePlayer.play(trace.trace());
    out.println("trace " + trace.name().toLowerCase(Locale.ROOT) + ": " + cold.decisions());
    out.println("cold: " + cold.costs());
    out.flush();
    TraceReport warm = cold;
    for (int run = 2; run <= repeat; run++) {
      warm = warm.best(TracePlayer.play(trace.trace()));
    }
    if (repeat > 1) {
      out.println("warm: " + warm.costs());
    }
    out.println(cold.classes());
    out.flush();
    return ExitCodes.OK;
  }
}
