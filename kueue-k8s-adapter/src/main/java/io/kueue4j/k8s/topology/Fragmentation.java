package io.kueue4j.k8s.topology;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.LongMath;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a free resource is scattered over nodes: quota may have room where no node has.
 *
 * <p>Rules: J-18.
 *
 * @param resource the resource
 * @param freeByNode what is free of it, by node
 */
public record Fragmentation(String resource, ImmutableSortedMap<String, Long> freeByNode) {
  /** {@return the report of a resource on these nodes} */
  public static Fragmentation of(String resource, Collection<NodeLoad> nodes) {
    Map<String, Long> free = new TreeMap<>();
    nodes.forEach(node -> free.put(node.name(), node.free(resource)));
    return new Fragmentation(resource, ImmutableSortedMap.copyOf(free));
  }

  /** {@return how much is free on all nodes together} */
  public long totalFree() {
    return freeByNode.values().stream().reduce(0L, LongMath::saturatedAdd);
  }

  /** {@return how much is free on the node that has most: the largest pod that fits} */
  public long largestFree() {
    return freeByNode.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** {@return how much is free on nodes that have too little for one pod of {@code wanted}} */
  public long stranded(long wanted) {
    return freeByNode.values().stream()
        .filter(free -> free < wanted)
        .reduce(0L, LongMath::saturatedAdd);
  }

  /** {@return how many pods of {@code wanted} fit, one after the other; wanting nothing, all} */
  public long podsThatFit(long wanted) {
    return wanted <= 0
        ? Long.MAX_VALUE
        : freeByNode.values().stream().mapToLong(free -> free / wanted).sum();
  }
}
