package io.kueue4j.core.tpu;

import com.google.common.primitives.Ints;
import java.util.List;

/**
 * The hosts of one slice: bits of one grid, torus or cube, or whole cubes. Immutable.
 *
 * <p>Rules: TPU-F-2, TPU-F-4.
 */
class HostMask {
  private final int[] meshes;

  /** The bits in each of the meshes. */
  private final long[] bits;

  private HostMask(int[] meshes, long[] bits) {
    this.meshes = meshes;
    this.bits = bits;
  }

  /** Finds the hosts of a placement. */
  HostMask(PoolLayout layout, SlicePlacement place) {
    if (layout.pool().takesWholeCubes(place.shape())) {
      this.meshes = Ints.toArray(place.cubes());
      this.bits = new long[] {HostBits.CUBE};
      return;
    }
    HostGrid grid = layout.mesh();
    int[] start = grid.coordinatesOf(place.origin() % grid.hosts());
    int[] length = new int[3];
    for (int axis = 0; axis < 3; axis++) {
      length[axis] = place.hostExtent(place.order().sliceAxis(axis));
    }
    this.meshes = new int[] {place.origin() / grid.hosts()};
    this.bits = new long[grid.words()];
    for (int word = 0; word < bits.length; word++) {
      bits[word] = grid.box(word, start, length);
    }
  }

  static HostMask inMesh(int mesh, long[] bits) {
    return new HostMask(new int[] {mesh}, bits);
  }

  static HostMask ofCubes(int[] cubes) {
    return new HostMask(cubes, new long[] {HostBits.CUBE});
  }

  final int meshes() {
    return meshes.length;
  }

  /** {@return one of the meshes with the hosts} */
  final int mesh(int index) {
    return meshes[index];
  }

  final List<Integer> meshList() {
    return Ints.asList(meshes);
  }

  /** {@return a word of the hosts in each of the meshes} */
  final long word(int word) {
    return bits[word];
  }

  /** {@return whether one of the hosts is in a set of hosts of the pool} */
  final boolean intersects(long[] set) {
    for (int mesh : meshes) {
      for (int word = 0; word < bits.length; word++) {
        if ((set[mesh * bits.length + word] & bits[word]) != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** {@return whether both have a host in common in the meshes that both have} */
  final boolean intersectsInMesh(HostMask other) {
    return intersectsInMesh(other.bits);
  }

  /** {@return whether one of the hosts is in a set of hosts of one of its meshes} */
  final boolean intersectsInMesh(long[] set) {
    for (int word = 0; word < bits.length; word++) {
      if ((set[word] & bits[word]) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Adds the hosts that are not in a set, and removes the others. */
  final void toggle(long[] set) {
    for (int mesh : meshes) {
      for (int word = 0; word < bits.length; word++) {
        set[mesh * bits.length + word] ^= bits[word];
      }
    }
  }

  final void removeFrom(long[] set) {
    for (int mesh : meshes) {
      for (int word = 0; word < bits.length; word++) {
        set[mesh * bits.length + word] &= ~bits[word];
      }
    }
  }

  /** {@return a set with the hosts added that are not in it, and the others removed} */
  final long[] toggled(long[] set) {
    long[] changed = set.clone();
    toggle(changed);
    return changed;
  }
}
