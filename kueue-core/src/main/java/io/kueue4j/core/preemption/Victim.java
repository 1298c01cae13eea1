package io.kueue4j.core.preemption;

import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.quota.QuotaHolder;

/**
 * A workload that is to be preempted.
 *
 * @param holder the workload and what it holds
 * @param reason under which rule
 */
public record Victim(QuotaHolder holder, PreemptionReason reason) {}
