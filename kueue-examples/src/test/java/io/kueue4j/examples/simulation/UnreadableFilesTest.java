package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class UnreadableFilesTest {
  private static final Path FILE = Path.of("queues.yaml");

  @Test
  void theMessageSaysWhyInWords() {
    assertMessage(new NoSuchFileException("queues.yaml"), "no such file or directory");
    assertMessage(new AccessDeniedException("queues.yaml"), "permission denied");
    assertMessage(new MalformedInputException(1), "not UTF-8; is this a text file?");
    assertMessage(new IOException("disk is gone"), "cannot be read: disk is gone");
  }

  private static void assertMessage(IOException cause, String reason) {
    assertThat(UnreadableFiles.failure(FILE, cause))
        .hasMessage("queues.yaml: " + reason)
        .hasCause(cause);
  }
}
