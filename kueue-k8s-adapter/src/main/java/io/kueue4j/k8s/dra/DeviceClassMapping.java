package io.kueue4j.k8s.dra;

import com.google.common.collect.ImmutableList;

/**
 * Maps classes of devices to the resource that quotas count for them, 1 for each device.
 *
 * <p>Kueue: {@code Configuration.resources.deviceClassMappings[]}.
 *
 * @param name the resource that quotas name
 * @param deviceClassNames the names of the DeviceClasses
 * @param hasSources whether Kueue would count counters or capacities of ResourceSlices, which is
 *     not supported: jobs with devices of these classes are not admitted
 * @since 0.1.0
 */
public record DeviceClassMapping(
    String name, ImmutableList<String> deviceClassNames, boolean hasSources) {
  /** {@return a mapping that counts devices} */
  public static DeviceClassMapping of(String name, String... deviceClassNames) {
    return new DeviceClassMapping(name, ImmutableList.copyOf(deviceClassNames), false);
  }
}
