package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** Generates resource groups of few units, so that workloads compete, and amounts of requests. */
final class QuotaGenerator {
  static final String CPU = "cpu";
  static final String GPU = "gpu";
  static final String PODS = "pods";
  private static final ImmutableList<Long> HUGE = ImmutableList.of(
      Long.MAX_VALUE,
      Long.MAX_VALUE - 1,
      Long.MAX_VALUE / 2,
      Long.MAX_VALUE / 2 + 1,
      Long.MAX_VALUE / 3,
      1L << 62);

  private final Dice dice;
  private final Set<Feature> features;
  private final int flavorCount;
  private final boolean isTight;

  /** Whether all queues have quota for cpu. */
  private final boolean hasCpu;

  /**
   * Creates a generator.
   *
   * @param isTight whether amounts are small and match exactly
   */
  QuotaGenerator(Dice dice, Set<Feature> features, int flavorCount, boolean isTight) {
    this.dice = dice;
    this.features = features;
    this.flavorCount = flavorCount;
    this.isTight = isTight;
    hasCpu = !isTight || dice.oneIn(2);
  }

  /**
   * {@return one group for all resources, or one for each}
   *
   * @param mayLimit whether there are other queues to borrow from and lend to
   * @param lendsOwnOnly whether the lending limit is at most the nominal quota
   */
  List<ResourceGroup> groups(boolean mayLimit, boolean lendsOwnOnly) {
    List<String> flavors =
        dice.shuffled(IntStream.range(0, flavorCount).mapToObj(i -> "f" + i).toList());
    int used = dice.between(1, flavors.size());
    boolean limits = mayLimit && features.contains(Feature.LIMITS);
    if (used > 1 && dice.oneIn(4)) {
      int first = dice.between(1, used - 1);
      return ImmutableList.of(
          group(flavors.subList(0, first), List.of(CPU), limits, lendsOwnOnly),
          group(flavors.subList(first, used), List.of(GPU), limits, lendsOwnOnly));
    }
    List<String> resources = dice.oneIn(12)
        ? List.of(CPU, GPU, PODS)
        : dice.pick(List.of(List.of(CPU, GPU), hasCpu ? List.of(GPU, CPU) : List.of(GPU)));
    return ImmutableList.of(group(flavors.subList(0, used), resources, limits, lendsOwnOnly));
  }

  private ResourceGroup group(
      List<String> flavors, List<String> resources, boolean limits, boolean lendsOwnOnly) {
    return ResourceGroup.of(flavors.stream()
        .map(flavor -> FlavorQuotas.of(
            flavor,
            resources.stream()
                .map(resource -> quota(resource, limits, lendsOwnOnly))
                .toArray(ResourceQuota[]::new)))
        .toArray(FlavorQuotas[]::new));
  }

  private ResourceQuota quota(String resource, boolean limits, boolean lendsOwnOnly) {
    long nominal = isHuge() ? dice.pick(HUGE) : nominalUnits() * unit(resource);
    OptionalLong borrowing = limits && dice.oneIn(3)
        ? OptionalLong.of(isHuge() ? dice.pick(HUGE) : dice.upTo(4) * unit(resource))
        : OptionalLong.empty();
    boolean mayLend =
        !features.contains(Feature.HUGE_AMOUNTS) || features.contains(Feature.HUGE_LENDING);
    OptionalLong lending = limits && mayLend && dice.oneIn(3)
        ? OptionalLong.of(lendingLimit(resource, nominal, lendsOwnOnly))
        : OptionalLong.empty();
    return new ResourceQuota(resource, nominal, borrowing, lending);
  }

  /** {@return the nominal quota; rarely 0 with small workloads, since nothing competes for that} */
  private int nominalUnits() {
    return isTight && !dice.oneIn(8) ? dice.between(1, 5) : dice.upTo(6);
  }

  /** {@return whether pods request a resource; rarely one that some queue lacks} */
  boolean isRequested(String resource) {
    boolean isLacked = resource.equals(CPU) && !hasCpu;
    return isLacked ? dice.oneIn(16) : !dice.oneIn(4);
  }

  private long lendingLimit(String resource, long nominal, boolean lendsOwnOnly) {
    long limit = isHuge() ? dice.pick(HUGE) : dice.upTo(6) * unit(resource);
    return lendsOwnOnly ? Math.min(nominal, limit) : limit;
  }

  private boolean isHuge() {
    return features.contains(Feature.HUGE_AMOUNTS) && dice.oneIn(3);
  }

  private static long unit(String resource) {
    return resource.equals(CPU) ? 1000 : 1;
  }

  /** {@return the request of a pod} */
  long request(String resource) {
    if (isHuge() && dice.oneIn(3)) {
      return dice.pick(HUGE);
    }
    int least = features.contains(Feature.ZERO_REQUESTS) && dice.oneIn(2) ? 0 : 1;
    if (isTight) {
      return (dice.oneIn(4) ? dice.between(least, 3) : 1) * unit(resource);
    }
    return dice.between(least, resource.equals(CPU) ? 4 : 3) * (unit(resource) + 1) / 2;
  }
}
