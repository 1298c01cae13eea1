package io.kueue4j.examples.conformance;

import com.google.common.base.CharMatcher;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The lines of a file of vectors that are not blank. The file is unpacked if its name ends in
 * {@code .gz}.
 */
final class VectorLines {
  private VectorLines() {}

  /** Receives one line. */
  @FunctionalInterface
  interface LineReader {
    /**
     * Reads a line.
     *
     * @throws InputException if the line is malformed; the file and the line number are added to
     *     the message
     */
    void read(String line);
  }

  /**
   * Reads all lines.
   *
   * @throws InputException if the file cannot be read, has no lines, or the reader rejects one
   */
  static void readAll(Path path, LineReader reader) {
    try (BufferedReader lines = TextFiles.lines(path)) {
      int number = 0;
      boolean isEmpty = true;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!CharMatcher.whitespace().matchesAllOf(line)) {
          isEmpty = false;
          read(path, number, line, reader);
        }
      }
      if (isEmpty) {
        // Otherwise a file without scenarios would count as one in which all agree.
        throw new InputException(path + ": empty; expected one scenario in each line");
      }
    } catch (IOException e) {
      throw UnreadableFiles.failure(path, e);
    }
  }

  /** {@return the first line, empty if there is none} */
  static Optional<String> first(Path path) {
    try (BufferedReader lines = TextFiles.lines(path)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!CharMatcher.whitespace().matchesAllOf(line)) {
          return Optional.of(line);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw UnreadableFiles.failure(path, e);
    }
  }

  private static void read(Path path, int number, String line, LineReader reader) {
    try {
      reader.read(line);
    } catch (InputException e) {
      throw new InputException(path + ": line " + number + ": " + e.getMessage(), e);
    }
  }
}
