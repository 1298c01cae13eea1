package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.model.PodSet;

/**
 * Pods of a pod set to be placed.
 *
 * @param podSet the pod set
 * @param count the number of pods
 * @param flavor the flavor of the nodes
 */
public record Pods(PodSet podSet, int count, String flavor) {}
