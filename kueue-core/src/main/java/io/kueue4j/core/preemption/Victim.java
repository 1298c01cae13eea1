package io.kueue4j.core.preemption;

import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.quota.QuotaHolder;

/**
 * A workload that is to be preempted.
 *
 * @param holder the workload with the quota that it holds
 * @param reason the rule under which it is preempted
 */
public record Victim(QuotaHolder holder, PreemptionReason reason) {}
