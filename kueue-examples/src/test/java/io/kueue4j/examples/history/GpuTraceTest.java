package io.kueue4j.examples.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The trace of the documentation is what its generator writes. With {@code -Dkueue4j.write=true}
 * the files are written anew.
 */
class GpuTraceTest {
  private static final Path FOLDER = Path.of("src", "main", "resources", "simulation", "gpu");

  @Test
  void theFilesAreGenerated() throws IOException {
    if (Boolean.getBoolean("kueue4j.write")) {
      Files.writeString(FOLDER.resolve("pods.csv"), GpuTrace.pods());
      Files.writeString(FOLDER.resolve("nodes.csv"), GpuTrace.nodes());
    }
    assertThat(FOLDER.resolve("pods.csv")).hasContent(GpuTrace.pods());
    assertThat(FOLDER.resolve("nodes.csv")).hasContent(GpuTrace.nodes());
  }
}
