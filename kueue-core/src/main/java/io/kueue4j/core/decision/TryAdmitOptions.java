package io.kueue4j.core.decision;

/**
 * Options of {@link io.kueue4j.core.AdmissionEngine#tryAdmit(io.kueue4j.core.model.Workload,
 * TryAdmitOptions)}. Immutable.
 *
 * @param evictsVictims whether victims are evicted at once, and the queue of the workload, if it is
 *     pending in one, waits for them to stop; otherwise victims are only reported
 * @since 0.1.0
 */
public record TryAdmitOptions(boolean evictsVictims) {
  private static final TryAdmitOptions DEFAULTS = new TryAdmitOptions(false);

  /** {@return the options of a call that changes nothing unless it admits} */
  public static TryAdmitOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return the options of a call that evicts the victims}
   *
   * <p>A workload that is pending in a queue is then active again, and its queue waits for it (rule
   * U-10), as after a cycle that evicted them: a BestEffortFIFO queue tries it before all others
   * until it is admitted or leaves. An unknown workload remains unknown, and the freed quota is not
   * kept for it: a cycle may admit others first. To avoid that, submit the workload before.
   */
  public static TryAdmitOptions evictingVictims() {
    return new TryAdmitOptions(true);
  }
}
