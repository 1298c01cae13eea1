package io.kueue4j.k8s.dra;

import com.google.common.collect.ImmutableList;

/**
 * Which resource of quotas devices of some classes count as, one for each device.
 *
 * <p>Kueue: {@code Configuration.resources.deviceClassMappings[]}.
 *
 * @param name the resource that quotas name
 * @param deviceClassNames the names of the DeviceClasses
 * @param hasSources whether Kueue would count by counters or capacities of ResourceSlices instead;
 *     jobs with devices of these classes are not admitted here
 */
public record DeviceClassMapping(
    String name, ImmutableList<String> deviceClassNames, boolean hasSources) {
  /** {@return the mapping that counts devices} */
  public static DeviceClassMapping of(String name, String... deviceClassNames) {
    return new DeviceClassMapping(name, ImmutableList.copyOf(deviceClassNames), false);
  }
}
