package io.kueue4j.examples.controller.object;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import io.kueue4j.k8s.topology.NodeTracker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The health of the nodes of a cluster, by host name. */
public final class NodeHealth {
  private final Map<String, Health> healthByHost = new HashMap<>();

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

  /**
   * Receives a node.
   *
   * @return whether its health has changed
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a field of it is invalid
   */
  public boolean see(Node node) {
    Health health = Health.of(node);
    return !health.equals(healthByHost.put(host(node), health));
  }

  /**
   * Removes a node.
   *
   * @return whether it was known
   */
  public boolean lose(Node node) {
    return healthByHost.remove(host(node)) != null;
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
