package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.resource.Amount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The capacity of a domain and its usage.
 *
 * @param path the values of the levels down to this one, empty for the whole topology
 * @param nodeCount the number of nodes in it
 * @param capacity their allocatable amounts, by resource
 * @param others the usage of pods that admission does not place
 * @param jobs the usage of admitted jobs, by their names
 * @param children the domains of the next level in it, in the order of placement
 */
public record DomainCapacity(
    List<String> path,
    int nodeCount,
    SortedMap<String, Long> capacity,
    SortedMap<String, Long> others,
    ImmutableSortedMap<String, JobShare> jobs,
    List<DomainCapacity> children) {
  /** {@return the name among its neighbours} */
  public String name() {
    return path.isEmpty() ? "" : path.get(path.size() - 1);
  }

  /** {@return the capacity of a resource} */
  public long capacity(String resource) {
    return capacity.getOrDefault(resource, 0L);
  }

  /** {@return the free amount of a resource; negative if usage exceeds the capacity} */
  public long free(String resource) {
    long used = Stream.concat(Stream.of(others), jobs.values().stream().map(JobShare::amounts))
        .mapToLong(amounts -> amounts.getOrDefault(resource, 0L))
        .reduce(0, Amount::add);
    return Amount.subtract(capacity(resource), used);
  }

  /** {@return the domain with these leaves, grouped by parent} */
  static DomainCapacity of(List<String> path, List<DomainCapacity> leaves) {
    Map<String, ImmutableList.Builder<DomainCapacity>> byName = new TreeMap<>();
    for (DomainCapacity leaf : leaves) {
      byName
          .computeIfAbsent(leaf.path.get(path.size()), name -> ImmutableList.builder())
          .add(leaf);
    }
    ImmutableList.Builder<DomainCapacity> children = ImmutableList.builder();
    byName.forEach((name, below) -> {
      ImmutableList<DomainCapacity> ofChild = below.build();
      boolean isLeaf = ofChild.get(0).path.size() == path.size() + 1;
      children.add(isLeaf ? ofChild.get(0) : of(child(path, name), ofChild));
    });
    return sum(path, children.build());
  }

  private static List<String> child(List<String> path, String name) {
    return ImmutableList.<String>builder().addAll(path).add(name).build();
  }

  private static DomainCapacity sum(List<String> path, List<DomainCapacity> children) {
    int nodeCount = 0;
    SortedMap<String, Long> capacity = ImmutableSortedMap.of();
    SortedMap<String, Long> others = ImmutableSortedMap.of();
    Map<String, JobShare> jobs = new LinkedHashMap<>();
    for (DomainCapacity child : children) {
      nodeCount += child.nodeCount;
      capacity = Amounts.sum(capacity, child.capacity);
      others = Amounts.sum(others, child.others);
      child.jobs.forEach((name, share) -> jobs.merge(name, share, JobShare::plus));
    }
    return new DomainCapacity(
        path, nodeCount, capacity, others, ImmutableSortedMap.copyOf(jobs), children);
  }
}
