package io.kueue4j.core.tpu;

/** The state of a host or of a partition. Rules: TPU-F-2, TPU-U-25. */
public enum HostHealth {
  /** New slices may use it. */
  HEALTHY,
  /** Slices whose request allows it may use it ({@link SliceRequest#allowDegraded}). */
  DEGRADED,
  /** No new slice may use it. Slices that are there stay usable. */
  CORDONED,
  /** No slice may use it, and a slice that is there has failed. */
  DOWN
}
