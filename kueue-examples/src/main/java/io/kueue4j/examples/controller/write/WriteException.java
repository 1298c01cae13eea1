package io.kueue4j.examples.controller.write;

/** Thrown when a write failed, or when its outcome is unknown. */
public final class WriteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The outcome of the write. */
  public enum Reason {
    /** It failed: the object has changed (409). */
    CONFLICT,
    /** It failed: there is no such object (404). */
    GONE,
    /** It failed: the server rejected it (any other 4xx). */
    REFUSED,
    /** Unknown: the server did not answer, or answered with a failure (5xx). */
    UNAVAILABLE
  }

  private final Reason reason;

  /** Creates an exception without a cause. */
  public WriteException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Creates an exception. */
  public WriteException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** {@return the outcome of the write} */
  public Reason reason() {
    return reason;
  }
}
