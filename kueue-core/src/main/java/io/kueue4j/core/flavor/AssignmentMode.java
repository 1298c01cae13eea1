package io.kueue4j.core.flavor;

/** What an assignment is good for, worst first. Rules: F-1. */
public enum AssignmentMode {
  /** Some pod set has no flavor. */
  NO_FIT,
  /** It fits if others are preempted. */
  PREEMPT,
  /** It will fit when those have stopped whom others preempt. */
  DEFERRED_FIT,
  /** It fits. */
  FIT
}
