package io.kueue4j.k8s.pod;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.resource.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * Exact amounts by resource. A resource that is not listed is unspecified, which differs from 0 in
 * every operation except {@link #plus}.
 */
record ResourceList(ImmutableSortedMap<String, BigDecimal> amounts) {
  static final ResourceList EMPTY = new ResourceList(ImmutableSortedMap.of());

  static ResourceList of(Map<String, BigDecimal> amounts) {
    return new ResourceList(ImmutableSortedMap.copyOf(amounts));
  }

  boolean isEmpty() {
    return amounts.isEmpty();
  }

  ResourceList plus(ResourceList other) {
    return merge(other, BigDecimal::add);
  }

  ResourceList max(ResourceList other) {
    return merge(other, BigDecimal::max);
  }

  ResourceList min(ResourceList other) {
    return merge(other, BigDecimal::min);
  }

  /** Takes unspecified resources from {@code other}. */
  ResourceList orElse(ResourceList other) {
    return merge(other, (mine, theirs) -> mine);
  }

  ResourceList filter(Predicate<String> resources) {
    return of(Maps.filterKeys(amounts, resources::test));
  }

  /** {@return the amounts in the engine's units, rounded up} */
  ImmutableSortedMap<String, Long> toAmounts() {
    ImmutableSortedMap.Builder<String, Long> units = ImmutableSortedMap.naturalOrder();
    amounts.forEach((resource, amount) -> units.put(resource, Quantity.amount(resource, amount)));
    return units.buildOrThrow();
  }

  private ResourceList merge(ResourceList other, BinaryOperator<BigDecimal> onBoth) {
    if (other.isEmpty()) {
      return this;
    }
    Map<String, BigDecimal> merged = new TreeMap<>(amounts);
    other.amounts.forEach((resource, amount) -> merged.merge(resource, amount, onBoth));
    return of(merged);
  }
}
