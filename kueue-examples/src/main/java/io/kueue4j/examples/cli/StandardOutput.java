package io.kueue4j.examples.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stream that remembers why it could not be written. Writers such as {@link java.io.PrintWriter}
 * drop that, so that a full disk would look like success. Not thread-safe.
 */
public final class StandardOutput extends FilterOutputStream {
  /** What Linux, BSD and Windows say if the reader of a pipe has ended. */
  private static final String BROKEN_PIPE = "(?i).*(broken pipe|pipe is being closed).*";

  private @Nullable IOException failure;

  /** Creates a stream that writes to {@code out}. */
  public StandardOutput(OutputStream out) {
    super(out);
  }

  private interface Write {
    void run() throws IOException;
  }

  @Override
  public void write(int b) throws IOException {
    attempt(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    attempt(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    attempt(out::flush);
  }

  private void attempt(Write write) throws IOException {
    try {
      write.run();
    } catch (IOException e) {
      failure = Objects.requireNonNullElse(failure, e);
      throw e;
    }
  }

  /**
   * {@return why not everything was written; empty if it was, or if the reader wanted no more, as
   * {@code head}}
   */
  public Optional<String> failure() {
    return Optional.ofNullable(failure)
        .map(e -> Objects.requireNonNullElse(e.getMessage(), e.toString()))
        .filter(message -> !message.matches(BROKEN_PIPE));
  }
}
