package io.kueue4j.examples.controller.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an informer keeps of each object: what distinguishes it and its version. The controller
 * keeps the objects themselves.
 */
final class VersionStore implements ItemStore<HasMetadata> {
  private final Map<String, Version> versions = new ConcurrentHashMap<>();

  private record Version(
      @Nullable String namespace,
      String name,
      @Nullable String uid,
      @Nullable String version) {
    static Version of(HasMetadata object) {
      ObjectMeta metadata = object.getMetadata();
      return new Version(
          metadata.getNamespace(),
          metadata.getName(),
          metadata.getUid(),
          metadata.getResourceVersion());
    }

    HasMetadata object() {
      GenericKubernetesResource object = new GenericKubernetesResource();
      object.setMetadata(new ObjectMetaBuilder()
          .withNamespace(namespace)
          .withName(name)
          .withUid(uid)
          .withResourceVersion(version)
          .build());
      return object;
    }
  }

  private static @Nullable HasMetadata object(@Nullable Version version) {
    return version == null ? null : version.object();
  }

  @Override
  public String getKey(HasMetadata object) {
    return Cache.metaNamespaceKeyFunc(object);
  }

  @Override
  public @Nullable HasMetadata put(String key, HasMetadata object) {
    return object(versions.put(key, Version.of(object)));
  }

  @Override
  public @Nullable HasMetadata remove(String key) {
    return object(versions.remove(key));
  }

  @Override
  public Stream<String> keySet() {
    return versions.keySet().stream();
  }

  @Override
  public Stream<HasMetadata> values() {
    return versions.values().stream().map(Version::object);
  }

  @Override
  public int size() {
    return versions.size();
  }

  @Override
  public @Nullable HasMetadata get(String key) {
    return object(versions.get(key));
  }

  /** Otherwise the informer would report what it has kept. */
  @Override
  public boolean isFullState() {
    return false;
  }
}
