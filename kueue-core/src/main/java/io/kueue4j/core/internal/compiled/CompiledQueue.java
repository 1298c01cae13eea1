package io.kueue4j.core.internal.compiled;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.resource.ResourceNames;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A compiled ClusterQueue: its resource groups with ids instead of names, and its policies.
 *
 * <p>Rules: Q-12.
 */
public final class CompiledQueue {
  private final ClusterQueue source;
  private final Catalog catalog;
  private final CompiledGroup[] groups;
  private final IdMap groupOfResource;
  private final int pods;

  /** Compiles {@code source} with the ids of {@code catalog}. */
  public CompiledQueue(ClusterQueue source, Catalog catalog) {
    this.source = source;
    this.catalog = catalog;
    this.groups = source.resourceGroups().stream()
        .map(group -> new CompiledGroup(group, catalog))
        .toArray(CompiledGroup[]::new);
    this.groupOfResource = IdMap.of(
        Arrays.stream(groups).flatMapToInt(CompiledGroup::resources).toArray(),
        IntStream.range(0, groups.length)
            .flatMap(g -> groups[g].resources().map(unused -> g))
            .toArray());
    int podsResource = catalog.resource(ResourceNames.PODS);
    this.pods = covers(podsResource) ? podsResource : IdMap.ABSENT;
  }

  private CompiledQueue(CompiledQueue other, Catalog catalog) {
    this.source = other.source;
    this.catalog = catalog;
    this.groups = other.groups;
    this.groupOfResource = other.groupOfResource;
    this.pods = other.pods;
  }

  /** {@return a copy for a fork of its catalog} */
  public CompiledQueue in(Catalog fork) {
    return new CompiledQueue(this, fork);
  }

  /** Adds all ids that this refers to. */
  public void addIds(IdsInUse inUse) {
    for (CompiledGroup group : groups) {
      group.addIds(inUse);
    }
  }

  /** {@return the queue that this was compiled from} */
  public ClusterQueue source() {
    return source;
  }

  /** {@return the catalog of its ids} */
  public Catalog catalog() {
    return catalog;
  }

  /** {@return whether some group covers the resource} */
  public boolean covers(int resource) {
    return groupOfResource.get(resource) != IdMap.ABSENT;
  }

  /** {@return whether two covered resources belong to one group} */
  public boolean inSameGroup(int resource, int other) {
    return groupOfResource.get(resource) == groupOfResource.get(other);
  }

  /** {@return the group of a covered resource} */
  public CompiledGroup group(int resource) {
    return groups[groupOfResource.get(resource)];
  }

  /** {@return the number of groups} */
  public int groupCount() {
    return groups.length;
  }

  /** {@return whether the number of pods is charged; rule R-8} */
  public boolean coversPods() {
    return pods != IdMap.ABSENT;
  }

  /** {@return the id of the resource {@code pods}, if it is covered} */
  public int pods() {
    return pods;
  }

  /** {@return whether a workload that does not fit blocks those behind it} */
  public boolean isStrictFifo() {
    return source.queueingStrategy() == QueueingStrategy.STRICT_FIFO;
  }
}
