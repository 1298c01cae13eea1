package io.kueue4j.core.model;

/**
 * A configuration object, such as a ClusterQueue or a ResourceFlavor.
 *
 * <p>Applying an object replaces an earlier one with the same {@link #key()}. When an object is
 * removed, this remains without it:
 *
 * <ul>
 *   <li>{@link ClusterQueue}, {@link LocalQueue}: pending workloads wait until there is one of that
 *       name again. Until then, a {@link CapacityWindow} of that ClusterQueue keeps nothing. With
 *       the last LocalQueue in it, a namespace that was never applied is removed, too
 *   <li>{@link Cohort}: as long as something names it, it continues without quota, limits and
 *       parent
 *   <li>{@link AdmissionCheck}, {@link Topology}, {@link TpuPoolSet}: ClusterQueues that refer to
 *       it, by their flavors or themselves, are inactive until there is one of that name again
 *   <li>{@link Node}: workloads with pods on it keep their quota
 *   <li>{@link Namespace}: no workload in it is admitted
 *   <li>{@link WorkloadPriorityClass}: workloads that name it have their own priority again
 *   <li>{@link CapacityWindow}: others may use what it kept
 * </ul>
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
        WorkloadPriorityClass,
        CapacityWindow {

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
