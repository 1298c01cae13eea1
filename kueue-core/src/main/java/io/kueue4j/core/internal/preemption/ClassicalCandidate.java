package io.kueue4j.core.internal.preemption;

import io.kueue4j.core.internal.quota.QuotaHolder;

/**
 * A candidate for preemption without fair sharing.
 *
 * @param holder the workload with the quota that it holds
 * @param kind its kind
 * @param commonAncestor the lowest common cohort of its queue and the preemptor's; unused for the
 *     own queue
 */
record ClassicalCandidate(QuotaHolder holder, CandidateKind kind, int commonAncestor) {}
