package io.kueue4j.core;

/**
 * Whether an engine checks itself.
 *
 * <p>A failed check is a bug of this library, never of its caller. Switch the checks on to find the
 * call at which an engine goes wrong, and report the bug with the message of the error.
 *
 * @see AdmissionEngineBuilder#assertions
 * @since 0.1.0
 */
public enum AssertionMode {
  /** No checks; for production. */
  NONE,

  /**
   * After each call the whole state is checked:
   *
   * <ul>
   *   <li>Every workload is in one place, and the usage of quota is the sum of what workloads hold.
   *   <li>Indexes, timers, and the usage of nodes and TPU pools equal those counted anew.
   *   <li>A call that failed has changed nothing.
   *   <li>A view of the state before the call, and studies of that view, do not see the call.
   * </ul>
   *
   * <p>An engine that a check has failed on throws an {@link AssertionError} that says what differs
   * and what to report, and takes the call back.
   *
   * <p>Each call takes time and memory proportional to the size of the engine: about a millisecond
   * for 100 workloads.
   */
  FULL
}
