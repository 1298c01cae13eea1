package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import io.kueue4j.k8s.topology.NodeTracker;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The nodes of a cluster, with what pods use of them, and with their health. */
public final class WatchedNodes {
  private final NodeTracker tracker = NodeTracker.create();
  private final Map<String, Health> healthByHost = new HashMap<>();
  private final Map<String, String> problems = new TreeMap<>();
  private boolean isHealthChanged;

  /**
   * The health of a node.
   *
   * @param node the name of the node
   * @param saysReady whether it reports readiness
   * @param isReady whether it is ready
   * @param taints its taints
   */
  public record Health(
      String node, boolean saysReady, boolean isReady, ImmutableList<Taint> taints) {
    static Health of(Node node) {
      io.kueue4j.core.model.Node converted = NodeTracker.convert(node);
      List<NodeCondition> conditions = node.getStatus() == null
          ? List.of()
          : Objects.requireNonNullElse(node.getStatus().getConditions(), List.of());
      return new Health(
          converted.name(),
          conditions.stream().anyMatch(condition -> "Ready".equals(condition.getType())),
          converted.ready(),
          ImmutableList.copyOf(converted.taints()));
    }
  }

  /** Receives a node, or that it is gone. */
  public void see(Node node, boolean isThere) {
    track(node, () -> {
      String host = host(node);
      if (isThere) {
        tracker.update(node);
        Health health = Health.of(node);
        isHealthChanged |= !health.equals(healthByHost.put(host, health));
      } else {
        tracker.delete(node);
        isHealthChanged |= healthByHost.remove(host) != null;
      }
    });
  }

  /** Receives a pod, or that it is gone. */
  public void see(Pod pod, boolean isThere) {
    track(pod, isThere ? () -> tracker.update(pod) : () -> tracker.delete(pod));
  }

  private void track(HasMetadata object, Runnable change) {
    String key = ObjectKey.of(object).toString();
    try {
      change.run();
      problems.remove(key);
    } catch (InvalidConfigurationException e) {
      problems.put(key, String.valueOf(e.getMessage()));
    }
  }

  /** {@return why nodes and pods do not count, by object} */
  public Map<String, String> problems() {
    return Collections.unmodifiableMap(problems);
  }

  /**
   * Applies the changes since the last call to an engine.
   *
   * @return whether there were any
   */
  public boolean applyTo(AdmissionEngine engine, Consumer<? super Decisions> decided) {
    return !tracker.applyTo(engine, decided).isEmpty();
  }

  /** {@return the nodes as an engine knows them} */
  public Iterable<io.kueue4j.core.model.Node> all() {
    return tracker.nodes();
  }

  /** {@return whether the health of a node has changed since the last call} */
  public boolean takeHealthChange() {
    boolean isChanged = isHealthChanged;
    isHealthChanged = false;
    return isChanged;
  }

  /** {@return the health of the node of a host, empty if there is none} */
  public Optional<Health> of(String host) {
    return Optional.ofNullable(healthByHost.get(host));
  }

  /** {@return the health of a node by its name, empty if there is none} */
  public Optional<Health> ofNode(String name) {
    return of(name)
        .filter(health -> health.node().equals(name))
        .or(() -> healthByHost.values().stream()
            .filter(health -> health.node().equals(name))
            .findFirst());
  }

  private static String host(Node node) {
    String host = JobParts.label(node, Topology.HOSTNAME);
    return host.isEmpty() ? node.getMetadata().getName() : host;
  }
}
