package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a cluster by driver: the devices of the latest generation of each pool, of which
 * all ResourceSlices are known. Immutable.
 */
final class DeviceInventory {
  private final ImmutableListMultimap<String, Device> devices;

  private DeviceInventory(ImmutableListMultimap<String, Device> devices) {
    this.devices = devices;
  }

  /** A pool of a driver. */
  private record PoolKey(String driver, String pool) {}

  /** The slices of the latest generation of a pool. */
  private record Pool(long generation, long sliceCount, List<GenericKubernetesResource> slices) {
    boolean isComplete() {
      return slices.size() == sliceCount;
    }
  }

  static DeviceInventory of(List<GenericKubernetesResource> slices) {
    Map<PoolKey, Pool> pools = new LinkedHashMap<>();
    for (GenericKubernetesResource slice : slices) {
      PoolKey key = new PoolKey(
          String.valueOf(slice.<Object>get("spec", "driver")),
          String.valueOf(slice.<Object>get("spec", "pool", "name")));
      long generation = number(slice.get("spec", "pool", "generation"));
      Pool pool = pools.get(key);
      if (pool == null || generation > pool.generation()) {
        long count = number(slice.get("spec", "pool", "resourceSliceCount"));
        pool = new Pool(generation, count, new ArrayList<>());
        pools.put(key, pool);
      }
      if (generation == pool.generation()) {
        pool.slices().add(slice);
      }
    }
    ImmutableListMultimap.Builder<String, Device> devices = ImmutableListMultimap.builder();
    pools.forEach((key, pool) -> {
      if (pool.isComplete()) {
        pool.slices().forEach(slice -> devices.putAll(key.driver(), devices(key.driver(), slice)));
      }
    });
    return new DeviceInventory(devices.build());
  }

  /** {@return the devices of a driver, pool by pool} */
  ImmutableList<Device> devices(String driver) {
    return devices.get(driver);
  }

  private static List<Device> devices(String driver, GenericKubernetesResource slice) {
    Object given = slice.get("spec", "devices");
    List<Device> read = new ArrayList<>();
    if (given instanceof List<?> list) {
      for (Object device : list) {
        if (device instanceof Map<?, ?> fields) {
          read.add(Device.read(driver, fields));
        }
      }
    }
    return read;
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
