package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A grid or cube of at most 64 hosts, each a bit, with the possible places of slices, and the
 * aligned blocks that result from repeated halving. Independent of the library, which it is
 * compared with.
 */
final class Mesh {
  /** Hosts of a pod of 16x16 chips. */
  static final Mesh POD = new Mesh(8, 8, 1, SliceShape.of(2, 2), JobMix.GRID);

  /** Hosts of a cube. */
  static final Mesh CUBE = new Mesh(2, 2, 4, SliceShape.of(2, 2, 1), JobMix.CUBES);

  /**
   * A place.
   *
   * @param hosts its hosts
   * @param around the adjacent hosts
   */
  record Place(long hosts, long around) {}

  private final int width;
  private final int height;
  private final int depth;
  private final SliceShape hostBox;
  private final Map<SliceShape, ImmutableList<Place>> aligned = new HashMap<>();
  private final Map<SliceShape, ImmutableList<Place>> anywhere = new HashMap<>();
  private final ImmutableList<SliceShape> shapes;

  private Mesh(int width, int height, int depth, SliceShape hostBox, JobMix mix) {
    this.width = width;
    this.height = height;
    this.depth = depth;
    this.hostBox = hostBox;
    this.shapes = mix.shares().stream()
        .map(JobMix.Share::shape)
        .filter(this::isInside)
        .collect(ImmutableList.toImmutableList());
    for (SliceShape shape : shapes) {
      aligned.put(shape, places(shape, true));
      anywhere.put(shape, places(shape, false));
    }
  }

  private boolean isInside(SliceShape shape) {
    return hosts(shape, 0) <= width && hosts(shape, 1) <= height && hosts(shape, 2) <= depth;
  }

  private int hosts(SliceShape shape, int axis) {
    return shape.extent(axis) / hostBox.extent(axis);
  }

  /** {@return the shapes that fit the mesh, smallest first} */
  ImmutableList<SliceShape> shapes() {
    return shapes;
  }

  int hosts() {
    return width * height * depth;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /** {@return the places of a shape at multiples of its extents, not rotated} */
  ImmutableList<Place> aligned(SliceShape shape) {
    return aligned.getOrDefault(shape, ImmutableList.of());
  }

  /**
   * {@return the places of a shape at any host; in a grid also the places of the transposed shape}
   */
  ImmutableList<Place> anywhere(SliceShape shape) {
    return anywhere.getOrDefault(shape, ImmutableList.of());
  }

  private ImmutableList<Place> places(SliceShape shape, boolean isAligned) {
    Set<Place> places = new LinkedHashSet<>();
    int x = hosts(shape, 0);
    int y = hosts(shape, 1);
    addPlaces(places, x, y, hosts(shape, 2), isAligned);
    if (!isAligned && depth == 1) {
      addPlaces(places, y, x, 1, false);
    }
    return ImmutableList.copyOf(places);
  }

  private void addPlaces(Set<Place> places, int x, int y, int z, boolean isAligned) {
    for (int atZ = 0; atZ + z <= depth; atZ += isAligned ? z : 1) {
      for (int atY = 0; atY + y <= height; atY += isAligned ? y : 1) {
        for (int atX = 0; atX + x <= width; atX += isAligned ? x : 1) {
          long hosts = box(atX, atY, atZ, x, y, z);
          long around = box(atX - 1, atY, atZ, x + 2, y, z)
              | box(atX, atY - 1, atZ, x, y + 2, z)
              | box(atX, atY, atZ - 1, x, y, z + 2);
          places.add(new Place(hosts, around & ~hosts));
        }
      }
    }
  }

  /** {@return the hosts of a box, as far as they are inside the mesh} */
  private long box(int atX, int atY, int atZ, int x, int y, int z) {
    long hosts = 0;
    for (int dz = Math.max(atZ, 0); dz < Math.min(atZ + z, depth); dz++) {
      for (int dy = Math.max(atY, 0); dy < Math.min(atY + y, height); dy++) {
        for (int dx = Math.max(atX, 0); dx < Math.min(atX + x, width); dx++) {
          hosts |= 1L << (dx + width * (dy + height * dz));
        }
      }
    }
    return hosts;
  }

  /**
   * {@return the number of hosts of the largest free aligned block, in one of the mesh's shapes,
   * that contains the given hosts}
   */
  int largestFreeBlockHosts(long free, long hosts) {
    if (Long.bitCount(free) == hosts()) {
      return hosts();
    }
    for (SliceShape shape : shapes.reverse()) {
      for (Place block : aligned(shape)) {
        if ((block.hosts & hosts) == hosts && (block.hosts & free) == block.hosts) {
          return Long.bitCount(block.hosts);
        }
      }
    }
    return Long.bitCount(hosts);
  }
}
