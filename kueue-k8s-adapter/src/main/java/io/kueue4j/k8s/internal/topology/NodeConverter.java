package io.kueue4j.k8s.internal.topology;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a core v1 Node that matter for placement: name, labels, taints, whether it is
 * cordoned and ready, and its allocatable resources.
 *
 * <p>Rules: T-5, T-7.
 *
 * @since 0.1.0
 */
public final class NodeConverter {
  private static final String READY = "Ready";

  private final Node node;
  private final ImmutableList.Builder<Violation> violations = ImmutableList.builder();

  private NodeConverter(Node node) {
    this.node = node;
  }

  /**
   * {@return the node; it is ready only if it reports that it is}
   *
   * @throws InvalidConfigurationException if a field is invalid, such as a quantity or the effect
   *     of a taint; names every such field
   */
  public static io.kueue4j.core.model.Node convert(Node node) {
    NodeConverter converter = new NodeConverter(node);
    io.kueue4j.core.model.Node.Builder converted = converter.read();
    List<Violation> violations = converter.violations.build();
    if (!violations.isEmpty()) {
      throw new InvalidConfigurationException(violations);
    }
    return converted.build();
  }

  private io.kueue4j.core.model.Node.Builder read() {
    ObjectMeta metadata = metadata(node);
    NodeSpec spec = Objects.requireNonNullElseGet(node.getSpec(), NodeSpec::new);
    NodeStatus status = Objects.requireNonNullElseGet(node.getStatus(), NodeStatus::new);
    io.kueue4j.core.model.Node.Builder read = io.kueue4j.core.model.Node.builder()
        .name(Strings.nullToEmpty(metadata.getName()))
        .unschedulable(Boolean.TRUE.equals(spec.getUnschedulable()))
        .ready(isReady(orEmpty(status.getConditions())));
    if (Strings.isNullOrEmpty(metadata.getName())) {
      add("metadata.name", "missing; expected a name");
    }
    orEmpty(metadata.getLabels())
        .forEach((key, value) -> read.putLabels(key, Strings.nullToEmpty(value)));
    List<io.fabric8.kubernetes.api.model.Taint> taints = orEmpty(spec.getTaints());
    for (int i = 0; i < taints.size(); i++) {
      taint(taints.get(i), "spec.taints[" + i + "]").ifPresent(read::addTaints);
    }
    orEmpty(status.getAllocatable())
        .forEach((resource, quantity) -> allocatable(resource, quantity, read));
    return read;
  }

  private void allocatable(
      String resource, @Nullable Quantity quantity, io.kueue4j.core.model.Node.Builder read) {
    // The model stores the text in two parts.
    String text = quantity == null
        ? ""
        : Strings.nullToEmpty(quantity.getAmount()) + Strings.nullToEmpty(quantity.getFormat());
    String field = "status.allocatable[" + resource + "]";
    try {
      long amount = io.kueue4j.core.resource.Quantity.amount(
          resource, io.kueue4j.core.resource.Quantity.parse(text));
      if (amount < 0) {
        add(field, text + " is negative; expected 0 or more");
      }
      read.allocatableAmount(resource, amount);
    } catch (IllegalArgumentException e) {
      add(field, Strings.nullToEmpty(e.getMessage()));
    }
  }

  private Optional<Taint> taint(
      io.fabric8.kubernetes.api.model.@Nullable Taint taint, String path) {
    if (taint == null || Strings.isNullOrEmpty(taint.getKey())) {
      add(path + ".key", "missing; expected the key of the taint");
      return Optional.empty();
    }
    Optional<Taint.Effect> effect = Arrays.stream(Taint.Effect.values())
        .filter(known -> known.toString().equals(taint.getEffect()))
        .findFirst();
    if (effect.isEmpty()) {
      add(
          path + ".effect",
          "\"" + Strings.nullToEmpty(taint.getEffect()) + "\"; expected one of "
              + Arrays.toString(Taint.Effect.values()));
    }
    return effect.map(
        known -> new Taint(taint.getKey(), Strings.nullToEmpty(taint.getValue()), known));
  }

  private static boolean isReady(List<NodeCondition> conditions) {
    return conditions.stream()
        .anyMatch(
            condition -> READY.equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  private void add(String field, String problem) {
    violations.add(
        new Violation("Node " + Strings.nullToEmpty(metadata(node).getName()), field, problem));
  }

  private static ObjectMeta metadata(Node node) {
    return Objects.requireNonNullElseGet(node.getMetadata(), ObjectMeta::new);
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
    return map == null ? Map.of() : map;
  }
}
