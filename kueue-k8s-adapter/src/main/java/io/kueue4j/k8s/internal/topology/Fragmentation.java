package io.kueue4j.k8s.internal.topology;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.LongMath;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the free amount of a resource is distributed over nodes: quota may be available while no
 * single node has enough.
 *
 * <p>Rules: J-18.
 *
 * @param resource the resource
 * @param freeByNode the free amount, by node
 * @since 0.1.0
 */
public record Fragmentation(String resource, SortedMap<String, Long> freeByNode) {
  /** Copies what it is given. */
  public Fragmentation {
    freeByNode = ImmutableSortedMap.copyOf(freeByNode);
  }

  /** {@return the fragmentation of a resource on the given nodes} */
  public static Fragmentation of(String resource, Collection<NodeLoad> nodes) {
    Map<String, Long> free = new TreeMap<>();
    nodes.forEach(node -> free.put(node.name(), node.free(resource)));
    return new Fragmentation(resource, ImmutableSortedMap.copyOf(free));
  }

  /** {@return the free amount of all nodes} */
  public long totalFree() {
    return freeByNode.values().stream().reduce(0L, LongMath::saturatedAdd);
  }

  /** {@return the free amount of the node with the most: the largest pod that fits} */
  public long largestFree() {
    return freeByNode.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** {@return the free amount of nodes that cannot hold one pod that requests {@code wanted}} */
  public long stranded(long wanted) {
    return freeByNode.values().stream()
        .filter(free -> free < wanted)
        .reduce(0L, LongMath::saturatedAdd);
  }

  /**
   * {@return the number of pods that request {@code wanted} and fit; the largest int if
   * {@code wanted} is 0}
   */
  public long podsThatFit(long wanted) {
    return wanted <= 0
        ? Long.MAX_VALUE
        : freeByNode.values().stream().mapToLong(free -> free / wanted).sum();
  }
}
