package io.kueue4j.examples.controller;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.ConfigurationBatch;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.KueueReader;
import io.kueue4j.k8s.yaml.ManifestException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Tells an engine of queues, flavors, classes and namespaces as the cluster has them.
 *
 * <p>What cannot be read or breaks rules is not applied: the engine goes on with what it had, and
 * {@link #problems} says what is wrong. What is deleted while something needs it takes in nothing
 * new, and is removed when nothing needs it any more.
 */
final class ClusterConfiguration {
  private static final ManifestReader READER = ManifestReader.create();

  private final AdmissionEngine engine;
  private final Consumer<? super Decisions> decided;
  private final Map<ObjectKey, ConfigObject> applied = new TreeMap<>();
  private final Map<ObjectKey, Optional<HasMetadata>> changed = new LinkedHashMap<>();
  private final Map<ObjectKey, ConfigObject> doomed = new TreeMap<>();
  private final Map<ObjectKey, String> problems = new TreeMap<>();
  private ImmutableMap<String, ResourceFlavor> flavors = ImmutableMap.of();
  private int maxFlavors;

  /**
   * Creates a configuration.
   *
   * @param engine what is configured
   * @param decided receives the decisions that follow from changes
   */
  ClusterConfiguration(AdmissionEngine engine, Consumer<? super Decisions> decided) {
    this.engine = engine;
    this.decided = decided;
  }

  /** {@return whether objects of this kind configure the engine; nodes are handled separately} */
  static boolean concerns(ObjectKey key) {
    return key.is("", "Namespace")
        || (KueueReader.isKnown(key.apiGroup(), key.kind())
            && !KueueReader.isUnused(key.apiGroup(), key.kind())
            && !key.kind().equals(KueueReader.WORKLOAD));
  }

  /** Notes that an object is there, or no more if it is absent. */
  void note(ObjectKey key, Optional<HasMetadata> object) {
    changed.remove(key);
    changed.put(key, object);
  }

  /** Tells the engine what was noted; {@return whether there was anything new} */
  boolean apply() {
    boolean any = false;
    Map<ObjectKey, ConfigObject> put = new LinkedHashMap<>();
    for (Map.Entry<ObjectKey, Optional<HasMetadata>> change : changed.entrySet()) {
      ObjectKey key = change.getKey();
      any |= problems.remove(key) != null;
      if (change.getValue().isEmpty()) {
        any = true;
        Optional.ofNullable(applied.remove(key)).ifPresent(old -> doomed.put(key, old));
      } else {
        Optional<ConfigObject> read = read(key, change.getValue().get());
        // Most often only the status is another, which says nothing to the engine.
        if (read.isEmpty() || !read.get().equals(applied.get(key))) {
          any = true;
          read.ifPresent(object -> put.put(key, object));
        }
      }
    }
    changed.clear();
    put(put);
    any |= removeDoomed();
    if (any) {
      look();
    }
    return any;
  }

  private Optional<ConfigObject> read(ObjectKey key, HasMetadata object) {
    try {
      return READER.read(ManifestSource.of(object)).configObjects().stream().findFirst();
    } catch (ManifestException e) {
      problems.put(key, e.getMessage());
      return Optional.empty();
    }
  }

  private void put(Map<ObjectKey, ConfigObject> objects) {
    ImmutableListMultimap<String, Violation> refused =
        ConfigurationBatch.apply(engine, objects.values(), decided);
    objects.forEach((key, object) -> {
      if (refused.containsKey(object.key())) {
        problems.put(key, Joiner.on("; ").join(refused.get(object.key())));
      } else {
        applied(key, object);
      }
    });
  }

  private void applied(ObjectKey key, ConfigObject object) {
    applied.put(key, object);
    doomed.remove(key);
  }

  /** A queue may need a flavor that goes with it: as long as one can go, try the others again. */
  private boolean removeDoomed() {
    boolean any = false;
    boolean again = true;
    while (again) {
      again = false;
      for (Map.Entry<ObjectKey, ConfigObject> object :
          ImmutableMap.copyOf(doomed).entrySet()) {
        if (remove(object.getKey(), object.getValue())) {
          doomed.remove(object.getKey());
          again = true;
          any = true;
        }
      }
    }
    return any;
  }

  private boolean remove(ObjectKey key, ConfigObject object) {
    try {
      decided.accept(engine.remove(object));
      problems.remove(key);
      return true;
    } catch (IllegalStateException e) {
      if (problems.put(key, "deleted, but still needed: " + e.getMessage()) == null
          && object instanceof ClusterQueue queue) {
        decided.accept(engine.apply(
            ClusterQueue.builder().from(queue).stopPolicy(StopPolicy.HOLD).build()));
      }
      return false;
    }
  }

  /** {@return the flavors by name, also those that are to go} */
  ImmutableMap<String, ResourceFlavor> flavors() {
    return flavors;
  }

  /** {@return how many flavors the ClusterQueue with most has} */
  int maxFlavors() {
    return maxFlavors;
  }

  private void look() {
    flavors = Maps.uniqueIndex(all(ResourceFlavor.class), ResourceFlavor::name);
    maxFlavors = all(ClusterQueue.class).stream()
        .mapToInt(queue -> queue.resourceGroups().stream()
            .mapToInt(group -> group.flavors().size())
            .sum())
        .max()
        .orElse(0);
  }

  /** {@return what is in force of one kind} */
  <T extends ConfigObject> ImmutableList<T> all(Class<T> type) {
    List<ConfigObject> all = new ArrayList<>(applied.values());
    all.addAll(doomed.values());
    return all.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the ClusterQueue that a LocalQueue leads to, empty if there is none of its name} */
  String clusterQueueName(String namespace, String name) {
    return localQueue(namespace, name).map(LocalQueue::clusterQueue).orElse("");
  }

  /** {@return a LocalQueue as it was applied last, absent if the cluster has none of that name} */
  Optional<LocalQueue> localQueue(String namespace, String name) {
    return find(new ObjectKey(KueueReader.GROUP, "LocalQueue", namespace, name), LocalQueue.class);
  }

  /**
   * {@return a ClusterQueue as it was applied last, absent if the cluster has none of that name}
   */
  Optional<ClusterQueue> clusterQueue(String name) {
    return find(new ObjectKey(KueueReader.GROUP, "ClusterQueue", "", name), ClusterQueue.class);
  }

  /** {@return a namespace, absent if the cluster has none of that name} */
  Optional<Namespace> namespace(String name) {
    return find(new ObjectKey("", "Namespace", "", name), Namespace.class);
  }

  private <T extends ConfigObject> Optional<T> find(ObjectKey key, Class<T> type) {
    return Optional.ofNullable(applied.get(key)).filter(type::isInstance).map(type::cast);
  }

  /** {@return what is wrong with which object} */
  ImmutableSortedMap<ObjectKey, String> problems() {
    return ImmutableSortedMap.copyOf(problems);
  }
}
