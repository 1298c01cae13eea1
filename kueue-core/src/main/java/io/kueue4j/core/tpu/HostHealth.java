package io.kueue4j.core.tpu;

/**
 * The health of a host or partition. Rules: TPU-F-2, TPU-U-25.
 *
 * @since 0.1.0
 */
public enum HostHealth {
  /** New slices may use it. */
  HEALTHY,
  /** Slices whose request allows it may use it ({@link SliceRequest#allowDegraded}). */
  DEGRADED,
  /** No new slice may use it. Slices that use it already stay usable. */
  CORDONED,
  /** No slice may use it, and a slice that uses it has failed. */
  DOWN
}
