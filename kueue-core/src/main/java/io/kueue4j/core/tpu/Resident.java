package io.kueue4j.core.tpu;

import java.util.Comparator;

/** The hosts of a slice in use, with that slice. Compared by identity. */
final class Resident extends HostMask {
  /** The order in which displaced slices are placed. */
  static final Comparator<Resident> LARGEST_FIRST = Comparator.<Resident>comparingInt(
          resident -> -resident.chips())
      .thenComparing(resident -> resident.slice.id());

  private final TpuSlice slice;
  private final PoolLayout layout;

  Resident(PoolLayout layout, TpuSlice slice) {
    super(layout, slice.placement());
    this.slice = slice;
    this.layout = layout;
  }

  TpuSlice slice() {
    return slice;
  }

  PoolLayout layout() {
    return layout;
  }

  /** {@return whether it takes whole cubes} */
  boolean isWhole() {
    return layout.pool().takesWholeCubes(slice.placement().shape());
  }

  int chips() {
    return slice.placement().shape().chips();
  }

  /** {@return a request for another place for it} */
  SliceRequest again() {
    SliceRequest request = SliceRequest.of(slice.placement().shape());
    return slice.mayTurn() ? request.withTurning() : request;
  }

  /** {@return the key of the table of its places} */
  PlaceTable.Key key() {
    return new PlaceTable.Key(slice.placement().shape(), slice.mayTurn(), false);
  }
}
