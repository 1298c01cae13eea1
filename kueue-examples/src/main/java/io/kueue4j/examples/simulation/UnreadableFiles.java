package io.kueue4j.examples.simulation;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** Explains why a file could not be read or written. */
public final class UnreadableFiles {
  private UnreadableFiles() {}

  /** {@return the exception to throw after {@code cause} occurred when reading {@code file}} */
  public static InputException failure(Path file, IOException cause) {
    return new InputException(file + ": " + reason(file, cause), cause);
  }

  /** {@return the exception to throw after {@code cause} occurred when writing {@code file}} */
  public static InputException writeFailure(Path file, IOException cause) {
    String reason = cause instanceof NoSuchFileException
        ? "there is no such folder"
        : known(file, cause).orElseGet(() -> text(cause));
    return new InputException(file + ": cannot be written: " + reason, cause);
  }

  /** {@return the exception to throw after {@code cause} occurred when reading {@code file}} */
  public static InputException failure(InputFile file, IOException cause) {
    return file.path()
        .map(path -> failure(path, cause))
        .orElseGet(() -> new InputException(file + ": " + reason(Path.of(""), cause), cause));
  }

  private static String reason(Path file, IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (cause instanceof CharacterCodingException) {
      return "not UTF-8; is this a text file?";
    }
    if (cause instanceof EOFException) {
      return "the compressed file ends early; is it complete?";
    }
    return known(file, cause).orElseGet(() -> "cannot be read: " + text(cause));
  }

  private static Optional<String> known(Path file, IOException cause) {
    if (cause instanceof AccessDeniedException) {
      return Optional.of("permission denied");
    }
    if (cause instanceof FileAlreadyExistsException) {
      return Optional.of("a file; expected a folder");
    }
    return Files.isDirectory(file) ? Optional.of("a folder; expected a file") : Optional.empty();
  }

  private static String text(IOException cause) {
    return Objects.requireNonNullElse(cause.getMessage(), cause.toString());
  }
}
