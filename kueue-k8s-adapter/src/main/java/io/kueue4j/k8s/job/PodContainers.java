package io.kueue4j.k8s.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Normalises containers for comparison, so that they are equal if the API server treats them as
 * equal.
 */
final class PodContainers {
  private static final RawPath RESOURCES = RawPath.of("resources");

  private PodContainers() {}

  static boolean same(List<Container> some, List<Container> others) {
    return some.stream()
        .map(PodContainers::meaning)
        .toList()
        .equals(others.stream().map(PodContainers::meaning).toList());
  }

  /** {@return the amounts as numbers, so that 1 and 1000m are equal; null if there are none} */
  static @Nullable Map<String, String> amounts(@Nullable Map<String, Quantity> amounts) {
    if (amounts == null || amounts.isEmpty()) {
      return null;
    }
    Map<String, String> numbers = new TreeMap<>();
    amounts.forEach((resource, amount) -> numbers.put(resource, number(amount)));
    return numbers;
  }

  private static Object meaning(Container container) {
    Object tree = RawValues.of(container);
    if (container.getResources() != null) {
      tree = RawTree.with(
          tree, RESOURCES.field("requests"), amounts(container.getResources().getRequests()));
      tree = RawTree.with(
          tree, RESOURCES.field("limits"), amounts(container.getResources().getLimits()));
    }
    Object pruned = withoutNothing(tree);
    return pruned == null ? Map.of() : pruned;
  }

  /** {@return the tree without nulls, and without mappings and lists that become empty} */
  private static @Nullable Object withoutNothing(@Nullable Object node) {
    if (node instanceof Map<?, ?> map) {
      Map<String, Object> fields = new LinkedHashMap<>();
      map.forEach((name, value) -> {
        Object kept = withoutNothing(value);
        if (kept != null) {
          fields.put((String) name, kept);
        }
      });
      return fields.isEmpty() ? null : fields;
    }
    if (node instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      list.forEach(item -> {
        Object kept = withoutNothing(item);
        items.add(kept == null ? Map.of() : kept);
      });
      return items.isEmpty() ? null : items;
    }
    return node;
  }

  private static String number(Quantity amount) {
    try {
      return amount.getNumericalAmount().stripTrailingZeros().toPlainString();
    } catch (IllegalArgumentException e) {
      return String.valueOf(amount);
    }
  }
}
