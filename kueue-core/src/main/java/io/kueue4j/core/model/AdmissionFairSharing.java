package io.kueue4j.core.model;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the past usage of LocalQueues is measured. It decides the order of LocalQueues that share a
 * ClusterQueue with {@link AdmissionMode#USAGE_BASED_ADMISSION_FAIR_SHARING}.
 *
 * <pre>{@code
 * AdmissionFairSharing.of(Duration.ofDays(7))
 *     .withResourceWeight("memory", 0)
 *     .withResourceWeight("nvidia.com/gpu", 10);
 * }</pre>
 *
 * <p>Kueue: {@code admissionFairSharing} of its {@code Configuration}. Rules: W-0.
 *
 * @param usageHalfLifeTime the time after which past usage counts half; 0 to count present usage
 *     only
 * @param usageSamplingInterval the interval at which usage is sampled; more than 0
 * @param resourceWeights the weight of one unit of a resource, 1 for those not listed. A unit is a
 *     core of {@code cpu} but a byte of {@code memory}, so memory outweighs everything unless its
 *     weight is small
 * @since 0.1.0
 */
public record AdmissionFairSharing(
    Duration usageHalfLifeTime,
    Duration usageSamplingInterval,
    SortedMap<String, Double> resourceWeights) {
  /** Kueue's default sampling interval: five minutes. */
  public static final Duration DEFAULT_SAMPLING_INTERVAL = Duration.ofMinutes(5);

  /**
   * Creates the configuration.
   *
   * @throws IllegalArgumentException if the half-life or a weight is negative, a weight not finite,
   *     or the interval not positive
   */
  public AdmissionFairSharing {
    resourceWeights = ImmutableSortedMap.copyOf(resourceWeights);
    checkArgument(
        !usageHalfLifeTime.isNegative(),
        "usageHalfLifeTime is %s; expected 0 or more",
        usageHalfLifeTime);
    checkArgument(
        !usageSamplingInterval.isNegative() && !usageSamplingInterval.isZero(),
        "usageSamplingInterval is %s; expected more than 0",
        usageSamplingInterval);
    resourceWeights.forEach((resource, weight) -> checkArgument(
        weight >= 0 && Double.isFinite(weight),
        "the weight of resource %s is %s; expected 0 or more",
        resource,
        weight));
  }

  /**
   * {@return a configuration with Kueue's sampling interval and weight 1 for every resource}
   *
   * @throws IllegalArgumentException if the half-life is negative
   */
  public static AdmissionFairSharing of(Duration usageHalfLifeTime) {
    return new AdmissionFairSharing(
        usageHalfLifeTime, DEFAULT_SAMPLING_INTERVAL, ImmutableSortedMap.of());
  }

  /**
   * {@return this configuration with another sampling interval}
   *
   * @throws IllegalArgumentException if the interval is not positive
   */
  public AdmissionFairSharing withUsageSamplingInterval(Duration interval) {
    return new AdmissionFairSharing(usageHalfLifeTime, interval, resourceWeights);
  }

  /**
   * {@return this configuration with another weight of one resource}
   *
   * @throws IllegalArgumentException if the weight is negative or not finite
   */
  public AdmissionFairSharing withResourceWeight(String resource, double weight) {
    Map<String, Double> weights = new TreeMap<>(resourceWeights);
    weights.put(resource, weight);
    return new AdmissionFairSharing(
        usageHalfLifeTime, usageSamplingInterval, ImmutableSortedMap.copyOf(weights));
  }

  /** {@return the weight of one unit of a resource} */
  public double resourceWeight(String resource) {
    return resourceWeights.getOrDefault(resource, 1.0);
  }
}
