package io.kueue4j.examples.controller.lease;

/** Thrown if a request about a lease fails, or its outcome is unknown. */
public final class LeaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Creates an exception. */
  public LeaseException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Why a request failed. */
  public enum Reason {
    /** The lease exists already, was changed or deleted; the request had no effect. */
    CONFLICT,
    /** Permissions are missing, or the server rejects the lease; the request had no effect. */
    REFUSED,
    /** The server did not answer; the request may have had an effect. */
    UNAVAILABLE
  }

  /** {@return why the request failed} */
  public Reason reason() {
    return reason;
  }
}
