package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The levels of a data center, such as blocks, racks and hosts, as keys of node labels.
 *
 * <p>Kueue: {@code Topology.spec.levels}. Rules: T-1.
 *
 * @param name the name, which flavors refer to
 * @param levels the keys of node labels, coarsest first
 * @since 0.1.0
 */
public record Topology(String name, List<String> levels) implements ConfigObject {
  /** Copies what it is given. */
  public Topology {
    levels = ImmutableList.copyOf(levels);
  }

  /** The label that Kubernetes gives each node; allowed as the last level only. */
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /** {@return the topology with these levels, coarsest first} */
  public static Topology of(String name, String... levels) {
    return new Topology(name, ImmutableList.copyOf(levels));
  }

  /** {@return whether each domain of the last level is one node} */
  public boolean endsInHosts() {
    return !levels.isEmpty() && levels.get(levels.size() - 1).equals(HOSTNAME);
  }

  @Override
  public String key() {
    return "Topology " + name;
  }
}
