package io.kueue4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kueue4j.examples.cli.AdmitCommand;
import io.kueue4j.examples.cli.CompareCommand;
import io.kueue4j.examples.cli.CompletionCommand;
import io.kueue4j.examples.cli.ControllerCommand;
import io.kueue4j.examples.cli.Errors;
import io.kueue4j.examples.cli.EstimateCommand;
import io.kueue4j.examples.cli.ExplainCommand;
import io.kueue4j.examples.cli.HarnessCommand;
import io.kueue4j.examples.cli.LintCommand;
import io.kueue4j.examples.cli.MeasureCommand;
import io.kueue4j.examples.cli.MessageWriter;
import io.kueue4j.examples.cli.OutputFile;
import io.kueue4j.examples.cli.Program;
import io.kueue4j.examples.cli.ReplayCommand;
import io.kueue4j.examples.cli.SimulateCommand;
import io.kueue4j.examples.cli.SnapshotCommand;
import io.kueue4j.examples.cli.StandardOutput;
import io.kueue4j.examples.cli.SweepCommand;
import io.kueue4j.examples.cli.Terminal;
import io.kueue4j.examples.cli.TestCommand;
import io.kueue4j.examples.cli.TopologyCommand;
import io.kueue4j.examples.cli.TpuCommand;
import io.kueue4j.examples.cli.TraceCommand;
import io.kueue4j.examples.cli.Version;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.StandardInput;
import io.kueue4j.examples.simulation.TimeText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The command line of kueue4j. */
@Command(
    name = "kueue4j",
    description = "Decides admission of batch jobs as Kueue does, with a cluster or without.",
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      AdmitCommand.class,
      ExplainCommand.class,
      LintCommand.class,
      ControllerCommand.class,
      TopologyCommand.class,
      SnapshotCommand.class,
      TestCommand.class,
      TpuCommand.class,
      ReplayCommand.class,
      SimulateCommand.class,
      CompareCommand.class,
      SweepCommand.class,
      EstimateCommand.class,
      TraceCommand.class,
      HarnessCommand.class,
      MeasureCommand.class,
      CompletionCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Main extends Program {
  private static final String LOGGING = "logback.configurationFile";

  private Main(Terminal terminal) {
    super(terminal);
  }

  /** Runs the command line and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    // Read when something is logged first: commands that log nothing load no class of SLF4J.
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "logging/command-line.xml");
    }
    System.exit(run(
        System.in,
        new StandardOutput(new FileOutputStream(FileDescriptor.out)),
        new PrintWriter(System.err, true, UTF_8),
        Terminal.of(
            System.getenv(),
            System.getProperty("kueue4j.stdout", ""),
            System.getProperty("kueue4j.stderr", "")),
        arguments));
  }

  /**
   * Runs the command line, and reports it if the results could not be written.
   *
   * @param in standard input
   * @param out receives the results
   * @param err receives notes and errors
   * @param terminal what {@code out} and {@code err} are
   * @return 2 if {@code out} could not be written, otherwise the exit code of
   *     {@link #run(InputStream, PrintWriter, PrintWriter, Terminal, String...)}
   */
  static int run(
      InputStream in, StandardOutput out, PrintWriter err, Terminal terminal, String... arguments) {
    PrintWriter writer = new PrintWriter(out, true, UTF_8);
    int exitCode = run(in, writer, err, terminal, arguments);
    writer.flush();
    if (out.failure().isEmpty()) {
      return exitCode;
    }
    err.println("error: standard output: cannot be written: " + out.failure().get());
    return CommandLine.ExitCode.USAGE;
  }

  /**
   * Runs the command line.
   *
   * @param in standard input
   * @param out receives the results
   * @param err receives notes and errors
   * @param terminal what {@code out} and {@code err} are
   * @return the exit code: 0 for success, 1 if decisions differ, lint finds a fault or, where asked
   *     for, a job waits, 2 for bad input, 70 for a defect or too little memory
   */
  public static int run(
      InputStream in, PrintWriter out, PrintWriter err, Terminal terminal, String... arguments) {
    try {
      return commandLine(in, out, new MessageWriter(err), terminal)
          .execute(withNestedHelp(arguments));
    } catch (OutOfMemoryError e) {
      err.println("error: out of memory; give the JVM more, for example with -Xmx4g");
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** {@return the arguments, with the help of a nested command asked for as it can be} */
  private static String[] withNestedHelp(String... arguments) {
    if (arguments.length < 3 || !arguments[0].equals("help")) {
      return arguments;
    }
    String[] nested = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
    nested[nested.length - 1] = "--help";
    return nested;
  }

  private static CommandLine commandLine(
      InputStream in, PrintWriter out, PrintWriter err, Terminal terminal) {
    StandardInput standardInput = new StandardInput(in);
    Errors errors = new Errors();
    Main main = new Main(terminal);
    return new CommandLine(main)
        .setColorScheme(main.colorScheme())
        .setUsageHelpWidth(terminal.width())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Duration.class, Main::duration)
        .registerConverter(Instant.class, Main::time)
        .registerConverter(InputFile.class, name -> InputFile.named(checkName(name), standardInput))
        .registerConverter(OutputFile.class, name -> OutputFile.named(checkName(name), out))
        .setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors)
        .setExecutionStrategy(Main::execute);
  }

  /** Runs the command, which may take long, after the check of the files that it is to write. */
  private static int execute(ParseResult parsed) {
    if (CommandLine.printHelpIfRequested(parsed)) {
      return CommandLine.ExitCode.OK;
    }
    List<CommandLine> commands = parsed.asCommandLineList();
    CommandLine command = commands.get(commands.size() - 1);
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (option.getValue() instanceof Optional<?> value
          && value.isPresent()
          && value.get() instanceof OutputFile file) {
        try {
          file.check();
        } catch (InputException e) {
          throw new ExecutionException(command, option.longestName(), e);
        }
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /** An unset variable of a shell leaves an empty name, which would be the current folder. */
  private static String checkName(String name) {
    if (name.isEmpty()) {
      throw new TypeConversionException("the name of the file is empty; expected a path or -");
    }
    return name;
  }

  private static Instant time(String text) {
    return TimeText.time(text)
        .orElseThrow(() -> new TypeConversionException("'" + text
            + "' is no time, or of no year from 0 to 9999; expected one as 2026-01-31T12:00:00Z"));
  }

  private static Duration duration(String text) {
    return TimeText.duration(text)
        .orElseThrow(() -> new TypeConversionException(
            "'" + text + "' is no duration, or longer than P365000D; expected one as P7D or PT1H"));
  }
}
