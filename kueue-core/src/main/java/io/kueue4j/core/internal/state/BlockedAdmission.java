package io.kueue4j.core.internal.state;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Workload;

/**
 * A decided admission that waits until the pods of all previously admitted workloads are ready. No
 * cycle tries heads until then.
 *
 * <p>Rules: L-23.
 *
 * @param workload the workload at the time of the decision, which is void if the workload changes
 * @param admission the decision
 */
public record BlockedAdmission(Workload workload, Admission admission) {}
