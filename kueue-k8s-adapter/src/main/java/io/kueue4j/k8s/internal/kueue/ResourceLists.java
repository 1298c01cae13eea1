package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import java.util.Map;

/**
 * Writes amounts of resources in the format of a Kubernetes {@code ResourceList}.
 *
 * @since 0.1.0
 */
public final class ResourceLists {
  private ResourceLists() {}

  /**
   * {@return the quantities by resource, in the same order}
   *
   * @param amounts milli-units of cpu, whole units of everything else, by resource
   */
  public static Map<String, Object> write(Map<String, Long> amounts) {
    ImmutableMap.Builder<String, Object> quantities = ImmutableMap.builder();
    amounts.forEach((resource, amount) -> quantities.put(resource, quantity(resource, amount)));
    return quantities.buildOrThrow();
  }

  /** {@return an amount of a resource, for example {@code 1500m} or {@code 2Gi}} */
  public static String quantity(String resource, long amount) {
    if (!Amount.isUnlimited(amount)) {
      return Quantity.format(resource, amount);
    }
    // The API has no notation for unlimited amounts; a saturated 64-bit sum is written as it is.
    return ResourceNames.isCountedInMilliUnits(resource) ? amount + "m" : String.valueOf(amount);
  }
}
