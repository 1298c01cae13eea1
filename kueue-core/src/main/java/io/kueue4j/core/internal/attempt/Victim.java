package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.PreemptionReason;

/**
 * A workload that is to be preempted.
 *
 * @param holder the workload with the quota that it holds
 * @param reason the rule under which it is preempted
 */
public record Victim(QuotaHolder holder, PreemptionReason reason) {}
