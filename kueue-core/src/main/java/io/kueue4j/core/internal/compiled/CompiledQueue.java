package io.kueue4j.core.internal.compiled;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.resource.ResourceNames;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A compiled ClusterQueue: its resource groups with interned names, and its policies.
 *
 * <p>Rules: Q-12.
 */
public final class CompiledQueue {
  private final ClusterQueue source;
  private final Catalog catalog;
  private final CompiledGroup[] groups;
  private final ColumnMap<ResourceName> groupOfResource;
  private final ResourceName pods;
  private final boolean coversPods;

  /** Compiles {@code source} with the names of {@code catalog}. */
  public CompiledQueue(ClusterQueue source, Catalog catalog) {
    this.source = source;
    this.catalog = catalog;
    this.groups = source.resourceGroups().stream()
        .map(group -> new CompiledGroup(group, catalog))
        .toArray(CompiledGroup[]::new);
    this.groupOfResource = ColumnMap.of(
        Arrays.stream(groups).flatMap(CompiledGroup::resources).toArray(ResourceName[]::new),
        IntStream.range(0, groups.length)
            .flatMap(g -> groups[g].resources().mapToInt(unused -> g))
            .toArray());
    this.pods = catalog.resource(ResourceNames.PODS);
    this.coversPods = covers(pods);
  }

  /** {@return the queue that this was compiled from} */
  public ClusterQueue source() {
    return source;
  }

  /** {@return the catalog of its names} */
  public Catalog catalog() {
    return catalog;
  }

  /** {@return whether some group covers the resource} */
  public boolean covers(ResourceName resource) {
    return groupOfResource.get(resource) != ColumnMap.ABSENT;
  }

  /** {@return whether a resource belongs to the group of another, which is covered} */
  public boolean inSameGroup(ResourceName resource, ResourceName other) {
    return groupOfResource.get(resource) == groupOfResource.get(other);
  }

  /** {@return the group of a covered resource} */
  public CompiledGroup group(ResourceName resource) {
    return groups[groupOfResource.get(resource)];
  }

  /** {@return the number of groups} */
  public int groupCount() {
    return groups.length;
  }

  /** {@return whether the number of pods is charged; rule R-8} */
  public boolean coversPods() {
    return coversPods;
  }

  /** {@return the resource {@code pods}} */
  public ResourceName pods() {
    return pods;
  }

  /** {@return whether a workload that does not fit blocks those behind it} */
  public boolean isStrictFifo() {
    return source.queueingStrategy() == QueueingStrategy.STRICT_FIFO;
  }
}
