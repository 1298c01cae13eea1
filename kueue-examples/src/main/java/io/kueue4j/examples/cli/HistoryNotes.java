package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.history.History;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import java.io.PrintWriter;

/** Prints what was left out of histories. */
final class HistoryNotes {
  private HistoryNotes() {}

  /**
   * Prints what is left out of a history.
   *
   * @throws InputException with the bad lines, if they count as errors and there are any
   */
  static void print(History history, InputFile file, boolean strict, PrintWriter err) {
    ImmutableList<String> bad = history.lines().badMessages();
    if (strict && !bad.isEmpty()) {
      throw new InputException(Joiner.on('\n')
          .join(bad.stream().map(message -> file + ": " + message).iterator()));
    }
    bad.forEach(message -> err.println("warning: " + file + ": " + message + "; left out"));
    history
        .lines()
        .ignoredMessages()
        .forEach(message -> err.println("warning: " + file + ": " + message + "; ignored"));
    history
        .lines()
        .leftOutMessages()
        .forEach(message -> err.println("note: " + file + ": " + message + "; left out"));
  }
}
