package io.kueue4j.examples.controller;

/** Thrown when a write was not made, or when nobody knows whether it was. */
public final class WriteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What has become of the write. */
  public enum Reason {
    /** Not made: the object is another by now (409). */
    CONFLICT,
    /** Not made: there is no such object (404). */
    GONE,
    /** Not made: the server does not want it (any other 4xx). */
    REFUSED,
    /** Made or not: the server did not answer, or that it could not do it (5xx). */
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

  /** {@return what has become of the write} */
  public Reason reason() {
    return reason;
  }
}
