package io.kueue4j.examples.monitoring;

import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;

/**
 * The quota of one resource in one flavor of a ClusterQueue, its usage, and what the ClusterQueue
 * lends. Immutable.
 *
 * <p>A cohort has one pool of unused quota, and Kueue does not record whose quota a borrower uses.
 * So the lent amount is exact only if no other member could have lent it; otherwise two limits are
 * known.
 *
 * @param usage quota and usage
 * @param lentAtLeast the least amount that others use of it
 * @param lentAtMost the largest amount that others use of it
 */
public record QuotaLine(QuotaUsage usage, long lentAtLeast, long lentAtMost) {}
