package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Selects namespaces by their labels. It matches if all conditions hold; without conditions it
 * matches everything.
 *
 * @param matchLabels labels that must be present with exactly these values
 * @param matchExpressions further conditions
 * @since 0.1.0
 */
public record LabelSelector(
    SortedMap<String, String> matchLabels, List<LabelRequirement> matchExpressions) {
  /** Copies what it is given. */
  public LabelSelector {
    matchLabels = ImmutableSortedMap.copyOf(matchLabels);
    matchExpressions = ImmutableList.copyOf(matchExpressions);
  }

  private static final LabelSelector EVERYTHING =
      new LabelSelector(ImmutableSortedMap.of(), ImmutableList.of());

  /** {@return the selector without conditions, which matches everything} */
  public static LabelSelector everything() {
    return EVERYTHING;
  }

  /** {@return the selector that requires all of {@code labels}} */
  public static LabelSelector labels(Map<String, String> labels) {
    return new LabelSelector(ImmutableSortedMap.copyOf(labels), ImmutableList.of());
  }

  /** {@return whether {@code labels} meet all conditions} */
  public boolean matches(Map<String, String> labels) {
    for (Map.Entry<String, String> wanted : matchLabels.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (LabelRequirement requirement : matchExpressions) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }
}
