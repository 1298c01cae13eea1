package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Rejects objects that must not be applied together to the current specs.
 *
 * <p>Rules: M-1, M-2, M-3, M-4, M-5, M-6, M-7, M-8, M-9, M-10, M-14, M-16; a cycle of cohorts is
 * rejected (section 17 of the rule index).
 */
final class SpecsCheck {
  private SpecsCheck() {}

  static void check(Specs specs, List<ConfigObject> objects) {
    List<Violation> violations = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    Map<String, Optional<String>> parents = new TreeMap<>();
    for (String cohort : specs.cohortNames()) {
      parents.put(cohort, specs.cohort(cohort).flatMap(Cohort::parent));
    }
    for (ConfigObject object : objects) {
      violations.addAll(specs.settings().violations(object));
      if (!keys.add(object.key())) {
        violations.add(new Violation(object.key(), "", "given twice in one call; keep one"));
      }
      if (object instanceof Cohort cohort) {
        parents.put(cohort.name(), cohort.parent());
      } else if (object instanceof ResourceFlavor flavor && dropsTopology(specs, flavor)) {
        violations.add(
            new Violation(flavor.key(), "topologyName", "cannot change once set; leave it"));
      }
    }
    for (String cohort : parents.keySet()) {
      if (isOnCycle(cohort, parents)) {
        violations.add(new Violation(
            "Cohort " + cohort, "parent", "makes a cycle of cohorts; remove one parent"));
      }
    }
    if (!violations.isEmpty()) {
      throw new InvalidConfigurationException(ImmutableList.copyOf(violations));
    }
  }

  /** M-2: a topology may be set later, but not removed. */
  private static boolean dropsTopology(Specs specs, ResourceFlavor flavor) {
    Optional<String> old = specs.flavor(flavor.name()).flatMap(ResourceFlavor::topologyName);
    return old.isPresent() && !old.equals(flavor.topologyName());
  }

  private static boolean isOnCycle(String start, Map<String, Optional<String>> parents) {
    Optional<String> above = parents.getOrDefault(start, Optional.empty());
    for (int steps = 0; steps <= parents.size() && above.isPresent(); steps++) {
      if (above.get().equals(start)) {
        return true;
      }
      above = parents.getOrDefault(above.get(), Optional.empty());
    }
    return false;
  }
}
