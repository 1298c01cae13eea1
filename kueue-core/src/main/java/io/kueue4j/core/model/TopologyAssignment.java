package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * Where the pods of a pod set go.
 *
 * <p>Kueue: {@code Workload.status.admission.podSetAssignments[].topologyAssignment}. Rules: T-50,
 * T-51.
 *
 * @param levels the keys of node labels that tell domains apart: the host alone if the topology
 *     ends in hosts, else all levels
 * @param domains the domains in ascending order of their place in the topology
 */
public record TopologyAssignment(ImmutableList<String> levels, ImmutableList<Domain> domains) {
  /**
   * A number of pods in a domain.
   *
   * @param values the values of the node labels, one for each level
   * @param count the number of pods, at least 1
   */
  public record Domain(ImmutableList<String> values, int count) {
    /** Refuses what places no pod. */
    public Domain {
      checkArgument(count >= 1, "domain %s is given %s pods, expected 1 or more", values, count);
    }
  }

  /** Refuses domains that do not say their value of every level. */
  public TopologyAssignment {
    for (Domain domain : domains) {
      checkArgument(
          domain.values().size() == levels.size(),
          "domain %s has %s values, expected one for each of the levels %s",
          domain.values(),
          domain.values().size(),
          levels);
    }
  }

  /** {@return the number of pods} */
  public int podCount() {
    return domains.stream().mapToInt(Domain::count).sum();
  }
}
