package io.kueue4j.examples.simulation;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says in words why a file could not be read. */
public final class UnreadableFiles {
  private UnreadableFiles() {}

  /** {@return what to throw after {@code cause} happened on reading {@code file}} */
  public static InputException failure(Path file, IOException cause) {
    return new InputException(file + ": " + reason(cause), cause);
  }

  private static String reason(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof CharacterCodingException) {
      return "not UTF-8; is this a text file?";
    }
    return "cannot be read: " + cause.getMessage();
  }
}
