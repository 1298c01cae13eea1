package io.kueue4j.examples.simulation;

/** Thrown when input of the user is invalid; the message says what, where and why. */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception with a message for the user. */
  public InputException(String message) {
    super(message);
  }

  /** Creates the exception with a message for the user. */
  public InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
