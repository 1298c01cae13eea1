package io.kueue4j.core.decision;

/**
 * A reason why a ClusterQueue does not take part.
 *
 * <p>Kueue: reason of the condition {@code Active} of a ClusterQueue, as long as it is False.
 * Rules: M-12.
 *
 * @param reason one word of Kueue's
 * @param message what is meant, for people
 */
public record Inactivity(String reason, String message) {
  /** {@return for example {@code FlavorNotFound: ClusterQueue q names …}} */
  @Override
  public String toString() {
    return reason + ": " + message;
  }
}
