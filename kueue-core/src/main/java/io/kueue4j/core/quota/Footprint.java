package io.kueue4j.core.quota;

/**
 * What a workload takes beside quota; only the {@link Companion} of its tree knows what that is.
 * Immutable.
 */
public interface Footprint {
  /** The footprint of a workload that takes nothing but quota. */
  Footprint NONE = new Footprint() {};
}
