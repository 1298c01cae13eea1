package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.SetMultimap;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
  private static final int MAX_DRIVER = 63;

  private final Issues issues;
  private final Set<String> names = new HashSet<>();
  private final Map<String, String> resources = new HashMap<>();

  /** The counters of a class, by DeviceClass. */
  private final SetMultimap<String, String> countersByClass = HashMultimap.create();

  private final ImmutableList.Builder<DeviceClassMapping> mappings = ImmutableList.builder();

  private DeviceClassMappings(Issues issues) {
    this.issues = issues;
  }

  /**
   * {@return the mappings of a Configuration, empty if there are none; other fields are ignored}
   *
   * @throws ManifestException if the mappings violate Kueue's rules; names every violation
   */
  public static List<DeviceClassMapping> read(Manifest configuration) {
    Issues issues = Issues.of(configuration);
    Fields resources = Fields.of(configuration, issues).object("resources");
    DeviceClassMappings reading = new DeviceClassMappings(issues);
    List<Fields> given = resources.objects("deviceClassMappings");
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
    List<Fields> sources = mapping.objects("sources");
    List<CounterSource> counters = counters(mapping, sources);
    boolean hasCapacities = counters.size() < sources.size();
    if (hasCapacities && !counters.isEmpty()) {
      mapping.problem("sources", "counters and capacities; expected one of them");
    }
    List<String> classes = mapping.texts("deviceClassNames");
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
      } else if (before != null && !isFurtherCounter(deviceClass, counters)) {
        mapping.problem(
            "deviceClassNames",
            "\"" + deviceClass + "\" is mapped to " + before
                + " already; expected one mapping, or several with different counters");
      }
      counters.forEach(counter -> countersByClass.put(deviceClass, counter.name()));
    }
    if (!issues.hasProblems()) {
      mappings.add(new DeviceClassMapping(name, classes, counters, hasCapacities));
    }
  }

  /** {@return whether a class that is mapped already may be mapped to these counters as well} */
  private boolean isFurtherCounter(String deviceClass, List<CounterSource> counters) {
    Set<String> others = countersByClass.get(deviceClass);
    return !others.isEmpty()
        && !counters.isEmpty()
        && !others.contains(counters.get(0).name());
  }

  private static List<CounterSource> counters(Fields mapping, List<Fields> sources) {
    ImmutableList.Builder<CounterSource> counters = ImmutableList.builder();
    for (Fields source : sources) {
      if (source.has("counter") == source.has("capacity")) {
        mapping.problem("sources", "an element needs either counter or capacity");
      } else if (source.has("counter")) {
        counters.add(counter(source.object("counter")));
      }
    }
    return counters.build();
  }

  private static CounterSource counter(Fields counter) {
    String name = counter.requiredText("name");
    if (!name.isEmpty() && !DnsNames.isLabel(name)) {
      counter.problem("name", YamlScalar.quote(name) + "; expected a DNS label");
    }
    String driver = counter.requiredText("driver");
    if (!driver.isEmpty() && (!DnsNames.isSubdomain(driver) || driver.length() > MAX_DRIVER)) {
      counter.problem(
          "driver",
          YamlScalar.quote(driver) + "; expected a DNS name of at most " + MAX_DRIVER
              + " characters");
    }
    Fields cel = counter.object("deviceSelector").object("cel");
    String expression = cel.requiredText("expression");
    if (!expression.isEmpty()) {
      try {
        DeviceSelector unused = DeviceSelector.compile(expression);
      } catch (SelectorException e) {
        cel.problem("expression", e.problem());
      }
    }
    return new CounterSource(name, driver, expression);
  }
}
