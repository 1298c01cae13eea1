package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The quotas of one flavor, one for each resource that the group covers, in the group's order.
 *
 * <p>Kueue: {@code resourceGroups[].flavors[]}.
 *
 * @param flavor the name of the {@link ResourceFlavor}
 * @param resources the quotas
 * @since 0.1.0
 */
public record FlavorQuotas(String flavor, List<ResourceQuota> resources) {
  /** Copies what it is given. */
  public FlavorQuotas {
    resources = ImmutableList.copyOf(resources);
  }

  /** {@return the quotas of {@code flavor}} */
  public static FlavorQuotas of(String flavor, ResourceQuota... resources) {
    return new FlavorQuotas(flavor, ImmutableList.copyOf(resources));
  }
}
