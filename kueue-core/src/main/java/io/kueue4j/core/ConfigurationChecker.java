package io.kueue4j.core;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.flavor.FlavorTable;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.ConfigValidator;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.quota.Forest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds everything that keeps some objects from being applied together on top of what is in force.
 *
 * <p>Where upstream lets a cycle of cohorts happen and switches its queues off (M-17, M-18), the
 * engine refuses it.
 */
final class ConfigurationChecker {
  private final Forest forest;
  private final FlavorTable flavors;
  private final ImmutableList.Builder<Violation> violations = ImmutableList.builder();

  ConfigurationChecker(Forest forest, FlavorTable flavors) {
    this.forest = forest;
    this.flavors = flavors;
  }

  /** Throws if anything is wrong with {@code objects}. */
  void check(List<ConfigObject> objects) {
    Set<String> keys = new HashSet<>();
    Map<String, Cohort> cohorts = new HashMap<>();
    for (ConfigObject object : objects) {
      violations.addAll(ConfigValidator.validate(object));
      if (!keys.add(object.key())) {
        violations.add(new Violation(object.key(), "", "given twice in one call; keep one"));
      }
      if (object instanceof Cohort cohort) {
        cohorts.put(cohort.name(), cohort);
      } else if (object instanceof ResourceFlavor flavor) {
        checkTopologyKept(flavor);
      }
    }
    cohorts.values().stream()
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .forEach(cohort -> checkNoCycle(cohort, cohorts));
    ImmutableList<Violation> found = violations.build();
    if (!found.isEmpty()) {
      throw new InvalidConfigurationException(found);
    }
  }

  private void checkTopologyKept(ResourceFlavor flavor) {
    Optional<String> old = flavors.flavor(flavor.name()).flatMap(ResourceFlavor::topologyName);
    if (old.isPresent() && !old.equals(flavor.topologyName())) {
      violations.add(new Violation(
          flavor.key(),
          "topologyName",
          "changed from " + old.get() + " to " + flavor.topologyName().orElse("none")
              + "; it cannot change once set"));
    }
  }

  private void checkNoCycle(Cohort start, Map<String, Cohort> changed) {
    List<String> path = new ArrayList<>(List.of(start.name()));
    Optional<String> parent = start.parent();
    while (parent.isPresent()) {
      String name = parent.get();
      boolean seen = path.contains(name);
      path.add(name);
      if (seen) {
        if (name.equals(start.name())) {
          violations.add(new Violation(
              start.key(),
              "parent",
              "makes a cycle of cohorts: " + Joiner.on(" -> ").join(path) + "; remove one parent"));
        }
        return;
      }
      Cohort above = changed.get(name);
      parent = above != null ? above.parent() : forest.cohort(name).flatMap(Cohort::parent);
    }
  }
}
