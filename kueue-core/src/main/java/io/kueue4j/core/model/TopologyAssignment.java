package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * Where the pods of a pod set are placed.
 *
 * <p>Kueue: {@code Workload.status.admission.podSetAssignments[].topologyAssignment}. Rules: T-50,
 * T-51.
 *
 * @param levels the keys of the node labels that identify a domain: the host name alone if the
 *     topology ends in hosts, else all levels
 * @param domains the domains in ascending order of their place in the topology
 * @since 0.1.0
 */
public record TopologyAssignment(List<String> levels, List<Domain> domains) {
  /**
   * A number of pods in a domain.
   *
   * @param values the values of the node labels, one for each level
   * @param count the number of pods, at least 1
   */
  public record Domain(List<String> values, int count) {
    /**
     * Creates the domain.
     *
     * @throws IllegalArgumentException if {@code count} is less than 1
     */
    public Domain {
      values = ImmutableList.copyOf(values);
      checkArgument(count >= 1, "domain %s is given %s pods, expected 1 or more", values, count);
    }
  }

  /**
   * Creates the assignment.
   *
   * @throws IllegalArgumentException if a domain does not have one value for each level
   */
  public TopologyAssignment {
    levels = ImmutableList.copyOf(levels);
    domains = ImmutableList.copyOf(domains);
    for (Domain domain : domains) {
      checkArgument(
          domain.values().size() == levels.size(),
          "domain %s has %s values, expected one for each of the levels %s",
          domain.values(),
          domain.values().size(),
          levels);
    }
  }

  /** {@return the number of pods in all domains} */
  public int podCount() {
    return domains.stream().mapToInt(Domain::count).sum();
  }
}
