package io.kueue4j.examples.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a stream as ranges of a buffer, without the characters that end them. Not
 * thread-safe.
 *
 * <pre>{@code
 * while (lines.next()) {
 *   parse(lines.buffer(), lines.from(), lines.to());
 * }
 * }</pre>
 */
final class ByteLines {
  private static final int MAX_BYTES = 1 << 24;

  private final InputStream stream;
  private byte[] buffer = new byte[1 << 16];
  private int filled;
  private int next;
  private int from;
  private int to;
  private long number;

  ByteLines(InputStream stream) {
    this.stream = stream;
  }

  /**
   * Moves to the next line.
   *
   * @return whether there is one
   * @throws IOException if the stream fails, or a line is too long
   */
  boolean next() throws IOException {
    from = next;
    int searched = next;
    while (true) {
      for (int i = searched; i < filled; i++) {
        if (buffer[i] == '\n') {
          end(i);
          next = i + 1;
          return true;
        }
      }
      searched = filled;
      int moved = from;
      if (!fill()) {
        next = filled;
        if (filled == from) {
          return false;
        }
        end(filled);
        return true;
      }
      searched -= moved;
    }
  }

  private void end(int end) {
    to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
    number++;
  }

  /** Moves the line that has begun to the start of the buffer and reads more. */
  private boolean fill() throws IOException {
    System.arraycopy(buffer, from, buffer, 0, filled - from);
    filled -= from;
    from = 0;
    if (filled == buffer.length) {
      if (filled >= MAX_BYTES) {
        throw new IOException(
            "line " + (number + 1) + " has more than " + MAX_BYTES + " bytes; expected fewer");
      }
      buffer = Arrays.copyOf(buffer, filled * 2);
    }
    int count = stream.read(buffer, filled, buffer.length - filled);
    filled += Math.max(0, count);
    return count > 0;
  }

  byte[] buffer() {
    return buffer;
  }

  /** {@return the position of the first byte of the line} */
  int from() {
    return from;
  }

  /** {@return the position after its last byte} */
  int to() {
    return to;
  }

  /** {@return the number of the line, from 1} */
  long number() {
    return number;
  }

  /** {@return whether there is nothing but white space} */
  boolean isBlank() {
    for (int i = from; i < to; i++) {
      if (buffer[i] != ' ' && buffer[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  /** {@return the line as text} */
  String text() {
    return new String(buffer, from, to - from, UTF_8);
  }
}
