package io.kueue4j.examples.history;

/** Thrown for a line of a history that cannot be used; the message says why. */
final class BadLineException extends Exception {
  private static final long serialVersionUID = 1L;

  BadLineException(String message) {
    super(message);
  }
}
