package io.kueue4j.examples;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.cli.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

/** The result of the command line for some arguments. */
public record CommandLineRun(int exitCode, String out, String err) {
  /** {@return the result for these arguments; paths are converted to text} */
  public static CommandLineRun of(Object... arguments) {
    return reading("", arguments);
  }

  /** {@return the result for these arguments, with {@code in} as standard input} */
  public static CommandLineRun reading(String in, Object... arguments) {
    return run(Terminal.none(), in, arguments);
  }

  /** {@return the result for these arguments on a terminal} */
  public static CommandLineRun on(Terminal terminal, Object... arguments) {
    return run(terminal, "", arguments);
  }

  private static CommandLineRun run(Terminal terminal, String in, Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(
        new ByteArrayInputStream(in.getBytes(UTF_8)),
        new PrintWriter(out),
        new PrintWriter(err),
        terminal,
        Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    return new CommandLineRun(exitCode, out.toString(), err.toString());
  }

  /** {@return the lines of standard error with that prefix} */
  public ImmutableList<String> errLines(String prefix) {
    return err.lines().filter(line -> line.startsWith(prefix)).collect(toImmutableList());
  }
}
