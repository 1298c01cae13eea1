package io.kueue4j.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
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
   * Checks, as far as possible, that the file can be written, so that a long computation is not in
   * vain.
   *
   * @throws InputException if it cannot be written
   */
  public void check() {
    path.ifPresent(file -> {
      Path folder = folder(file);
      if (Files.isDirectory(file)) {
        throw UnreadableFiles.writeFailure(file, new FileSystemException(file.toString()));
      }
      if (!Files.exists(file) && !Files.isDirectory(folder)) {
        throw UnreadableFiles.writeFailure(file, new NoSuchFileException(folder.toString()));
      }
      if (!Files.isWritable(Files.exists(file) ? file : folder)) {
        throw UnreadableFiles.writeFailure(file, new AccessDeniedException(file.toString()));
      }
    });
  }

  /**
   * Writes a text. An existing file is replaced as a whole: it keeps its content if the text cannot
   * be written.
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
      // Characters that UTF-8 lacks become question marks.
      byte[] bytes = text.getBytes(UTF_8);
      Path target = Files.exists(file) ? file.toRealPath() : file;
      boolean replaceable = !Files.exists(target) || Files.isRegularFile(target);
      if (replaceable && Files.isWritable(folder(target))) {
        replace(target, bytes);
      } else {
        Files.write(target, bytes);
      }
    } catch (IOException e) {
      throw UnreadableFiles.writeFailure(file, e);
    }
  }

  private static void replace(Path target, byte[] bytes) throws IOException {
    Path part = target.resolveSibling(
        "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
    try {
      Files.write(part, bytes);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static Path folder(Path file) {
    return Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file.toAbsolutePath());
  }
}
