package io.kueue4j.core.decision;

/**
 * Where one variant of a workload stands: its attempt to be admitted on one flavor, in a
 * ClusterQueue with a {@link io.kueue4j.core.model.ConcurrentAdmissionPolicy}. Immutable.
 *
 * <p>Rules: CA-2, CA-3, CA-4, CA-5.
 *
 * @param flavor the flavor
 * @param isTried whether cycles try it; they do not while the workload runs on another flavor that
 *     it would not leave for this one
 * @param mayPreempt whether it may preempt others; flavors may do so one after another
 * @param explanation what it waits for or holds; the name in it is that of the workload with the
 *     flavor in brackets, as in {@link ClusterQueueView}
 * @since 0.1.0
 */
public record VariantExplanation(
    String flavor, boolean isTried, boolean mayPreempt, Explanation explanation) {}
