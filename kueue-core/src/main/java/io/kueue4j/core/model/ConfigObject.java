package io.kueue4j.core.model;

/**
 * A piece of the configuration that decisions are made under, as opposed to a {@link Workload},
 * which is decided on.
 *
 * <p>Applying an object replaces an earlier one with the same {@link #key()}.
 */
public sealed interface ConfigObject
    permits ResourceFlavor,
        Topology,
        TpuPoolSet,
        Node,
        AdmissionCheck,
        ClusterQueue,
        Cohort,
        LocalQueue,
        Namespace,
        WorkloadPriorityClass {

  /**
   * {@return kind and name, for example {@code ClusterQueue research} or {@code LocalQueue
   * team-a/queue}}
   */
  String key();
}
