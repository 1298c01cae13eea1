package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store of an informer with only names and versions. The objects themselves are stored once, by
 * the receivers of events.
 *
 * <p>Until {@link #forgetContents} is called, complete objects are kept, so that they can be
 * listed.
 */
final class KnownVersions implements ItemStore<GenericKubernetesResource> {
  private final Map<String, GenericKubernetesResource> items = new ConcurrentHashMap<>();
  private volatile boolean forgets;

  /** Keeps only names and versions from now on. */
  void forgetContents() {
    forgets = true;
    items.replaceAll((key, object) -> reduced(object));
  }

  private static GenericKubernetesResource reduced(GenericKubernetesResource object) {
    ObjectMeta metadata = object.getMetadata();
    GenericKubernetesResource known = new GenericKubernetesResource();
    known.setApiVersion(object.getApiVersion());
    known.setKind(object.getKind());
    known.setMetadata(new ObjectMetaBuilder()
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName())
        .withUid(metadata.getUid())
        .withResourceVersion(metadata.getResourceVersion())
        .build());
    return known;
  }

  @Override
  public String getKey(GenericKubernetesResource object) {
    return Cache.metaNamespaceKeyFunc(object);
  }

  @Override
  public @Nullable GenericKubernetesResource put(String key, GenericKubernetesResource object) {
    return items.put(key, forgets ? reduced(object) : object);
  }

  @Override
  public @Nullable GenericKubernetesResource remove(String key) {
    return items.remove(key);
  }

  @Override
  public @Nullable GenericKubernetesResource get(String key) {
    return items.get(key);
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<GenericKubernetesResource> values() {
    return items.values().stream();
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public boolean isFullState() {
    return false;
  }
}
