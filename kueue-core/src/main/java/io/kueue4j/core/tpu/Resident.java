package io.kueue4j.core.tpu;

import com.google.common.primitives.Ints;
import java.util.Comparator;

/** A slice at its place: bits in one grid, torus or cube, or whole cubes. Compared by identity. */
final class Resident {
  /** The order in which displaced slices are placed. */
  static final Comparator<Resident> LARGEST_FIRST = Comparator.<Resident>comparingInt(
          resident -> -resident.chips)
      .thenComparing(resident -> resident.slice.id());

  private final TpuSlice slice;
  private final PoolLayout layout;
  private final boolean whole;
  private final int chips;
  private final int[] meshes;
  private final long[] bits;

  Resident(PoolLayout layout, PoolState.Held held) {
    this.slice = held.slice();
    this.layout = layout;
    SlicePlacement place = slice.placement();
    this.chips = place.shape().chips();
    this.whole = layout.pool().takesWholeCubes(place.shape());
    if (whole) {
      this.meshes = Ints.toArray(place.cubes());
      this.bits = new long[] {HostBits.CUBE};
    } else {
      int hosts = layout.mesh().hosts();
      this.meshes = new int[] {place.origin() / hosts};
      this.bits = held.hosts().words(meshes[0] * hosts, layout.mesh().words());
    }
  }

  TpuSlice slice() {
    return slice;
  }

  PoolLayout layout() {
    return layout;
  }

  /** {@return whether it takes whole cubes} */
  boolean isWhole() {
    return whole;
  }

  int chips() {
    return chips;
  }

  int meshes() {
    return meshes.length;
  }

  /** {@return one of the meshes that contain it} */
  int mesh(int index) {
    return meshes[index];
  }

  /** {@return a word of its hosts in each of its meshes} */
  long bits(int word) {
    return bits[word];
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
