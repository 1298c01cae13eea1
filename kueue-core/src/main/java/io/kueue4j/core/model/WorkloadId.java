package io.kueue4j.core.model;

import com.google.common.collect.ComparisonChain;

/**
 * The identity of a workload.
 *
 * @param namespace its namespace
 * @param name its name, unique in the namespace
 * @since 0.1.0
 */
public record WorkloadId(String namespace, String name) implements Comparable<WorkloadId> {
  /** {@return the identity of {@code namespace/name}} */
  public static WorkloadId of(String namespace, String name) {
    return new WorkloadId(namespace, name);
  }

  // Written out, because engines look ids up all the time, and what a record generates is slow
  // until
  // it is compiled with all optimisations.

  @Override
  public boolean equals(Object other) {
    return other instanceof WorkloadId id && name.equals(id.name) && namespace.equals(id.namespace);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  @Override
  public int compareTo(WorkloadId other) {
    return ComparisonChain.start()
        .compare(namespace, other.namespace)
        .compare(name, other.name)
        .result();
  }

  /** {@return {@code namespace/name}} */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
