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
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.k8s.internal.topology.NodeConverter;
import io.kueue4j.k8s.internal.topology.PodUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Follows the nodes of a cluster and the usage of pods that admission does not place, and applies
 * the changes to an engine.
 *
 * <p>The caller passes objects to it, from a watch or any other source; it starts no watch itself.
 * Repeated notifications have no effect; late ones, detected by {@code resourceVersion} or
 * {@code uid} or because a finished pod runs again, are ignored; a pod may arrive before its node.
 * So the result does not depend on the order in which notifications about different objects arrive.
 *
 * <p>A pod counts with its requests and 1 of the resource {@code pods} if it is bound to a node,
 * has not finished, and has none of the annotations of pods that admission places.
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
 * <p>Not thread-safe. Objects are not retained. Rules: T-5, T-7, T-8.
 *
 * @since 0.1.0
 */
public final class NodeTracker {
  private final Sightings seenNodes = new Sightings();
  private final Sightings seenPods = new Sightings();
  private final Map<String, io.kueue4j.core.model.Node> nodes = new TreeMap<>();
  private final Map<String, PodUsage> pods = new HashMap<>();
  private final Map<String, Map<String, PodUsage>> podsByNode = new HashMap<>();
  private final Map<String, io.kueue4j.core.model.Node> applied = new HashMap<>();

  /** The nodes that may differ from what was applied last. */
  private final Set<String> touched = new TreeSet<>();

  private NodeTracker() {}

  /**
   * {@return the node as an engine knows it; it is ready only if it reports that it is}
   *
   * @throws InvalidConfigurationException if a field is invalid, such as a quantity or the effect
   *     of a taint; names every such field
   */
  public static io.kueue4j.core.model.Node convert(Node node) {
    return NodeConverter.convert(node);
  }

  /** {@return a new tracker without nodes and pods} */
  public static NodeTracker create() {
    return new NodeTracker();
  }

  /**
   * Adds or changes a node.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of it is invalid; the
   *     tracker is then unchanged
   * @throws IllegalArgumentException if it has no name
   */
  public void update(Node node) {
    io.kueue4j.core.model.Node converted = NodeConverter.convert(node);
    if (seenNodes.see(converted.name(), node.getMetadata())) {
      nodes.put(converted.name(), converted);
      touched.add(converted.name());
    }
  }

  /**
   * Removes a node; a newer node of the same name is kept.
   *
   * @throws IllegalArgumentException if it has no name
   */
  public void delete(Node node) {
    ObjectMeta metadata = metadata(node);
    if (seenNodes.lose(metadata.getName(), metadata)) {
      forgetNode(metadata.getName());
    }
  }

  /**
   * Replaces all nodes: those not in the list are removed.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of a node is invalid;
   *     the nodes before it have been applied
   * @throws IllegalArgumentException if a node has no name; the nodes before it have been applied
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
   * Adds or changes a pod, whether bound or not, finished or not.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if the pod counts and has an
   *     invalid quantity; the tracker is then unchanged
   * @throws IllegalArgumentException if it has no name
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

  /**
   * Removes a pod; a newer pod of the same name is kept.
   *
   * @throws IllegalArgumentException if it has no name
   */
  public void delete(Pod pod) {
    ObjectMeta metadata = metadata(pod);
    String key = PodUsage.key(metadata);
    if (seenPods.lose(key, metadata)) {
      forgetPod(key);
    }
  }

  /**
   * Replaces all pods: those not in the list are removed.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a pod has an invalid quantity;
   *     the pods before it have been applied
   * @throws IllegalArgumentException if a pod has no name; the pods before it have been applied
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

  /** {@return the nodes by name, with the usage by others} */
  public List<io.kueue4j.core.model.Node> nodes() {
    return nodes.keySet().stream()
        .map(name -> node(name).orElseThrow())
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the node of that name with the usage by others, empty if there is none} */
  public Optional<io.kueue4j.core.model.Node> node(String name) {
    return Optional.ofNullable(nodes.get(name)).map(this::withUsage);
  }

  /** {@return the nodes that {@link #applyTo} would add, change or remove} */
  public SortedSet<String> changedNodes() {
    return touched.stream()
        .filter(name -> !node(name).equals(Optional.ofNullable(applied.get(name))))
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
  }

  /**
   * Applies the changes since the last call to an engine. For an engine that is created later,
   * apply {@link #nodes()} first.
   *
   * @return the nodes that were added, changed or removed
   */
  @CanIgnoreReturnValue
  public SortedSet<String> applyTo(AdmissionEngine engine) {
    return applyTo(engine, decisions -> {});
  }

  /**
   * Applies to an engine what has changed since this was last called, with the same effects as
   * {@link #applyTo(AdmissionEngine)}.
   *
   * @param engine the engine
   * @param decided receives the decisions that follow
   * @return the nodes that were added, changed or removed
   */
  @CanIgnoreReturnValue
  public SortedSet<String> applyTo(AdmissionEngine engine, Consumer<? super Decisions> decided) {
    SortedSet<String> changed = changedNodes();
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
