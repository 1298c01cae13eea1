package io.kueue4j.examples.monitoring;

import io.kueue4j.core.model.Workload;

/**
 * The name of a job as its owner knows it. Immutable.
 *
 * @param kind the kind, empty if it is not known
 * @param namespace the namespace
 * @param name the name
 */
public record JobName(String kind, String namespace, String name) {
  /** {@return the name of a workload, for those who know no job behind it} */
  public static JobName of(Workload workload) {
    return new JobName("", workload.namespace(), workload.name());
  }

  /** {@return the name in text, such as {@code Job team/train}} */
  @Override
  public String toString() {
    return (kind.isEmpty() ? "" : kind + " ") + namespace + "/" + name;
  }
}
