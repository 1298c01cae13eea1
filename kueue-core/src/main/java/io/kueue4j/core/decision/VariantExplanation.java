package io.kueue4j.core.decision;

/**
 * Where the attempt of a workload to be admitted on one flavor stands.
 *
 * <p>Rules: CA-2, CA-3, CA-4, CA-5.
 *
 * @param flavor the flavor
 * @param isTried whether it is tried at all; not while the workload runs on another flavor that it
 *     would not leave for this one
 * @param mayPreempt whether others may be preempted for it, which is so for one flavor after
 *     another
 * @param explanation what it waits for or holds; its name is that of the workload with the flavor
 *     in brackets, by which it is found in {@link ClusterQueueView}, too
 */
public record VariantExplanation(
    String flavor, boolean isTried, boolean mayPreempt, Explanation explanation) {}
