package io.kueue4j.k8s.pod;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.resource.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * A rule that turns the requests of one resource into requests of others, for example GPU
 * partitions into credits.
 *
 * <p>Kueue: {@code Configuration.resources.transformations[]}. Rules: R-4.
 *
 * @param input the resource that is transformed
 * @param strategy whether the input stays
 * @param multiplyBy another resource of the same pod by whose amount the input is multiplied before
 *     the outputs are computed; a pod without it is computed as if it had 1
 * @param outputs the amount of each resulting resource per unit of the input, may be negative
 */
public record ResourceTransformation(
    String input,
    Strategy strategy,
    Optional<String> multiplyBy,
    ImmutableSortedMap<String, BigDecimal> outputs) {

  /** What becomes of the input. */
  public enum Strategy {
    /** It stays beside the outputs; the default of Kueue. */
    RETAIN,
    /** It is dropped. */
    REPLACE
  }

  /**
   * {@return the transformation that keeps {@code input} and adds {@code outputs}}
   *
   * @throws IllegalArgumentException if an output is not a quantity
   */
  public static ResourceTransformation retain(String input, Map<String, String> outputs) {
    return of(input, Strategy.RETAIN, outputs);
  }

  /**
   * {@return the transformation that replaces {@code input} by {@code outputs}; by nothing if they
   * are empty}
   *
   * @throws IllegalArgumentException if an output is not a quantity
   */
  public static ResourceTransformation replace(String input, Map<String, String> outputs) {
    return of(input, Strategy.REPLACE, outputs);
  }

  /** {@return this with the input multiplied by the pod's amount of {@code resource}} */
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
