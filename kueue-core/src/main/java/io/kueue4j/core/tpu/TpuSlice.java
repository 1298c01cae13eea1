package io.kueue4j.core.tpu;

import java.util.OptionalLong;

/**
 * A TPU slice in use: its hosts and its owner.
 *
 * <p>Rules: TPU-F-2, TPU-F-5.
 *
 * @param id unique in the fleet
 * @param owner the name of the owner; evicting a slice evicts all slices of its owner
 * @param placement its place
 * @param movable whether it may be moved to other hosts
 * @param mayTurn whether a move may turn it
 * @param expectedEndMillis when it is expected to end, in milliseconds of one clock for all slices;
 *     absent for never
 * @since 0.1.0
 */
public record TpuSlice(
    String id,
    String owner,
    SlicePlacement placement,
    boolean movable,
    boolean mayTurn,
    OptionalLong expectedEndMillis) {

  /**
   * {@return a movable slice without expected end, whose owner is the slice itself; it may be
   * turned if its placement is turned}
   */
  public static TpuSlice of(String id, SlicePlacement placement) {
    return new TpuSlice(
        id, id, placement, true, placement.order() != AxisOrder.XYZ, OptionalLong.empty());
  }

  /** {@return this slice with another owner} */
  public TpuSlice withOwner(String name) {
    return new TpuSlice(id, name, placement, movable, mayTurn, expectedEndMillis);
  }

  /** {@return this slice, not movable} */
  public TpuSlice withoutMoving() {
    return new TpuSlice(id, owner, placement, false, mayTurn, expectedEndMillis);
  }

  /** {@return this slice with turning allowed} */
  public TpuSlice withTurning() {
    return new TpuSlice(id, owner, placement, movable, true, expectedEndMillis);
  }

  /** {@return this slice with an expected end} */
  public TpuSlice withExpectedEndMillis(long millis) {
    return new TpuSlice(id, owner, placement, movable, mayTurn, OptionalLong.of(millis));
  }

  /** {@return this slice at another place} */
  public TpuSlice withPlacement(SlicePlacement hosts) {
    return new TpuSlice(id, owner, hosts, movable, mayTurn, expectedEndMillis);
  }
}
