package io.kueue4j.examples.controller.seal;

/** Thrown when a Secret could not be read or written. */
public final class SecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason of the failure. */
  public enum Reason {
    /** The controller lacks a permission. */
    FORBIDDEN,
    /** Another client has written it meanwhile. */
    CONFLICT,
    /** The server did not answer, or answered with a failure; the outcome of a write is unknown. */
    UNAVAILABLE,
    /** It contains something other than keys. */
    UNUSABLE
  }

  private final Reason reason;

  /** Creates an exception with its cause. */
  public SecretException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Creates an exception. */
  public SecretException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** {@return the reason of the failure} */
  public Reason reason() {
    return reason;
  }
}
