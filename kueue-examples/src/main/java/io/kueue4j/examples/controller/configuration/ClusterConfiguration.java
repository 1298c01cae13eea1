package io.kueue4j.examples.controller.configuration;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import io.kueue4j.examples.controller.object.JobParts;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.k8s.ConfigurationBatch;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Configures an engine with the queues, flavors, classes and namespaces of a cluster.
 *
 * <p>Objects that cannot be read or violate rules are not applied. ClusterQueues that depend on
 * such an object are out of service until it is corrected, and {@link #problems} says why. A
 * deleted object that is still needed stays in force without admitting anything, and is removed
 * when it is not needed any more.
 */
public final class ClusterConfiguration {
  private static final ManifestReader READER = ManifestReader.create();

  private final AdmissionEngine engine;
  private final Consumer<? super Decisions> decided;
  private final TpuPools pools;
  private final RecordedUsage usage;
  private final Map<ObjectKey, Optional<HasMetadata>> changed = new LinkedHashMap<>();

  /** Objects that are in force. */
  private final Map<ObjectKey, ConfigObject> applied = new TreeMap<>();

  /** Deleted objects that are still in force, and why; empty before the first attempt. */
  private final Map<ObjectKey, String> doomed = new TreeMap<>();

  /** Objects that could be read, but were refused by the engine. */
  private final Map<ObjectKey, ConfigObject> refused = new TreeMap<>();

  /** Why objects that exist are not applied as they are. */
  private final Map<ObjectKey, String> invalid = new TreeMap<>();

  /** Objects whose deletion waits for a finalizer. */
  private final Set<ObjectKey> terminating = new HashSet<>();

  private ImmutableSortedMap<ObjectKey, String> problems = ImmutableSortedMap.of();
  private ImmutableMap<String, ResourceFlavor> flavors = ImmutableMap.of();

  /**
   * Creates a configuration.
   *
   * @param engine what is configured
   * @param decided receives the decisions that follow from changes
   */
  public ClusterConfiguration(AdmissionEngine engine, Consumer<? super Decisions> decided) {
    this.engine = engine;
    usage = new RecordedUsage(engine);
    this.decided = decided;
    pools = new TpuPools(engine, decided);
  }

  /** {@return whether objects of this kind configure the engine; nodes are handled separately} */
  public static boolean concerns(ObjectKey key) {
    return key.is("", "Namespace") || ManifestReader.configures(key.apiGroup(), key.kind());
  }

  /** Notes that an object is there, or no more if it is absent. */
  public void note(ObjectKey key, Optional<HasMetadata> object) {
    changed.remove(key);
    changed.put(key, object);
  }

  /**
   * Applies what was noted to the engine.
   *
   * @return whether there was anything new
   */
  public boolean apply() {
    boolean any = false;
    Map<ObjectKey, ConfigObject> put = new LinkedHashMap<>();
    for (Map.Entry<ObjectKey, Optional<HasMetadata>> change : changed.entrySet()) {
      ObjectKey key = change.getKey();
      Optional<HasMetadata> stored = change.getValue();
      Optional<ConfigObject> before = present(key, ConfigObject.class);
      any |= invalid.remove(key) != null;
      any |= refused.remove(key) != null;
      if (before.isEmpty() || stored.isEmpty()) {
        usage.note(key, stored);
      }
      any |= stored.filter(JobParts::isDeleted).isPresent()
          ? terminating.add(key)
          : terminating.remove(key);
      Optional<ConfigObject> read = stored.flatMap(object -> read(key, object));
      // Most often only the status has changed, which does not concern the engine.
      if (read.isEmpty() || !read.equals(before)) {
        any = true;
        read.ifPresent(object -> put.put(key, object));
      }
      if (stored.isEmpty() && before.isPresent()) {
        doomed.put(key, "");
      }
    }
    changed.clear();
    if (any) {
      put(put);
      // What was refused before may be valid now.
      put(ImmutableMap.copyOf(Maps.filterKeys(refused, key -> !put.containsKey(key))));
    }
    any |= removeDoomed();
    if (any) {
      updateOutages();
      flavors = Maps.uniqueIndex(all(ResourceFlavor.class), ResourceFlavor::name);
      problems = findProblems();
    }
    return any;
  }

  /**
   * Restores the past usage of the LocalQueues that were applied for the first time; call it when
   * the jobs that hold quota are restored.
   */
  public void restoreUsage() {
    usage.restore(this);
  }

  /** Makes pools of TPUs of all nodes, for the present flavors. */
  public void applyPools(Iterable<Node> nodes) {
    pools.apply(flavors, nodes);
  }

  /** {@return the pools of TPUs that nodes make up} */
  public TpuPools pools() {
    return pools;
  }

  private Optional<ConfigObject> read(ObjectKey key, HasMetadata object) {
    try {
      return READER.read(ManifestSource.of(object)).configObjects().stream().findFirst();
    } catch (ManifestException e) {
      invalid.put(key, e.getMessage());
      return Optional.empty();
    }
  }

  private void put(Map<ObjectKey, ConfigObject> objects) {
    Map<String, List<Violation>> violations = ConfigurationBatch.apply(
        engine, Iterables.transform(objects.values(), pools::completed), decided);
    objects.forEach((key, object) -> {
      if (violations.containsKey(object.key())) {
        invalid.put(key, Joiner.on("; ").join(violations.get(object.key())));
        refused.put(key, object);
      } else {
        applied.put(key, object);
        doomed.remove(key);
        refused.remove(key);
        invalid.remove(key);
      }
    });
  }

  /** Takes ClusterQueues out of service, and puts them back into service. */
  private void updateOutages() {
    Map<ObjectKey, ConfigObject> present = new HashMap<>(applied);
    present.keySet().removeAll(doomed.keySet());
    present.putAll(refused);
    ConfigurationFaults faults =
        new ConfigurationFaults(present, invalid, doomed.keySet(), terminating);
    all(ClusterQueue.class)
        .forEach(queue -> decided.accept(engine.setOutage(queue.name(), faults.of(queue))));
  }

  private ImmutableSortedMap<ObjectKey, String> findProblems() {
    Map<ObjectKey, String> found = new TreeMap<>();
    for (ClusterQueueView queue : engine.view().clusterQueues()) {
      String why = queue.inactivities().stream()
          .filter(inactivity -> !inactivity.reason().equals("Stopped"))
          .map(Inactivity::toString)
          .collect(Collectors.joining("; "));
      if (!why.isEmpty()) {
        found.put(key(queue.name()), "admits nothing: " + why);
      }
    }
    applied.forEach((key, object) -> {
      if (object instanceof LocalQueue queue && !applied.containsKey(key(queue.clusterQueue()))) {
        found.put(
            key,
            "admits nothing: ClusterQueueDoesNotExist: there is no ClusterQueue "
                + queue.clusterQueue());
      }
    });
    found.putAll(doomed);
    found.putAll(invalid);
    return ImmutableSortedMap.copyOf(found);
  }

  private static ObjectKey key(String clusterQueue) {
    return ConfigurationFaults.key("ClusterQueue", clusterQueue);
  }

  /** A queue may need a flavor that goes with it: as long as one can go, try the others again. */
  private boolean removeDoomed() {
    boolean any = false;
    while (doomed.entrySet().removeIf(this::remove)) {
      any = true;
    }
    return any;
  }

  private boolean remove(Map.Entry<ObjectKey, String> gone) {
    try {
      decided.accept(engine.remove(Objects.requireNonNull(applied.get(gone.getKey()))));
      applied.remove(gone.getKey());
      return true;
    } catch (IllegalStateException e) {
      if (gone.getValue().isEmpty()) {
        gone.setValue("deleted, but still needed: " + e.getMessage());
      }
      return false;
    }
  }

  /** {@return the flavors by name, also those that are to go} */
  public ImmutableMap<String, ResourceFlavor> flavors() {
    return flavors;
  }

  /** {@return what is in force of one kind} */
  public <T extends ConfigObject> Iterable<T> all(Class<T> type) {
    return Iterables.filter(applied.values(), type);
  }

  /** {@return a LocalQueue as it was applied last, absent if the cluster has none of that name} */
  public Optional<LocalQueue> localQueue(String namespace, String name) {
    return present(
        new ObjectKey(KueueApiVersion.GROUP, "LocalQueue", namespace, name), LocalQueue.class);
  }

  /**
   * {@return a ClusterQueue as it was applied last, absent if the cluster has none of that name}
   */
  public Optional<ClusterQueue> clusterQueue(String name) {
    return present(key(name), ClusterQueue.class);
  }

  /** {@return a namespace, absent if the cluster has none of that name} */
  public Optional<Namespace> namespace(String name) {
    return present(new ObjectKey("", "Namespace", "", name), Namespace.class);
  }

  private <T extends ConfigObject> Optional<T> present(ObjectKey key, Class<T> type) {
    return Optional.ofNullable(applied.get(key))
        .filter(unused -> !doomed.containsKey(key))
        .map(type::cast);
  }

  /**
   * {@return the problems of objects that are not in force as they are, or admit nothing because of
   * the configuration; queues that are stopped on purpose have none}
   */
  public ImmutableSortedMap<ObjectKey, String> problems() {
    return problems;
  }
}
