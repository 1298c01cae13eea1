package io.kueue4j.core.model;

import java.util.Optional;

/**
 * What has happened to the attempt of a workload to be admitted on one flavor.
 *
 * <p>Kueue: the status of a variant, a workload of its own there. Rules: CA-2.
 *
 * @param flavor the flavor
 * @param active whether it is tried; not while the workload runs on another one that it would not
 *     leave for this
 * @param admission what it holds quota for, with the name of the workload; absent if it holds none
 * @param status its conditions, checks and preemption gates
 */
public record VariantStatus(
    String flavor, boolean active, Optional<Admission> admission, WorkloadStatus status) {}
