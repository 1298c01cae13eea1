package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.YamlField;
import io.kueue4j.k8s.internal.yaml.YamlNode;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.internal.yaml.YamlSequence;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads lists of hosts by pool: {@code down: {pod-0: [3, 16-31]}}. */
final class HostLists {
  private HostLists() {}

  static Map<String, Set<Integer>> read(TpuFleet fleet, Fields fields, String name, Issues issues) {
    ImmutableSetMultimap.Builder<String, Integer> hosts = ImmutableSetMultimap.builder();
    Fields byPool = fields.object(name);
    byPool.ignoreAll();
    byPool.mapping().ifPresent(mapping -> {
      for (YamlField field : mapping.fields().values()) {
        Optional<TpuPool> pool = pool(fleet, field.name());
        if (pool.isEmpty()) {
          byPool.problem(field.name(), unknown(fleet, field.name()));
        } else if (!(field.value() instanceof YamlSequence list)) {
          byPool.problem(
              field.name(),
              field.value().describe() + "; expected a list of hosts such as [3, 8-11]");
        } else {
          for (int i = 0; i < list.items().size(); i++) {
            YamlNode item = list.items().get(i);
            try {
              hosts.putAll(field.name(), HostRanges.parse(pool.get(), text(item)));
            } catch (IllegalArgumentException e) {
              issues.problem(
                  item,
                  FieldPath.item(byPool.path(field.name()), i),
                  String.valueOf(e.getMessage()));
            }
          }
        }
      }
    });
    return Multimaps.asMap(hosts.build());
  }

  /** {@return the text of a number or name; a description of any other value} */
  static String text(YamlNode node) {
    return node instanceof YamlScalar scalar && !scalar.isNull() ? scalar.text() : node.describe();
  }

  static Optional<TpuPool> pool(TpuFleet fleet, String name) {
    return fleet.pools().stream().filter(pool -> pool.id().equals(name)).findFirst();
  }

  static String unknown(TpuFleet fleet, String name) {
    return "no pool \"%s\"; expected one of %s"
        .formatted(
            name, String.join(", ", fleet.pools().stream().map(TpuPool::id).toList()));
  }
}
