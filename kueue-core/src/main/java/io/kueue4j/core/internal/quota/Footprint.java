package io.kueue4j.core.internal.quota;

/**
 * What a workload uses besides quota, such as nodes or TPU hosts. Only the {@link TrialParticipant}
 * of its tree can interpret it. Immutable.
 */
public interface Footprint {
  /** The footprint of a workload that uses only quota. */
  Footprint NONE = new Footprint() {};
}
