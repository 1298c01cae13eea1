package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes pictures to files. */
final class PictureFile {
  private PictureFile() {}

  /**
   * Writes a picture; overwrites an existing file.
   *
   * @throws InputException if that is not possible
   */
  static void write(Path file, String picture) {
    try {
      Files.writeString(file, picture, UTF_8);
    } catch (IOException e) {
      throw UnreadableFiles.writeFailure(file, e);
    }
  }
}
