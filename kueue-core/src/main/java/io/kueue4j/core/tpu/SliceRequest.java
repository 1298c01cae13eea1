package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.immutables.value.Value;

/**
 * A request for one TPU slice, or for several equal slices of which all or none are placed.
 *
 * <pre>{@code
 * SliceRequest one = SliceRequest.of("4x8").withTurning();
 * SliceRequest multislice = SliceRequest.of("4x4x8").withCount(3).withScope(Scope.SAME_FABRIC);
 * }</pre>
 *
 * <p>Rules: TPU-F-5, TPU-F-6, TPU-U-13, TPU-U-24.
 *
 * @param shapes the acceptable shapes, most preferred first; all slices get the same shape
 * @param count the number of slices, at least 1
 * @param mayTurn whether boxes may be turned; slices of whole cubes have no orientation
 * @param rings whether the axes of the slice that are longer than a chip must close rings
 * @param twisted whether the slice must be a twisted torus, which the shape must allow
 * @param scope which pools the slices may come from
 * @param maxPerPool the maximum number of slices in one pool; ignored unless the scope is
 *     {@link Scope#SPREAD}
 * @param allowDegraded whether degraded hosts may be used
 * @param avoid the hosts that must not be used, by pool id
 * @param pin the only hosts that may be used, by pool id; empty for all
 * @param expectedEndMillis when the slices are expected to end, in milliseconds of the clock of
 *     {@link TpuSlice#expectedEndMillis}; absent if unknown
 * @since 0.1.0
 */
@Value.Builder
public record SliceRequest(
    @Value.PlainAttribute List<SliceShape> shapes,
    int count,
    boolean mayTurn,
    Rings rings,
    boolean twisted,
    Scope scope,
    int maxPerPool,
    boolean allowDegraded,
    @Value.PlainAttribute Map<String, Set<Integer>> avoid,
    @Value.PlainAttribute Map<String, Set<Integer>> pin,
    OptionalLong expectedEndMillis) {

  /** Whether the axes of a slice must close rings. */
  public enum Rings {
    /** Rings do not matter. */
    ANY,
    /** Places with more rings are preferred. */
    PREFERRED,
    /** All axes longer than one chip must close a ring. */
    REQUIRED
  }

  /** Which pools slices of one request may come from. */
  public enum Scope {
    /** Any. */
    ANY,
    /** All from one pool. */
    SAME_POOL,
    /** All from pools of one fabric. */
    SAME_FABRIC,
    /** Any, with at most {@link SliceRequest#maxPerPool} slices from each. */
    SPREAD
  }

  /**
   * Creates the request.
   *
   * @throws IllegalArgumentException if there is no shape, or a number is not positive
   */
  public SliceRequest {
    shapes = ImmutableList.copyOf(shapes);
    avoid = copyOf(avoid);
    pin = copyOf(pin);
    checkArgument(!shapes.isEmpty(), "a request without shapes, expected at least one");
    checkArgument(count >= 1, "%s slices requested, expected at least 1", count);
    checkArgument(maxPerPool >= 1, "at most %s slices per pool, expected at least 1", maxPerPool);
  }

  private static Map<String, Set<Integer>> copyOf(Map<String, Set<Integer>> hosts) {
    return ImmutableMap.copyOf(Maps.transformValues(hosts, ImmutableSet::copyOf));
  }

  /**
   * {@return a request for one slice that is not turned, of healthy hosts}
   *
   * @throws IllegalArgumentException if a shape cannot be parsed
   */
  public static SliceRequest of(String shape) {
    return of(SliceShape.parse(shape));
  }

  /** {@return a request for one slice that is not turned, of healthy hosts} */
  public static SliceRequest of(SliceShape shape) {
    return new SliceRequest(
        ImmutableList.of(shape),
        1,
        false,
        Rings.ANY,
        false,
        Scope.ANY,
        Integer.MAX_VALUE,
        false,
        ImmutableMap.of(),
        ImmutableMap.of(),
        OptionalLong.empty());
  }

  /**
   * {@return this request with other shapes, most preferred first}
   *
   * @throws IllegalArgumentException if there is none
   */
  public SliceRequest withShapes(List<SliceShape> all) {
    return copy().shapes(ImmutableList.copyOf(all)).build();
  }

  /**
   * {@return this request for another number of slices}
   *
   * @throws IllegalArgumentException if {@code slices} is not positive
   */
  public SliceRequest withCount(int slices) {
    return copy().count(slices).build();
  }

  /** {@return this request with slices that may be turned} */
  public SliceRequest withTurning() {
    return copy().mayTurn(true).build();
  }

  /** {@return this request with another requirement of rings} */
  public SliceRequest withRings(Rings wish) {
    return copy().rings(wish).build();
  }

  /** {@return this request for twisted tori} */
  public SliceRequest withTwist() {
    return copy().twisted(true).build();
  }

  /** {@return this request with another scope} */
  public SliceRequest withScope(Scope pools) {
    return copy().scope(pools).maxPerPool(Integer.MAX_VALUE).build();
  }

  /**
   * {@return this request with scope {@link Scope#SPREAD} and at most {@code slicesPerPool} slices
   * in one pool}
   *
   * @throws IllegalArgumentException if {@code slicesPerPool} is not positive
   */
  public SliceRequest withSpread(int slicesPerPool) {
    return copy().scope(Scope.SPREAD).maxPerPool(slicesPerPool).build();
  }

  /** {@return this request with degraded hosts allowed} */
  public SliceRequest withDegradedHosts() {
    return copy().allowDegraded(true).build();
  }

  /** {@return this request with hosts that must not be used, by pool id} */
  public SliceRequest withAvoid(Map<String, Set<Integer>> hosts) {
    return copy().avoid(hosts).build();
  }

  /** {@return this request confined to some hosts, by pool id} */
  public SliceRequest withPin(Map<String, Set<Integer>> hosts) {
    return copy().pin(hosts).build();
  }

  /** {@return this request with an expected end} */
  public SliceRequest withExpectedEndMillis(long millis) {
    return copy().expectedEndMillis(OptionalLong.of(millis)).build();
  }

  /**
   * {@return whether the scope allows a slice in a pool beside slices in the pools {@code others}}
   */
  public boolean allows(TpuPool pool, Collection<TpuPool> others) {
    return switch (scope) {
      case ANY -> true;
      case SAME_POOL -> others.stream().allMatch(other -> other.id().equals(pool.id()));
      case SAME_FABRIC -> others.stream().allMatch(other -> other.fabric().equals(pool.fabric()));
      case SPREAD ->
        others.stream().filter(other -> other.id().equals(pool.id())).count() < maxPerPool;
    };
  }

  private SliceRequestBuilder copy() {
    return new SliceRequestBuilder().from(this);
  }

  /**
   * Explains why a shape is not a valid slice for this request.
   *
   * @return the problem, empty if the shape is valid
   */
  public Optional<String> problem(TpuGeneration generation, SliceShape shape) {
    Optional<String> problem = generation.problem(shape);
    return problem.isPresent() || !twisted || shape.isTwistable()
        ? problem
        : Optional.of(
            "%s cannot be twisted, expected K x K x 2K or K x 2K x 2K with K a multiple of 4"
                .formatted(shape));
  }
}
