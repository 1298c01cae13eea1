package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file to write to, or standard output, which is named {@code -}. */
public final class OutputFile {
  private final Optional<Path> path;
  private final PrintWriter standardOutput;

  private OutputFile(Optional<Path> path, PrintWriter standardOutput) {
    this.path = path;
    this.standardOutput = standardOutput;
  }

  /** {@return the file of that name, or {@code standardOutput} for {@code -}} */
  public static OutputFile named(String name, PrintWriter standardOutput) {
    return new OutputFile(
        name.equals("-") ? Optional.empty() : Optional.of(Path.of(name)), standardOutput);
  }

  /** {@return whether it is standard output} */
  boolean isStandardOutput() {
    return path.isEmpty();
  }

  /**
   * Writes a text; overwrites an existing file.
   *
   * @throws InputException if that is not possible
   */
  void write(String text) {
    path.ifPresentOrElse(file -> write(file, text), () -> {
      standardOutput.print(text);
      standardOutput.flush();
    });
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw UnreadableFiles.writeFailure(file, e);
    }
  }
}
