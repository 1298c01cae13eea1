package io.kueue4j.core.internal.topology;

import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Topologies, nodes and the flavors with a topology, each by name. Forks share the maps until one
 * side changes them.
 */
final class NodeConfiguration {
  private TreeMap<String, Topology> topologies = new TreeMap<>();
  private TreeMap<String, Node> nodes = new TreeMap<>();
  private TreeMap<String, ResourceFlavor> flavors = new TreeMap<>();
  private boolean shared;

  /** {@return an independent copy} */
  NodeConfiguration fork() {
    NodeConfiguration fork = new NodeConfiguration();
    fork.topologies = topologies;
    fork.nodes = nodes;
    fork.flavors = flavors;
    fork.shared = true;
    if (!shared) {
      // Written only once, so that several threads may fork an unchanged configuration.
      shared = true;
    }
    return fork;
  }

  /**
   * Copies the maps before a change if a fork shares them.
   *
   * @return this configuration
   */
  NodeConfiguration own() {
    if (shared) {
      topologies = new TreeMap<>(topologies);
      nodes = new TreeMap<>(nodes);
      flavors = new TreeMap<>(flavors);
      shared = false;
    }
    return this;
  }

  NavigableMap<String, Topology> topologies() {
    return topologies;
  }

  NavigableMap<String, Node> nodes() {
    return nodes;
  }

  NavigableMap<String, ResourceFlavor> flavors() {
    return flavors;
  }
}
