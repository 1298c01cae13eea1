package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * Maps classes of devices to the resource that quotas count for them: 1 for each device, or what
 * the devices consume of counters.
 *
 * <p>Kueue: {@code Configuration.resources.deviceClassMappings[]}.
 *
 * @param name the resource that quotas name
 * @param deviceClassNames the names of the DeviceClasses
 * @param counters the counters that are counted; if empty, devices are
 * @param hasCapacities whether Kueue would count capacities of devices, which is not supported:
 *     jobs with devices of these classes are not admitted
 * @since 0.1.0
 */
public record DeviceClassMapping(
    String name,
    List<String> deviceClassNames,
    List<CounterSource> counters,
    boolean hasCapacities) {
  /** Copies what it is given. */
  public DeviceClassMapping {
    deviceClassNames = ImmutableList.copyOf(deviceClassNames);
    counters = ImmutableList.copyOf(counters);
  }

  /** {@return a mapping that counts devices} */
  public static DeviceClassMapping of(String name, String... deviceClassNames) {
    return new DeviceClassMapping(
        name, ImmutableList.copyOf(deviceClassNames), ImmutableList.of(), false);
  }

  /** {@return this mapping with counters that are counted instead of devices} */
  public DeviceClassMapping counting(CounterSource... sources) {
    return new DeviceClassMapping(
        name, deviceClassNames, ImmutableList.copyOf(sources), hasCapacities);
  }

  boolean hasSources() {
    return hasCapacities || !counters.isEmpty();
  }
}
