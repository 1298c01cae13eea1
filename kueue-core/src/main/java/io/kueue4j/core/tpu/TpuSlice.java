package io.kueue4j.core.tpu;

import java.util.OptionalLong;

/**
 * A slice that is in use: hosts and who holds them.
 *
 * <p>Rules: TPU-F-2, TPU-F-5.
 *
 * @param id unique in the fleet
 * @param owner who goes when it goes; several slices may have one owner
 * @param placement its hosts
 * @param movable whether it may be moved to other hosts
 * @param mayTurn whether it may be turned when it is moved
 * @param expectedEndMillis when it is expected to end, in milliseconds of any one clock; absent for
 *     never
 */
public record TpuSlice(
    String id,
    String owner,
    SlicePlacement placement,
    boolean movable,
    boolean mayTurn,
    OptionalLong expectedEndMillis) {

  /**
   * {@return a movable slice that is its own owner, without expected end; it may be turned if it
   * is}
   */
  public static TpuSlice of(String id, SlicePlacement placement) {
    return new TpuSlice(
        id, id, placement, true, placement.order() != AxisOrder.XYZ, OptionalLong.empty());
  }

  /** {@return this slice with an owner} */
  public TpuSlice withOwner(String name) {
    return new TpuSlice(id, name, placement, movable, mayTurn, expectedEndMillis);
  }

  /** {@return this slice, which must stay where it is} */
  public TpuSlice withoutMoving() {
    return new TpuSlice(id, owner, placement, false, mayTurn, expectedEndMillis);
  }

  /** {@return this slice, which may be turned when it is moved} */
  public TpuSlice withTurning() {
    return new TpuSlice(id, owner, placement, movable, true, expectedEndMillis);
  }

  /** {@return this slice with an expected end} */
  public TpuSlice withExpectedEndMillis(long millis) {
    return new TpuSlice(id, owner, placement, movable, mayTurn, OptionalLong.of(millis));
  }

  /** {@return this slice on other hosts} */
  public TpuSlice withPlacement(SlicePlacement hosts) {
    return new TpuSlice(id, owner, hosts, movable, mayTurn, expectedEndMillis);
  }
}
