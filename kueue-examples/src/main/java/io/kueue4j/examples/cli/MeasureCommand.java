package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.bench.Footprint;
import io.kueue4j.examples.bench.Growth;
import io.kueue4j.examples.bench.Latency;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures the speed of the engine, its growth, and the memory that it needs. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
@Command(
    name = "measure",
    description = {
      "Measures the speed, growth and memory of the engine.",
      "Prints the time per admission on the published traces, cold and warm; how the time of a"
          + " cycle grows with queues and pending workloads; how long single calls take while many"
          + " workloads wait; the heap that a pending workload retains.",
      "Without a part all of them are measured, each in a fresh JVM. Takes some minutes."
    },
    exitCodeList = {"0:done", "2:there is no such part"})
public final class MeasureCommand extends ExampleCommand {
  private static final ImmutableList<ImmutableList<String>> ALL = ImmutableList.of(
      ImmutableList.of("trace", "baseline", "--repeat", "12", "--wide"),
      ImmutableList.of("trace", "large", "--repeat", "12", "--wide"),
      ImmutableList.of("measure", "growth"),
      ImmutableList.of("measure", "latency"),
      ImmutableList.of("measure", "memory"));

  private static final int LATENCY_CALLS = 20_000;

  /** The measurements. */
  enum Part {
    /** The growth of time. */
    GROWTH,
    /** The latency of single calls. */
    LATENCY,
    /** The retained memory. */
    MEMORY
  }

  @Option(
      names = "--largest",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Measure nothing of more queues or workloads; ${DEFAULT-VALUE} unless set.")
  private int largest;

  @Parameters(
      arity = "0..1",
      paramLabel = "PART",
      description = "One of ${COMPLETION-CANDIDATES}, in any case.")
  private @Nullable Part part;

  /** Creates the command; the command line sets its arguments. */
  public MeasureCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (part == null) {
      return measureAll();
    }
    switch (part) {
      case GROWTH -> Growth.print(largest, line -> print(out, line));
      case LATENCY -> {
        for (int workloads : List.of(100_000, 1_000_000)) {
          if (workloads <= largest) {
            Latency.print(workloads, LATENCY_CALLS, line -> print(out, line));
          }
        }
      }
      case MEMORY -> {
        for (int workloads : List.of(100_000, 1_000_000)) {
          if (workloads <= largest) {
            Footprint.print(workloads, 30, line -> print(out, line));
            Footprint.print(workloads, workloads, line -> print(out, line));
          }
        }
      }
    }
    return ExitCodes.OK;
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  private int measureAll() throws IOException, InterruptedException {
    String main = spec.root().userObject().getClass().getName();
    for (ImmutableList<String> arguments : ALL) {
      ImmutableList.Builder<String> command = ImmutableList.builder();
      command
          .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
          .add("-cp", System.getProperty("java.class.path"), main)
          .addAll(arguments);
      int exitCode = new ProcessBuilder(command.build()).inheritIO().start().waitFor();
      if (exitCode != ExitCodes.OK) {
        return exitCode;
      }
    }
    return ExitCodes.OK;
  }
}
