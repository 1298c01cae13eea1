package io.kueue4j.k8s.dra;

import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.yaml.Fields;
import io.kueue4j.k8s.yaml.Issues;
import io.kueue4j.k8s.yaml.Manifest;
import io.kueue4j.k8s.yaml.ManifestException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@link DeviceClassMapping}s of Kueue's Configuration.
 *
 * @since 0.1.0
 */
public final class DeviceClassMappings {
  /** The API group of Kueue's Configuration. */
  public static final String GROUP = "config.kueue.x-k8s.io";

  /** The kind of Kueue's Configuration. */
  public static final String KIND = "Configuration";

  private static final int MAX_MAPPINGS = 16;
  private static final int MAX_CLASSES = 8;

  private final Issues issues;
  private final Set<String> names = new HashSet<>();
  private final Map<String, String> resources = new HashMap<>();
  private final ImmutableList.Builder<DeviceClassMapping> mappings = ImmutableList.builder();

  private DeviceClassMappings(Issues issues) {
    this.issues = issues;
  }

  /**
   * {@return the mappings of a Configuration, empty if there are none; other fields are ignored}
   *
   * @throws ManifestException if the mappings violate Kueue's rules; names every violation
   */
  public static ImmutableList<DeviceClassMapping> read(Manifest configuration) {
    Issues issues = configuration.newIssues();
    Fields resources = Fields.of(configuration.content(), "", issues).object("resources");
    DeviceClassMappings reading = new DeviceClassMappings(issues);
    ImmutableList<Fields> given = resources.objects("deviceClassMappings");
    given.forEach(reading::read);
    if (given.size() > MAX_MAPPINGS) {
      resources.problem(
          "deviceClassMappings", given.size() + " mappings; expected at most " + MAX_MAPPINGS);
    }
    issues.throwProblems();
    return reading.mappings.build();
  }

  private void read(Fields mapping) {
    String name = mapping.requiredText("name");
    if (!name.isEmpty() && !names.add(name)) {
      mapping.problem("name", "\"" + name + "\" is mapped to twice; expected one mapping for each");
    }
    boolean hasSources = !mapping.objects("sources").isEmpty();
    ImmutableList<String> classes = mapping.texts("deviceClassNames");
    if (classes.isEmpty()) {
      mapping.problem("deviceClassNames", "empty; expected the name of a DeviceClass");
    } else if (classes.size() > MAX_CLASSES) {
      mapping.problem(
          "deviceClassNames", classes.size() + " names; expected at most " + MAX_CLASSES);
    }
    Set<String> here = new HashSet<>();
    for (String deviceClass : classes) {
      String before = resources.putIfAbsent(deviceClass, name);
      if (!here.add(deviceClass)) {
        mapping.problem("deviceClassNames", "\"" + deviceClass + "\" is named twice");
      } else if (before != null && !hasSources) {
        mapping.problem(
            "deviceClassNames",
            "\"" + deviceClass + "\" is mapped to " + before + " already; expected one mapping");
      }
    }
    if (!issues.hasProblems()) {
      mappings.add(new DeviceClassMapping(name, classes, hasSources));
    }
  }
}
