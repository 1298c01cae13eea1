package io.kueue4j.core.compiled;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.resource.ResourceNames;
import java.util.Arrays;

/** A ClusterQueue as decisions look at it: its resource groups in ids, its policies. */
public final class CompiledQueue {
  private static final int NOT_COVERED = -1;

  private final ClusterQueue source;
  private final Catalog catalog;
  private final CompiledGroup[] groups;
  private final int[] groupOfResource;
  private final int pods;

  /** Compiles {@code source} with the ids of {@code catalog}. */
  public CompiledQueue(ClusterQueue source, Catalog catalog) {
    this.source = source;
    this.catalog = catalog;
    this.groups = source.resourceGroups().stream()
        .map(group -> new CompiledGroup(group, catalog))
        .toArray(CompiledGroup[]::new);
    int[] groupOf = new int[0];
    for (int g = 0; g < groups.length; g++) {
      for (String name : source.resourceGroups().get(g).coveredResources()) {
        int resource = catalog.resource(name);
        if (resource >= groupOf.length) {
          int length = groupOf.length;
          groupOf = Arrays.copyOf(groupOf, resource + 1);
          Arrays.fill(groupOf, length, groupOf.length, NOT_COVERED);
        }
        groupOf[resource] = g;
      }
    }
    this.groupOfResource = groupOf;
    int podsResource = catalog.resource(ResourceNames.PODS);
    this.pods = covers(podsResource) ? podsResource : NOT_COVERED;
  }

  private CompiledQueue(CompiledQueue other, Catalog catalog) {
    this.source = other.source;
    this.catalog = catalog;
    this.groups = other.groups;
    this.groupOfResource = other.groupOfResource;
    this.pods = other.pods;
  }

  /** {@return the same queue, with the ids of a fork of its catalog} */
  public CompiledQueue in(Catalog fork) {
    return new CompiledQueue(this, fork);
  }

  /** {@return the queue that this was compiled from} */
  public ClusterQueue source() {
    return source;
  }

  /** {@return what its ids mean} */
  public Catalog catalog() {
    return catalog;
  }

  /** {@return whether some group covers the resource} */
  public boolean covers(int resource) {
    return resource < groupOfResource.length && groupOfResource[resource] != NOT_COVERED;
  }

  /** {@return whether two covered resources belong to one group} */
  public boolean inSameGroup(int resource, int other) {
    return groupOfResource[resource] == groupOfResource[other];
  }

  /** {@return the group of a covered resource} */
  public CompiledGroup group(int resource) {
    return groups[groupOfResource[resource]];
  }

  /** {@return the number of groups} */
  public int groupCount() {
    return groups.length;
  }

  /** {@return whether the number of pods is charged; rule R-8} */
  public boolean coversPods() {
    return pods != NOT_COVERED;
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
