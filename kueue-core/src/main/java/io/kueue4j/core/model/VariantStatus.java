package io.kueue4j.core.model;

import java.util.Optional;

/**
 * The status of a variant: the attempt of a workload to be admitted on one flavor.
 *
 * <p>Kueue: the status of a variant, which is a workload of its own there. Rules: CA-2.
 *
 * @param flavor the flavor
 * @param active whether the flavor is tried; false while the workload runs on a flavor that it
 *     would not leave for this one
 * @param admission the admission under the name of the workload; absent if the variant holds no
 *     quota
 * @param status the conditions, checks and preemption gates of the variant
 * @since 0.1.0
 */
public record VariantStatus(
    String flavor, boolean active, Optional<Admission> admission, WorkloadStatus status) {}
