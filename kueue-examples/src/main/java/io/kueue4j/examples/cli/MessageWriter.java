package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Prints each message as one line: what files contain must neither begin another line nor move the
 * cursor of the terminal.
 */
public final class MessageWriter extends PrintWriter {
  /** Creates one that prints to {@code out}. */
  public MessageWriter(Writer out) {
    super(out, true);
  }

  @Override
  public void println(@Nullable String message) {
    super.println(CharMatcher.javaIsoControl().replaceFrom(String.valueOf(message), '?'));
  }
}
