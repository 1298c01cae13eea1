package io.kueue4j.k8s.internal.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.math.DoubleMath;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Scores nodes for a pod like the plugin NodeResourcesFit of the Kubernetes scheduler: from 0 to
 * 100, higher is better. Nodes with equal scores are sorted by name, while the scheduler picks one
 * at random.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * NodeScorer packing = NodeScorer.requestedToCapacityRatio(
 *     Map.of("nvidia.com/gpu", 100, "cpu", 1, "memory", 1),
 *     List.of(new NodeScorer.ShapePoint(0, 0), new NodeScorer.ShapePoint(100, 10)));
 * Optional<NodeLoad> node = packing.best(nodes, NodeLoad.scoredRequests(pod));
 * }</pre>
 *
 * <p>Rules: J-16, J-17.
 *
 * @since 0.1.0
 */
public final class NodeScorer {
  private static final int PERCENT = 100;
  private static final int MAX_SHAPE_SCORE = 10;

  /** The formula of the scheduler, which has changed between versions. */
  public enum Formula {
    /**
     * Since v1.23: utilization is rounded down; resources that a node does not have, and extended
     * resources that a pod does not request, are ignored.
     */
    CURRENT,
    /** Up to v1.22: utilization is rounded up, and no resource is ignored. */
    V1_22
  }

  private enum Strategy {
    RATIO,
    LEAST,
    MOST
  }

  /**
   * A point of the shape of {@link #requestedToCapacityRatio}.
   *
   * @param utilization the requested part of a resource, in percent
   * @param score from 0 to 10
   */
  public record ShapePoint(int utilization, int score) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public ShapePoint {
      checkArgument(
          utilization >= 0 && utilization <= PERCENT,
          "utilization is %s, expected 0 to 100 percent",
          utilization);
      checkArgument(score >= 0 && score <= MAX_SHAPE_SCORE, "score is %s, expected 0 to 10", score);
    }
  }

  private final Strategy strategy;
  private final ImmutableSortedMap<String, Integer> weights;
  private final ImmutableList<ShapePoint> shape;
  private final Formula formula;

  private NodeScorer(
      Strategy strategy,
      Map<String, Integer> weights,
      ImmutableList<ShapePoint> shape,
      Formula formula) {
    this.strategy = strategy;
    this.weights = ImmutableSortedMap.copyOf(weights);
    this.shape = shape;
    this.formula = formula;
    checkArgument(!weights.isEmpty(), "no resource has a weight; expected at least one");
    this.weights.forEach((resource, weight) -> checkArgument(
        weight >= 1 && weight <= PERCENT,
        "the weight of %s is %s, expected 1 to 100",
        resource,
        weight));
  }

  /**
   * {@return a scorer that scores nodes by the utilization of each resource}
   *
   * @param weights the weight of each resource, from 1 to 100
   * @param shape the score by utilization, interpolated linearly between points
   * @throws IllegalArgumentException if there is no weight or no point, if a weight is out of
   *     range, or if the points are not in the order of their utilization
   */
  public static NodeScorer requestedToCapacityRatio(
      Map<String, Integer> weights, List<ShapePoint> shape) {
    checkArgument(!shape.isEmpty(), "the shape has no point; expected at least one");
    for (int i = 1; i < shape.size(); i++) {
      checkArgument(
          shape.get(i - 1).utilization() < shape.get(i).utilization(),
          "the shape goes from %s to %s; expected points of rising utilization",
          shape.get(i - 1),
          shape.get(i));
    }
    return new NodeScorer(Strategy.RATIO, weights, ImmutableList.copyOf(shape), Formula.CURRENT);
  }

  /**
   * {@return a scorer that prefers nodes with more free resources, which spreads pods}
   *
   * @throws IllegalArgumentException if there is no weight, or one is not from 1 to 100
   */
  public static NodeScorer leastAllocated(Map<String, Integer> weights) {
    return new NodeScorer(Strategy.LEAST, weights, ImmutableList.of(), Formula.CURRENT);
  }

  /**
   * {@return a scorer that prefers nodes with less free resources, which packs pods}
   *
   * @throws IllegalArgumentException if there is no weight, or one is not from 1 to 100
   */
  public static NodeScorer mostAllocated(Map<String, Integer> weights) {
    return new NodeScorer(Strategy.MOST, weights, ImmutableList.of(), Formula.CURRENT);
  }

  /** {@return this scorer with another formula} */
  public NodeScorer withFormula(Formula newFormula) {
    return new NodeScorer(strategy, weights, shape, newFormula);
  }

  /** {@return the score of a node for a pod with these requests, from 0 to 100} */
  public long score(NodeLoad node, Map<String, Long> pod) {
    long sum = 0;
    long weight = 0;
    NodeLoad loaded = node.plus(pod);
    for (Map.Entry<String, Integer> entry : weights.entrySet()) {
      String resource = entry.getKey();
      if (isLeftOut(resource, node, pod)) {
        continue;
      }
      long term = term(
          loaded.requested().getOrDefault(resource, 0L),
          node.allocatable().getOrDefault(resource, 0L));
      // For this strategy, upstream counts only resources with a score above 0.
      if (strategy != Strategy.RATIO || term > 0) {
        sum += term * entry.getValue();
        weight += entry.getValue();
      }
    }
    if (weight == 0) {
      return 0;
    }
    return strategy == Strategy.RATIO
        ? DoubleMath.roundToLong((double) sum / weight, RoundingMode.HALF_UP)
        : sum / weight;
  }

  /** {@return the nodes that fit a pod with these requests, best first} */
  public List<NodeLoad> rank(Collection<NodeLoad> nodes, Map<String, Long> pod) {
    return nodes.stream()
        .filter(node -> node.fits(pod))
        .sorted(Comparator.comparingLong((NodeLoad node) -> score(node, pod))
            .reversed()
            .thenComparing(NodeLoad::name))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the best node, empty if the pod fits on none} */
  public Optional<NodeLoad> best(Collection<NodeLoad> nodes, Map<String, Long> pod) {
    return rank(nodes, pod).stream().findFirst();
  }

  private boolean isLeftOut(String resource, NodeLoad node, Map<String, Long> pod) {
    boolean missing = node.allocatable().getOrDefault(resource, 0L) == 0;
    boolean unasked = isExtended(resource) && pod.getOrDefault(resource, 0L) == 0;
    return strategy == Strategy.RATIO
        ? formula == Formula.CURRENT && (missing || unasked)
        : missing || (formula == Formula.CURRENT && unasked);
  }

  private long term(long requested, long capacity) {
    if (strategy == Strategy.RATIO) {
      return atShape(utilization(requested, capacity));
    }
    if (requested > capacity) {
      return 0;
    }
    return percent(strategy == Strategy.MOST ? requested : capacity - requested, capacity);
  }

  private long utilization(long requested, long capacity) {
    if (capacity == 0 || requested > capacity) {
      return PERCENT;
    }
    return formula == Formula.CURRENT
        ? percent(requested, capacity)
        : PERCENT - percent(capacity - requested, capacity);
  }

  /** {@return the score, from 0 to 100, of a utilization in percent} */
  private long atShape(long utilization) {
    ShapePoint before = shape.get(0);
    if (utilization <= before.utilization()) {
      return scaled(before);
    }
    for (ShapePoint point : shape) {
      if (utilization <= point.utilization()) {
        // Division rounds towards 0, also where the score decreases.
        return scaled(before)
            + (scaled(point) - scaled(before))
                * (utilization - before.utilization())
                / (point.utilization() - before.utilization());
      }
      before = point;
    }
    return scaled(before);
  }

  private static long scaled(ShapePoint point) {
    return (long) point.score() * (PERCENT / MAX_SHAPE_SCORE);
  }

  private static long percent(long part, long whole) {
    return BigInteger.valueOf(part)
        .multiply(BigInteger.valueOf(PERCENT))
        .divide(BigInteger.valueOf(whole))
        .longValue();
  }

  private static boolean isExtended(String resource) {
    int slash = resource.indexOf('/');
    return slash > 0 && !resource.substring(0, slash).endsWith("kubernetes.io");
  }
}
