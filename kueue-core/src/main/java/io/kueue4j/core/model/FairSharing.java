package io.kueue4j.core.model;

/**
 * The weight of a queue or cohort when unused quota is shared.
 *
 * <p>Rules: M-9, H-1.
 *
 * @param weight a share in proportion to others; 0 for the last resort
 */
public record FairSharing(double weight) {
  /** The weight of 1. */
  public static final FairSharing DEFAULT = new FairSharing(1.0);
}
