package io.kueue4j.core.simulation;

/** The behavior in which everything happens at once and every check passes. */
enum ImmediateBehavior implements ClusterBehavior {
  /** The only one. */
  INSTANCE
}
