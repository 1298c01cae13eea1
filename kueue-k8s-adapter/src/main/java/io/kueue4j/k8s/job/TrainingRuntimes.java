package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the runtimes that TrainJobs refer to, which contain their pods.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TrainingRuntimes {
  /** The API group of the runtimes. */
  String GROUP = "trainer.kubeflow.org";

  /** The kind of runtimes with a namespace. */
  String TRAINING_RUNTIME = "TrainingRuntime";

  /** The kind of runtimes without a namespace. */
  String CLUSTER_TRAINING_RUNTIME = "ClusterTrainingRuntime";

  /**
   * {@return the runtime, empty if it is unknown}
   *
   * @param namespace the namespace of the job; ignored for a ClusterTrainingRuntime
   * @param kind {@code TrainingRuntime} or {@code ClusterTrainingRuntime}
   * @param name the name
   */
  Optional<GenericKubernetesResource> find(String namespace, String kind, String name);

  /** {@return a finder without runtimes} */
  static TrainingRuntimes none() {
    return (namespace, kind, name) -> Optional.empty();
  }

  /** {@return a finder of these runtimes; if several have the same name, the last applies} */
  static TrainingRuntimes of(Iterable<GenericKubernetesResource> runtimes) {
    Map<String, GenericKubernetesResource> known = new LinkedHashMap<>();
    for (GenericKubernetesResource runtime : runtimes) {
      String namespace = JobMetadata.metadata(runtime).getNamespace();
      known.put(
          key(namespace == null ? "" : namespace, runtime.getKind(), JobMetadata.name(runtime)),
          runtime);
    }
    ImmutableMap<String, GenericKubernetesResource> byKey = ImmutableMap.copyOf(known);
    return (namespace, kind, name) -> Optional.ofNullable(byKey.get(key(namespace, kind, name)));
  }

  private static String key(String namespace, String kind, String name) {
    boolean cluster = kind.equals(CLUSTER_TRAINING_RUNTIME);
    return kind + " " + (cluster || namespace.equals("default") ? "" : namespace) + "/" + name;
  }
}
