package io.kueue4j.core.model;

/**
 * A reason why a ClusterQueue is inactive: it admits nothing until the reason no longer applies.
 * Workloads that hold its quota keep it. Immutable.
 *
 * <p>An engine finds the reasons in the configuration. The caller gives a reason of another kind by
 * {@link io.kueue4j.core.AdmissionEngine#setOutage}.
 *
 * <p>Kueue: the reason of the condition {@code Active} of a ClusterQueue while it is False. Rules:
 * M-12.
 *
 * @param reason the reason as one word of Kueue's, such as {@code FlavorNotFound}
 * @param message the reason as a sentence
 * @since 0.1.0
 */
public record Inactivity(String reason, String message) {
  /** {@return for example {@code FlavorNotFound: ClusterQueue q names …}} */
  @Override
  public String toString() {
    return reason + ": " + message;
  }
}
