package io.kueue4j.examples.cli;

import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.examples.simulation.LoopText;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The common part of all commands: {@code --help}, {@code --version}, and the layout of output. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n")
abstract class ExampleCommand implements Callable<Integer> {
  /** What stands before the examples of a command in its help. */
  static final String EXAMPLES = "%nExamples:%n";

  private static final long REPORT_STEPS = 1_000;

  @Spec
  CommandSpec spec;

  /** {@return standard output as it is seen by the user} */
  final Screen screen() {
    return program().screen(spec.commandLine().getOut());
  }

  /** {@return the progress of this command, which has so much to do} */
  final Progress progress(long total) {
    return progress(spec.name(), total);
  }

  /**
   * {@return the text of a report, whose writing shows how far it is; empty if it was interrupted,
   * with a warning}
   */
  final Optional<String> report(
      Interruption interruption, Function<DoubleConsumer, String> writer) {
    Optional<String> report;
    try (Progress progress = progress("report", REPORT_STEPS)) {
      report = interruption.unlessRequested(
          part -> progress.set(Math.round(part * REPORT_STEPS)), writer);
    }
    if (report.isEmpty()) {
      spec.commandLine().getErr().println("warning: interrupted; no report is written");
    }
    return report;
  }

  /** Warns of stops that repeat in loops, by the first of them. */
  final void warnOfLoops(List<RepeatedStop> stops) {
    if (!stops.isEmpty()) {
      spec.commandLine().getErr().println("warning: " + LoopText.of(stops));
    }
  }

  private Progress progress(String what, long total) {
    return Progress.start(what, total, program().terminal(), spec.commandLine().getErr());
  }

  /** {@return the program that the command belongs to} */
  final Program program() {
    return (Program) spec.root().userObject();
  }
}
