package io.kueue4j.core.internal.state;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;

/**
 * An admission that was decided on and waits until the pods of all workloads admitted before are
 * ready; until then no cycle goes on.
 *
 * <p>Rules: L-23.
 *
 * @param workload the workload as it was then; if it changes, the decision is void
 * @param admission the decision
 */
public record BlockedAdmission(Workload workload, Admission admission) {}
