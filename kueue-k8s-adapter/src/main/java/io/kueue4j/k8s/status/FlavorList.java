package io.kueue4j.k8s.status;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The flavors of the ClusterQueue of a LocalQueue, with their nodes.
 *
 * <p>Kueue: {@code LocalQueue.status.flavors} of v1beta1. Rules: M-33.
 */
final class FlavorList {
  private FlavorList() {}

  static ImmutableList<Object> of(ClusterQueue queue, List<ConfigObject> configuration) {
    return queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(quotas -> entry(quotas, configuration))
        .collect(toImmutableList());
  }

  private static Object entry(FlavorQuotas quotas, List<ConfigObject> configuration) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", quotas.flavor());
    entry.put(
        "resources",
        quotas.resources().stream().map(ResourceQuota::resource).collect(toImmutableList()));
    Optional<ResourceFlavor> flavor = ofType(configuration, ResourceFlavor.class)
        .filter(known -> known.name().equals(quotas.flavor()))
        .reduce((first, second) -> second);
    flavor.ifPresent(known -> {
      ObjectStatus.put(entry, "nodeLabels", known.nodeLabels());
      ObjectStatus.put(
          entry,
          "nodeTaints",
          known.nodeTaints().stream().map(FlavorList::taint).collect(toImmutableList()));
      topology(known, configuration).ifPresent(topology -> entry.put("topology", topology));
    });
    return entry;
  }

  private static Optional<Object> topology(
      ResourceFlavor flavor, List<ConfigObject> configuration) {
    return ofType(configuration, Topology.class)
        .filter(topology -> flavor.topologyName().equals(Optional.of(topology.name())))
        .reduce((first, second) -> second)
        .map(topology -> ImmutableMap.of("name", topology.name(), "levels", topology.levels()));
  }

  private static <T extends ConfigObject> Stream<T> ofType(
      List<ConfigObject> configuration, Class<T> type) {
    return configuration.stream().filter(type::isInstance).map(type::cast);
  }

  private static Object taint(Taint taint) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", taint.key());
    if (!taint.value().isEmpty()) {
      fields.put("value", taint.value());
    }
    fields.put("effect", taint.effect().toString());
    return fields;
  }
}
