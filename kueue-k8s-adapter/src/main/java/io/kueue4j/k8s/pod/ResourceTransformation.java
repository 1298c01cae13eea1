package io.kueue4j.k8s.pod;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.resource.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A rule that converts the requests for one resource to requests for others, for example GPU
 * partitions to credits.
 *
 * <p>Kueue: {@code Configuration.resources.transformations[]}. Rules: R-4.
 *
 * @param input the resource that is transformed
 * @param strategy whether the input is kept
 * @param multiplyBy another resource of the same pod; the input is multiplied by its amount before
 *     the outputs are computed, or by 1 if the pod does not request it
 * @param outputs the amount of each resulting resource per unit of the input, may be negative
 * @since 0.1.0
 */
public record ResourceTransformation(
    String input,
    Strategy strategy,
    Optional<String> multiplyBy,
    SortedMap<String, BigDecimal> outputs) {
  /** Copies what it is given. */
  public ResourceTransformation {
    outputs = ImmutableSortedMap.copyOf(outputs);
  }

  /** Whether the input is kept. */
  public enum Strategy {
    /** The input is kept beside the outputs; Kueue's default. */
    RETAIN,
    /** The input is dropped. */
    REPLACE
  }

  /**
   * {@return a transformation that keeps {@code input} and adds {@code outputs}}
   *
   * @throws IllegalArgumentException if an output is not a quantity
   */
  public static ResourceTransformation retain(String input, Map<String, String> outputs) {
    return of(input, Strategy.RETAIN, outputs);
  }

  /**
   * {@return a transformation that replaces {@code input} by {@code outputs}, or drops it if they
   * are empty}
   *
   * @throws IllegalArgumentException if an output is not a quantity
   */
  public static ResourceTransformation replace(String input, Map<String, String> outputs) {
    return of(input, Strategy.REPLACE, outputs);
  }

  /**
   * {@return this transformation with the input multiplied by the pod's amount of {@code resource}}
   */
  public ResourceTransformation multipliedBy(String resource) {
    return new ResourceTransformation(input, strategy, Optional.of(resource), outputs);
  }

  private static ResourceTransformation of(
      String input, Strategy strategy, Map<String, String> outputs) {
    return new ResourceTransformation(
        input,
        strategy,
        Optional.empty(),
        ImmutableSortedMap.copyOf(Maps.transformValues(outputs, Quantity::parse)));
  }
}
