package io.kueue4j.core.topology;

import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Topologies, nodes and the flavors that have a topology, each by name. Forks read the same maps
 * until either side changes them.
 */
final class NodeConfiguration {
  private TreeMap<String, Topology> topologies = new TreeMap<>();
  private TreeMap<String, Node> nodes = new TreeMap<>();
  private TreeMap<String, ResourceFlavor> flavors = new TreeMap<>();
  private boolean shared;

  /** {@return a configuration of the same content; changes of either are not seen in the other} */
  NodeConfiguration fork() {
    NodeConfiguration fork = new NodeConfiguration();
    fork.topologies = topologies;
    fork.nodes = nodes;
    fork.flavors = flavors;
    fork.shared = true;
    if (!shared) {
      // Not written again, so that any number of threads may fork what nobody changes.
      shared = true;
    }
    return fork;
  }

  /** Prepares for a change. */
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
