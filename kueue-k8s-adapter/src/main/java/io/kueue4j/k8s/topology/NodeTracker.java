package io.kueue4j.k8s.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.Decisions;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Follows the nodes of a cluster and what pods take of them that admission does not place, and
 * tells an engine what has changed.
 *
 * <p>It is told of objects as they come, from a watch or anything else, and starts no watch itself.
 * What comes twice changes nothing; what comes late, by {@code resourceVersion} or {@code uid} or
 * because a finished pod runs again in it, is passed over; a pod may be known before its node. So
 * the end is the same in whatever order news about different objects arrives.
 *
 * <p>A pod counts if it is bound to a node, has not finished, and has none of the annotations of
 * pods that admission places: with its requests, and one of the resource {@code pods}.
 *
 * <pre>{@code
 * NodeTracker tracker = NodeTracker.create();
 * tracker.relistNodes(nodes);
 * tracker.relistPods(pods);
 * tracker.applyTo(engine);       // then, with each event of a watch:
 * tracker.update(pod);
 * tracker.applyTo(engine);
 * }</pre>
 *
 * <p>Belongs to one thread. Objects are read and not kept. Rules: T-5, T-7, T-8.
 */
public final class NodeTracker {
  private final Sightings seenNodes = new Sightings();
  private final Sightings seenPods = new Sightings();
  private final Map<String, io.kueue4j.core.model.Node> nodes = new TreeMap<>();
  private final Map<String, PodUsage> pods = new HashMap<>();
  private final Map<String, Map<String, PodUsage>> podsByNode = new HashMap<>();
  private final Map<String, io.kueue4j.core.model.Node> applied = new HashMap<>();

  /** Those that may differ from what was applied. */
  private final Set<String> touched = new TreeSet<>();

  private NodeTracker() {}

  /** {@return a tracker that knows nothing} */
  public static NodeTracker create() {
    return new NodeTracker();
  }

  /**
   * Tells that a node is there, new or not.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of it cannot be read;
   *     nothing has changed
   */
  public void update(Node node) {
    io.kueue4j.core.model.Node converted = NodeConverter.convert(node);
    if (seenNodes.see(converted.name(), node.getMetadata())) {
      nodes.put(converted.name(), converted);
      touched.add(converted.name());
    }
  }

  /** Tells that a node was deleted; another of that name, if there is one, is not. */
  public void delete(Node node) {
    ObjectMeta metadata = metadata(node);
    if (seenNodes.lose(metadata.getName(), metadata)) {
      forgetNode(metadata.getName());
    }
  }

  /**
   * Tells what nodes there are: all others are gone.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of one cannot be read;
   *     those before it are known
   */
  public void relistNodes(Iterable<? extends Node> listed) {
    Set<String> names = new TreeSet<>();
    for (Node node : listed) {
      names.add(metadata(node).getName());
      update(node);
    }
    for (String name : missing(seenNodes, names)) {
      seenNodes.lose(name);
      forgetNode(name);
    }
  }

  /**
   * Tells that a pod is there, new or not, bound or not, finished or not.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if it counts and a quantity of it
   *     cannot be read; nothing has changed
   */
  public void update(Pod pod) {
    ObjectMeta metadata = metadata(pod);
    String key = PodUsage.key(metadata);
    PodUsage usage = PodUsage.of(pod);
    PodUsage before = pods.get(key);
    boolean late = before != null && seenPods.isSame(key, metadata) && usage.isBefore(before);
    if (late || !seenPods.see(key, metadata)) {
      return;
    }
    forgetPod(key);
    pods.put(key, usage);
    if (!usage.amounts().isEmpty()) {
      podsByNode.computeIfAbsent(usage.node(), name -> new HashMap<>()).put(key, usage);
      touched.add(usage.node());
    }
  }

  /** Tells that a pod was deleted; another of that name, if there is one, is not. */
  public void delete(Pod pod) {
    ObjectMeta metadata = metadata(pod);
    String key = PodUsage.key(metadata);
    if (seenPods.lose(key, metadata)) {
      forgetPod(key);
    }
  }

  /**
   * Tells what pods there are: all others are gone.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a quantity of one cannot be
   *     read; those before it are known
   */
  public void relistPods(Iterable<? extends Pod> listed) {
    Set<String> keys = new TreeSet<>();
    for (Pod pod : listed) {
      keys.add(PodUsage.key(metadata(pod)));
      update(pod);
    }
    for (String key : missing(seenPods, keys)) {
      seenPods.lose(key);
      forgetPod(key);
    }
  }

  /** {@return the nodes by name, with what others take of them} */
  public ImmutableList<io.kueue4j.core.model.Node> nodes() {
    return nodes.keySet().stream()
        .map(name -> node(name).orElseThrow())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the node of that name, with what others take of it, if there is one} */
  public Optional<io.kueue4j.core.model.Node> node(String name) {
    return Optional.ofNullable(nodes.get(name)).map(this::withUsage);
  }

  /** {@return the nodes that {@link #applyTo} would add, change or remove} */
  public ImmutableSortedSet<String> changedNodes() {
    return touched.stream()
        .filter(name -> !node(name).equals(Optional.ofNullable(applied.get(name))))
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
  }

  /**
   * Tells an engine what has changed since this was last called. Engines that start later take
   * {@link #nodes()} first.
   *
   * @return the nodes that were added, changed or removed
   */
  @CanIgnoreReturnValue
  public ImmutableSortedSet<String> applyTo(AdmissionEngine engine) {
    return applyTo(engine, decisions -> {});
  }

  /**
   * Applies to an engine what has changed since this was last called, with the same effects as
   * {@link #applyTo(AdmissionEngine)}.
   *
   * @param engine the engine
   * @param decided receives the decisions that follow, and all others that no call of the engine
   *     has returned yet
   * @return the nodes that were added, changed or removed
   */
  @CanIgnoreReturnValue
  public ImmutableSortedSet<String> applyTo(
      AdmissionEngine engine, Consumer<? super Decisions> decided) {
    ImmutableSortedSet<String> changed = changedNodes();
    List<io.kueue4j.core.model.Node> present = new ArrayList<>();
    for (String name : changed) {
      Optional<io.kueue4j.core.model.Node> node = node(name);
      node.ifPresent(present::add);
      if (node.isEmpty()) {
        decided.accept(engine.remove(io.kueue4j.core.model.Node.class, name));
        applied.remove(name);
      }
    }
    if (!present.isEmpty()) {
      decided.accept(engine.apply(present));
      present.forEach(node -> applied.put(node.name(), node));
    }
    touched.clear();
    return changed;
  }

  private io.kueue4j.core.model.Node withUsage(io.kueue4j.core.model.Node node) {
    Map<String, PodUsage> onNode = podsByNode.get(node.name());
    if (onNode == null) {
      return node;
    }
    Map<String, Long> used = new TreeMap<>();
    onNode
        .values()
        .forEach(pod ->
            pod.amounts().forEach((resource, amount) -> used.merge(resource, amount, Amount::add)));
    return io.kueue4j.core.model.Node.builder()
        .from(node)
        .putAllUsedByOthers(used)
        .build();
  }

  private void forgetNode(String name) {
    nodes.remove(name);
    touched.add(name);
  }

  private void forgetPod(String key) {
    PodUsage usage = pods.remove(key);
    if (usage == null) {
      return;
    }
    Map<String, PodUsage> onNode = podsByNode.get(usage.node());
    if (onNode != null && onNode.remove(key) != null) {
      touched.add(usage.node());
      if (onNode.isEmpty()) {
        podsByNode.remove(usage.node());
      }
    }
  }

  private static ImmutableSet<String> missing(Sightings seen, Set<String> listed) {
    return seen.keys().stream()
        .filter(key -> !listed.contains(key))
        .collect(ImmutableSet.toImmutableSet());
  }

  private static ObjectMeta metadata(HasMetadata object) {
    ObjectMeta metadata = object.getMetadata();
    checkArgument(
        metadata != null && metadata.getName() != null,
        "a %s without metadata.name, expected one as the API server gives it",
        object.getKind());
    return metadata;
  }
}
