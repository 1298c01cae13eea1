package io.kueue4j.core.tpu;

/** In what state a host is. Rules: TPU-F-2, TPU-U-25. */
public enum HostHealth {
  /** It may be used. */
  HEALTHY,
  /** It may be used by those that allow it ({@link SliceRequest#allowDegraded}). */
  DEGRADED,
  /** It may not be used. */
  DOWN
}
