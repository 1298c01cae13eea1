package io.kueue4j.core.model;

/**
 * A configuration object, such as a ClusterQueue or a ResourceFlavor.
 *
 * <p>Applying an object replaces an earlier one with the same {@link #key()}.
 *
 * @since 0.1.0
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
   * {@return the kind and name, for example {@code ClusterQueue research} or {@code LocalQueue
   * team-a/queue}}
   */
  String key();

  /**
   * {@return the name, unique among the objects of its kind: {@code namespace/name} of a
   * LocalQueue, the plain name of all others}
   */
  default String qualifiedName() {
    String key = key();
    return key.substring(key.indexOf(' ') + 1);
  }
}
