package io.kueue4j.core.decision;

/**
 * The state of one variant of a workload, which tries to be admitted on one flavor, in a
 * ClusterQueue with a {@link io.kueue4j.core.model.ConcurrentAdmissionPolicy}. Immutable.
 *
 * <p>Rules: CA-2, CA-3, CA-4, CA-5.
 *
 * @param flavor the flavor
 * @param isTried whether cycles try it; they do not while the workload runs on a flavor that it
 *     would not leave for this one
 * @param mayPreempt whether it may preempt others; variants are allowed to preempt one after
 *     another
 * @param explanation the explanation of the variant, whose name is the name of the workload with
 *     the flavor in brackets, as in {@link ClusterQueueView}
 * @since 0.1.0
 */
public record VariantExplanation(
    String flavor, boolean isTried, boolean mayPreempt, Explanation explanation) {}
