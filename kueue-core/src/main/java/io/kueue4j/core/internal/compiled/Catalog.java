package io.kueue4j.core.internal.compiled;

import com.google.common.collect.MapMaker;
import java.util.concurrent.ConcurrentMap;

/**
 * Interns the resources, and the pairs of flavor and resource, that an engine and its forks use:
 * equal names are one object as long as anything refers to it. An object that nothing refers to is
 * left to the garbage collector, so the memory does not depend on the names of the past.
 * Thread-safe.
 */
public final class Catalog {
  private final ConcurrentMap<String, ResourceName> resources =
      new MapMaker().weakValues().makeMap();

  private final ConcurrentMap<PairKey, FlavorResource> pairs =
      new MapMaker().weakValues().makeMap();

  private record PairKey(String flavor, String resource) {}

  /** {@return the resource with this name} */
  public ResourceName resource(String name) {
    return resources.computeIfAbsent(name, ResourceName::new);
  }

  /** {@return the pair of a flavor and a resource} */
  public FlavorResource pair(String flavor, String resource) {
    return pairs.computeIfAbsent(
        new PairKey(flavor, resource), key -> new FlavorResource(flavor, resource(resource)));
  }
}
