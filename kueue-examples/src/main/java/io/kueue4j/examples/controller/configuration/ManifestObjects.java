package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Objects;
import java.util.stream.Stream;

/** Converts manifests to objects of a cluster, for the kinds that a controller needs. */
public final class ManifestObjects {
  private ManifestObjects() {}

  /** {@return the objects, in the order of the manifests} */
  public static ImmutableList<HasMetadata> of(Manifests manifests, JobKinds kinds) {
    return objects(manifests.items().stream(), kinds);
  }

  /** {@return only the configuration objects; others are not read} */
  public static ImmutableList<HasMetadata> configuration(Manifests manifests) {
    return objects(
        manifests.items().stream()
            .filter(manifest -> ClusterConfiguration.concerns(
                new ObjectKey(manifest.group(), manifest.kind(), "", ""))),
        JobKinds.of(ImmutableList.of()));
  }

  private static ImmutableList<HasMetadata> objects(Stream<Manifest> manifests, JobKinds kinds) {
    return manifests
        .flatMap(manifest -> ServedKinds.type(manifest.group(), manifest.kind(), kinds).stream()
            .map(type -> object(manifest, type)))
        .collect(ImmutableList.toImmutableList());
  }

  private static HasMetadata object(Manifest manifest, Class<? extends HasMetadata> type) {
    HasMetadata object = manifest.as(type);
    ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), ObjectMeta::new);
    metadata.setNamespace(manifest.namespace().orElse(null));
    object.setMetadata(metadata);
    return object;
  }
}
