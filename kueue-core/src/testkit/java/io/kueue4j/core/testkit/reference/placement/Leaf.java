package io.kueue4j.core.testkit.reference.placement;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.resource.Amount;
import java.util.List;

/**
 * A domain of the last level: the nodes in it, in the order of their names.
 *
 * <p>Rules: T-6, T-7, T-8.
 *
 * @param path the values of all levels; for hosts with equal names, the values of the first
 * @param nodes the nodes
 */
record Leaf(List<String> path, ImmutableList<Node> nodes) {

  /** T-7, T-8: the capacity without placed pods. */
  long capacity(String resource) {
    long capacity = 0;
    for (Node node : nodes) {
      capacity = Amount.add(capacity, node.allocatable().getOrDefault(resource, 0L));
      capacity = Amount.subtract(capacity, node.usedByOthers().getOrDefault(resource, 0L));
    }
    return capacity;
  }
}
