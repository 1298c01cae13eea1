package io.kueue4j.examples.controller.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * What an informer keeps of each object: what distinguishes it and its version. The controller
 * keeps the objects themselves.
 */
final class VersionStore extends BasicItemStore<HasMetadata> {
  VersionStore() {
    super(Cache::metaNamespaceKeyFunc);
  }

  @Override
  public @Nullable HasMetadata put(String key, HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    GenericKubernetesResource version = new GenericKubernetesResource();
    version.setMetadata(new ObjectMetaBuilder()
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName())
        .withUid(metadata.getUid())
        .withResourceVersion(metadata.getResourceVersion())
        .build());
    return super.put(key, version);
  }

  /** Otherwise the informer would report what it has kept. */
  @Override
  public boolean isFullState() {
    return false;
  }
}
