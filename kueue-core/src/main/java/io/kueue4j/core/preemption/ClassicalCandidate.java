package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QuotaHolder;

/**
 * A candidate without fair sharing.
 *
 * @param holder the workload and what it holds
 * @param kind how it came to be one
 * @param commonAncestor the lowest cohort above both its queue and the preemptor's; no matter for
 *     the own queue
 */
record ClassicalCandidate(QuotaHolder holder, CandidateKind kind, int commonAncestor) {}
