package io.kueue4j.k8s.pod;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The administrator's rules for counting requests: excluded resources and transformed resources.
 *
 * <p>Rules.
 *
 * @param transformsExcluded whether excluded resources are inputs and factors of transformations
 */
record RequestRules(
    Set<String> excludedPrefixes,
    Map<String, PodTemplates.Transformation> transformations,
    boolean transformsExcluded) {

  /** Counts requests as they are. */
  static final RequestRules NONE = of(ImmutableSet.of(), ImmutableList.of(), false);

  static RequestRules of(
      Set<String> excludedPrefixes,
      List<PodTemplates.Transformation> all,
      boolean transformsExcluded) {
    return new RequestRules(
        excludedPrefixes,
        Maps.uniqueIndex(all, PodTemplates.Transformation::input),
        transformsExcluded);
  }

  /** {@return the counted amounts for a pod that requests {@code requests}} */
  ImmutableSortedMap<String, Long> apply(ResourceList requests) {
    ResourceList inputs = transformsExcluded ? requests : requests.filter(this::isCounted);
    return ImmutableSortedMap.copyOf(
        Maps.transformValues(transform(inputs).toAmounts(), amount -> Math.max(amount, 0)));
  }

  private boolean isCounted(String resource) {
    return excludedPrefixes.stream().noneMatch(resource::startsWith);
  }

  /**
   * Applies the transformations. Their outputs are summed separately first, so a negative output
   * can offset other outputs, but never reduces what the pod itself requests.
   */
  private ResourceList transform(ResourceList requests) {
    Map<String, BigDecimal> retained = new TreeMap<>();
    Map<String, BigDecimal> generated = new TreeMap<>();
    requests.amounts().forEach((name, amount) -> {
      PodTemplates.Transformation rule = transformations.get(name);
      boolean isReplaced =
          rule != null && rule.strategy() == PodTemplates.Transformation.Strategy.REPLACE;
      if (!isReplaced && isCounted(name)) {
        retained.put(name, amount);
      }
      if (rule != null) {
        BigDecimal factor = Optional.ofNullable(
                rule.multiplyBy().isPresent()
                    ? requests.amounts().get(rule.multiplyBy().get())
                    : null)
            .orElse(BigDecimal.ONE);
        rule.outputs()
            .forEach((output, perUnit) -> generated.merge(
                output, amount.multiply(factor).multiply(perUnit), BigDecimal::add));
      }
    });
    return ResourceList.of(retained)
        .plus(ResourceList.of(Maps.transformValues(generated, BigDecimal.ZERO::max)));
  }
}
