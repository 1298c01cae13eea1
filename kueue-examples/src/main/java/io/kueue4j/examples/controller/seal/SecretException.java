package io.kueue4j.examples.controller.seal;

/** A Secret could not be read or written. */
public final class SecretException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why not. */
  public enum Reason {
    /** The controller may not do that. */
    FORBIDDEN,
    /** Another has written it meanwhile. */
    CONFLICT,
    /** The server did not answer, or with a failure; whether it was written is unknown. */
    UNAVAILABLE,
    /** It holds something else than keys. */
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

  /** {@return why not} */
  public Reason reason() {
    return reason;
  }
}
