package io.kueue4j.examples.simulation;

import java.io.InputStream;

/** Standard input, which can be read once. Not thread-safe. */
public final class StandardInput {
  private final InputStream stream;
  private boolean opened;

  /** Creates standard input that is read from {@code stream}. */
  public StandardInput(InputStream stream) {
    this.stream = stream;
  }

  /** {@return standard input without content} */
  static StandardInput none() {
    return new StandardInput(InputStream.nullInputStream());
  }

  /**
   * {@return the stream}
   *
   * @throws InputException if it was opened before
   */
  InputStream open() {
    if (opened) {
      throw new InputException("standard input is given twice; expected - only once");
    }
    opened = true;
    return stream;
  }
}
