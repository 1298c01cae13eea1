package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.resource.Amount;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Sums of amounts by resource. */
final class Amounts {
  private Amounts() {}

  static SortedMap<String, Long> sum(Map<String, Long> first, Map<String, Long> second) {
    Map<String, Long> sum = new TreeMap<>(first);
    second.forEach((resource, amount) -> sum.merge(resource, amount, Amount::add));
    return ImmutableSortedMap.copyOf(sum);
  }

  static SortedMap<String, Long> times(Map<String, Long> amounts, int count) {
    return ImmutableSortedMap.copyOf(
        Maps.transformValues(amounts, amount -> Amount.multiply(amount, count)));
  }
}
