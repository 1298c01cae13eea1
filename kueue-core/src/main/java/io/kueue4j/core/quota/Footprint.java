package io.kueue4j.core.quota;

import io.kueue4j.core.compiled.IdsInUse;

/**
 * What a workload takes beside quota; only the {@link TrialParticipant} of its tree knows what that
 * is. Immutable.
 */
public interface Footprint {
  /** The footprint of a workload that takes nothing but quota. */
  Footprint NONE = new Footprint() {};

  /** Adds the ids that it refers to. */
  default void addIds(IdsInUse inUse) {}
}
