package io.kueue4j.core.decision;

/**
 * Options of {@link io.kueue4j.core.AdmissionEngine#tryAdmit(io.kueue4j.core.model.Workload,
 * TryAdmitOptions)}. Immutable.
 *
 * @param evictsVictims whether the workloads found to preempt are evicted at once, and the queue of
 *     the workload, if it is pending in one, waits for it; otherwise they are only named
 * @since 0.1.0
 */
public record TryAdmitOptions(boolean evictsVictims) {
  private static final TryAdmitOptions DEFAULTS = new TryAdmitOptions(false);

  /** {@return the options of a call that changes nothing unless it admits} */
  public static TryAdmitOptions defaults() {
    return DEFAULTS;
  }

  /** {@return the options of a call that tells victims to stop} */
  public static TryAdmitOptions evictingVictims() {
    return new TryAdmitOptions(true);
  }
}
