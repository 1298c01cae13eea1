package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds the RayClusters that RayJobs and RayServices have made: where Ray scales such a cluster,
 * its numbers of workers are those of the job.
 */
@FunctionalInterface
public interface RayClusters {
  /**
   * {@return the cluster, absent if there is none}
   *
   * @param namespace the namespace of the job, empty if it names none
   * @param name the name of the cluster, as the status of the job says it
   */
  Optional<GenericKubernetesResource> find(String namespace, String name);

  /** {@return the finder that knows no cluster} */
  static RayClusters none() {
    return (namespace, name) -> Optional.empty();
  }

  /** {@return the finder of these; of several with the same name the last} */
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
