package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.TrainingRuntimes;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.yaml.Manifest;
import java.util.Objects;
import java.util.Optional;

/** Converts manifests to objects of a cluster, for the kinds that a controller needs. */
public final class ManifestObjects {
  private static final ImmutableMap<String, Class<? extends HasMetadata>> TYPES =
      ImmutableMap.<String, Class<? extends HasMetadata>>builder()
          .put("/Namespace", Namespace.class)
          .put("/Node", Node.class)
          .put("/Pod", Pod.class)
          .put("/LimitRange", LimitRange.class)
          .put("node.k8s.io/RuntimeClass", RuntimeClass.class)
          .put("scheduling.k8s.io/PriorityClass", PriorityClass.class)
          .buildOrThrow();

  private ManifestObjects() {}

  /** {@return the objects, in the order of the manifests} */
  public static ImmutableList<HasMetadata> of(Manifests manifests, JobKinds kinds) {
    return manifests.items().stream()
        .flatMap(manifest -> type(manifest, kinds).map(type -> object(manifest, type)).stream())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return only the configuration objects} */
  public static ImmutableList<HasMetadata> configuration(Manifests manifests) {
    return of(manifests, JobKinds.of(ImmutableList.of())).stream()
        .filter(object -> ClusterConfiguration.concerns(ObjectKey.of(object)))
        .collect(ImmutableList.toImmutableList());
  }

  private static Optional<Class<? extends HasMetadata>> type(Manifest manifest, JobKinds kinds) {
    Class<? extends HasMetadata> known = TYPES.get(manifest.group() + "/" + manifest.kind());
    if (known != null) {
      return Optional.of(known);
    }
    return KueueReader.isKnown(manifest.group(), manifest.kind())
            || (manifest.group().equals(TrainingRuntimes.GROUP)
                && manifest.kind().endsWith("Runtime"))
        ? Optional.of(GenericKubernetesResource.class)
        : kinds.type(manifest.group(), manifest.kind());
  }

  private static HasMetadata object(Manifest manifest, Class<? extends HasMetadata> type) {
    HasMetadata object = manifest.as(type);
    ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
    object.setMetadata(new ObjectMetaBuilder(metadata)
        .withNamespace(manifest.namespace().orElse(null))
        .build());
    return object;
  }
}
