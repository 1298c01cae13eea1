package io.kueue4j.core.internal.attempt;

/** How well an assignment fits, worst first. Rules: F-1. */
public enum AssignmentMode {
  /** Some pod set has no flavor. */
  NO_FIT,
  /** It fits after preemption. */
  PREEMPT,
  /** It fits as soon as the victims of other workloads have stopped. */
  DEFERRED_FIT,
  /** It fits. */
  FIT
}
