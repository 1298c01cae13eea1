package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Finds the runtimes that TrainJobs refer to: their pods are written there. */
@FunctionalInterface
public interface TrainingRuntimes {
  /** The API group of the runtimes. */
  String GROUP = "trainer.kubeflow.org";

  /** The kind of runtimes that belong to a namespace. */
  String TRAINING_RUNTIME = "TrainingRuntime";

  /** The kind of runtimes that belong to no namespace. */
  String CLUSTER_TRAINING_RUNTIME = "ClusterTrainingRuntime";

  /**
   * {@return the runtime, absent if it is not known}
   *
   * @param namespace the namespace of the job; of no meaning for a ClusterTrainingRuntime
   * @param kind {@code TrainingRuntime} or {@code ClusterTrainingRuntime}
   * @param name the name
   */
  Optional<GenericKubernetesResource> find(String namespace, String kind, String name);

  /** {@return the finder that knows no runtime} */
  static TrainingRuntimes none() {
    return (namespace, kind, name) -> Optional.empty();
  }

  /** {@return the finder of these; of several with the same name the last} */
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
