package io.kueue4j.k8s.internal.dra;

/**
 * A counter that quotas count for devices, instead of the devices themselves, such as the memory of
 * partitions of a GPU.
 *
 * <p>Kueue: {@code Configuration.resources.deviceClassMappings[].sources[].counter}. Rules: D-3.
 *
 * @param name the name of the counter in {@code consumesCounters} of the devices
 * @param driver the driver of the devices
 * @param deviceSelector the devices, as an expression of the Common Expression Language (CEL)
 * @since 0.1.0
 */
public record CounterSource(String name, String driver, String deviceSelector) {}
