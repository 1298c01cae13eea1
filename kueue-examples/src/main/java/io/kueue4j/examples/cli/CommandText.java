package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** The command that runs, as a shell reads it. */
final class CommandText {
  /** What needs no quotes in a shell. */
  private static final CharMatcher PLAIN = CharMatcher.inRange('a', 'z')
      .or(CharMatcher.inRange('A', 'Z'))
      .or(CharMatcher.inRange('0', '9'))
      .or(CharMatcher.anyOf("-_./=:,@%+"));

  private CommandText() {}

  /** {@return the text of the command that a specification is part of} */
  static String of(CommandSpec spec) {
    return spec.root().name() + " "
        + spec.root().commandLine().getParseResult().originalArgs().stream()
            .map(CommandText::quoted)
            .collect(Collectors.joining(" "));
  }

  private static String quoted(String argument) {
    return PLAIN.matchesAllOf(argument) && !argument.isEmpty()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
