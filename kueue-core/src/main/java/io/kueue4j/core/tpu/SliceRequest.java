package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.SetMultimap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is asked for: one slice, or several equal ones that are placed all or none.
 *
 * <pre>{@code
 * SliceRequest one = SliceRequest.of("4x8").withTurning();
 * SliceRequest multislice = SliceRequest.of("4x4x8").withCount(3).withScope(Scope.SAME_FABRIC);
 * }</pre>
 *
 * <p>Rules: TPU-F-5, TPU-F-6, TPU-U-13, TPU-U-24.
 *
 * @param shapes the shapes that would do, the best first; all slices get the same
 * @param count the number of slices, at least 1
 * @param mayTurn whether slices that are boxes may be turned; whole cubes have no direction
 * @param rings what is asked for of the slice's axes that are longer than a chip
 * @param twisted whether the torus is to be twisted, which must be possible for the shape
 * @param scope which pools the slices may come from
 * @param maxPerPool the most slices in one pool; no limit unless the scope is {@link Scope#SPREAD}
 * @param allowDegraded whether hosts that are degraded will do
 * @param avoid hosts by pool id that must not be used
 * @param pin hosts by pool id to which the slices are confined; empty for all
 * @param expectedEndMillis when the slices are expected to end, in milliseconds of the clock of
 *     {@link TpuSlice#expectedEndMillis}; absent if it does not matter beside whom they lie
 */
public record SliceRequest(
    ImmutableList<SliceShape> shapes,
    int count,
    boolean mayTurn,
    Rings rings,
    boolean twisted,
    Scope scope,
    int maxPerPool,
    boolean allowDegraded,
    ImmutableSetMultimap<String, Integer> avoid,
    ImmutableSetMultimap<String, Integer> pin,
    OptionalLong expectedEndMillis) {

  /** Whether the axes of a slice must close rings. */
  public enum Rings {
    /** It does not matter. */
    ANY,
    /** Of several places those with more rings come first. */
    PREFERRED,
    /** All axes longer than one chip close a ring. */
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
    /** Any, but only so many from each. */
    SPREAD
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if there is no shape, or a number is not positive
   */
  public SliceRequest {
    checkArgument(!shapes.isEmpty(), "a request without shapes, expected at least one");
    checkArgument(count >= 1, "%s slices requested, expected at least 1", count);
    checkArgument(maxPerPool >= 1, "at most %s slices per pool, expected at least 1", maxPerPool);
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
        ImmutableSetMultimap.of(),
        ImmutableSetMultimap.of(),
        OptionalLong.empty());
  }

  /** {@return this request with other shapes, the best first} */
  public SliceRequest withShapes(List<SliceShape> all) {
    return new SliceRequest(
        ImmutableList.copyOf(all),
        count,
        mayTurn,
        rings,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request for so many slices} */
  public SliceRequest withCount(int slices) {
    return new SliceRequest(
        shapes,
        slices,
        mayTurn,
        rings,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request with slices that may be turned} */
  public SliceRequest withTurning() {
    return new SliceRequest(
        shapes,
        count,
        true,
        rings,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request with a wish for rings} */
  public SliceRequest withRings(Rings wish) {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        wish,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request for twisted tori} */
  public SliceRequest withTwist() {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        true,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request with slices from these pools} */
  public SliceRequest withScope(Scope pools) {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        twisted,
        pools,
        Integer.MAX_VALUE,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request with at most so many slices in one pool} */
  public SliceRequest withSpread(int slicesPerPool) {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        twisted,
        Scope.SPREAD,
        slicesPerPool,
        allowDegraded,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request, content with degraded hosts} */
  public SliceRequest withDegradedHosts() {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        twisted,
        scope,
        maxPerPool,
        true,
        avoid,
        pin,
        expectedEndMillis);
  }

  /** {@return this request without some hosts, by pool id} */
  public SliceRequest withAvoid(SetMultimap<String, Integer> hosts) {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        ImmutableSetMultimap.copyOf(hosts),
        pin,
        expectedEndMillis);
  }

  /** {@return this request on some hosts only, by pool id} */
  public SliceRequest withPin(SetMultimap<String, Integer> hosts) {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        ImmutableSetMultimap.copyOf(hosts),
        expectedEndMillis);
  }

  /** {@return this request with slices that are expected to end at a time} */
  public SliceRequest withExpectedEndMillis(long millis) {
    return new SliceRequest(
        shapes,
        count,
        mayTurn,
        rings,
        twisted,
        scope,
        maxPerPool,
        allowDegraded,
        avoid,
        pin,
        OptionalLong.of(millis));
  }

  /**
   * Says why a shape is no slice.
   *
   * @return nothing if it is one
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
