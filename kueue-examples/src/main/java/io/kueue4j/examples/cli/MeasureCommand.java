package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.bench.Growth;
import io.kueue4j.examples.bench.Latency;
import io.kueue4j.examples.bench.PendingHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

  private static final int LATENCY_CALLS = 200_000;

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
    List<Integer> sizes =
        Stream.of(100_000, 1_000_000).filter(size -> size <= largest).toList();
    long total = part == Part.GROWTH
        ? Growth.lineCount(largest)
        : sizes.stream().mapToLong(Integer::longValue).sum();
    try (Progress progress = progress(total)) {
      Consumer<String> lines = line -> {
        progress.erase();
        out.println(line);
        out.flush();
      };
      switch (part) {
        case GROWTH ->
          Growth.print(largest, line -> {
            lines.accept(line);
            progress.add(1);
          });
        case LATENCY ->
          sizes.forEach(size -> {
            Latency.print(size, LATENCY_CALLS, lines);
            progress.add(size);
          });
        case MEMORY ->
          sizes.forEach(size -> {
            PendingHeap.print(size, 30, lines);
            PendingHeap.print(size, size, lines);
            progress.add(size);
          });
      }
    }
    return ExitCodes.OK;
  }

  private int measureAll() throws IOException, InterruptedException {
    String main = spec.root().userObject().getClass().getName();
    for (ImmutableList<String> arguments : ALL) {
      ImmutableList.Builder<String> command = ImmutableList.builder();
      command
          .add(Path.of(System.getProperty("java.home"), "bin", "java").toString())
          .add("-Dkueue4j.stdout=" + System.getProperty("kueue4j.stdout", ""))
          .add("-Dkueue4j.stderr=" + System.getProperty("kueue4j.stderr", ""))
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
