package io.kueue4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.cli.StandardOutput;
import io.kueue4j.examples.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What happens if standard output cannot be written. */
class StandardOutputTest {
  private final StringWriter err = new StringWriter();

  private int run(OutputStream out) {
    return Main.run(
        InputStream.nullInputStream(),
        new StandardOutput(out),
        new PrintWriter(err),
        Terminal.none(),
        "completion");
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }

  @Test
  void aFullDiskIsAnError() {
    assertThat(run(failing("No space left on device"))).isEqualTo(2);
    assertThat(err)
        .hasToString("error: standard output: cannot be written: No space left on device\n");
  }

  @Test
  void aReaderThatWantsNoMoreIsNone() {
    assertThat(run(failing("Broken pipe"))).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void everythingIsWritten() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(run(out)).isZero();
    assertThat(out.toString(UTF_8)).isEqualTo(CommandLineRun.of("completion").out());
  }
}
