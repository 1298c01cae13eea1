package io.kueue4j.core.model;

/**
 * The weight of a queue or cohort in fair sharing of unused quota.
 *
 * <p>Rules: M-9, H-1.
 *
 * @param weight the weight relative to others, 0 or more; with weight 0 it gets unused quota only
 *     when nothing else wants it
 * @since 0.1.0
 */
public record FairSharing(double weight) {
  /** The weight of 1. */
  public static final FairSharing DEFAULT = new FairSharing(1.0);
}
