package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds the RayClusters created by RayJobs and RayServices. If Ray scales such a cluster, its
 * numbers of workers replace the numbers of the job.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RayClusters {
  /**
   * {@return the cluster, empty if there is none}
   *
   * @param namespace the namespace of the job, empty if it names none
   * @param name the name of the cluster, from the status of the job
   */
  Optional<GenericKubernetesResource> find(String namespace, String name);

  /** {@return a finder without clusters} */
  static RayClusters none() {
    return (namespace, name) -> Optional.empty();
  }

  /** {@return a finder of these clusters; if several have the same name, the last applies} */
  static RayClusters of(Iterable<GenericKubernetesResource> clusters) {
    Map<String, GenericKubernetesResource> known = new LinkedHashMap<>();
    for (GenericKubernetesResource cluster : clusters) {
      String namespace =
          Objects.requireNonNullElse(JobMetadata.metadata(cluster).getNamespace(), "");
      known.put(namespace + "/" + JobMetadata.name(cluster), cluster);
    }
    ImmutableMap<String, GenericKubernetesResource> byName = ImmutableMap.copyOf(known);
    return (namespace, name) -> Optional.ofNullable(byName.get(namespace + "/" + name));
  }
}
