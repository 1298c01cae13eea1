package io.kueue4j.core.tpu;

/**
 * A box of hosts as a bit set: host {@code (x, y, z)} is bit {@code x + width * (y + height * z)}.
 *
 * <p>Finds all places of a box with a few operations per word, and counts bits in boxes. Along an
 * axis with a seam, boxes may wrap around.
 *
 * <p>Rules: TPU-F-3, TPU-F-8, TPU-F-9.
 */
final class HostGrid {
  private final int[] extents;
  private final boolean seams;
  private final int words;
  private final int[] strides;

  /** The bits of slabs by axis, start and length; see {@link #slabAt}. */
  private final long[][] slabs;

  /** The bits at multiples of a step along an axis. */
  private final long[][] multiples;

  /**
   * The coordinates of each host along each axis, and the start of the blocks around it;
   * precomputed because division is slow.
   */
  private final int[][] coordinates;

  private final int[][] floors;

  HostGrid(int x, int y, int z, boolean seams) {
    this.extents = new int[] {x, y, z};
    this.strides = new int[] {1, x, x * y};
    this.seams = seams;
    this.words = (x * y * z + Long.SIZE - 1) / Long.SIZE;
    this.slabs = new long[3][];
    this.multiples = new long[3][];
    this.coordinates = new int[3][];
    this.floors = new int[3][];
    for (int axis = 0; axis < 3; axis++) {
      coordinates[axis] = coordinates(axis);
      floors[axis] = floors(axis);
      slabs[axis] = slabs(axis);
      multiples[axis] = multiples(axis);
    }
  }

  private int[] coordinates(int axis) {
    int[] places = new int[hosts()];
    for (int host = 0; host < places.length; host++) {
      places[host] = host / strides[axis] % extents[axis];
    }
    return places;
  }

  private int[] floors(int axis) {
    int[] starts = new int[(extents[axis] + 1) * extents[axis]];
    for (int step = 1; step <= extents[axis]; step++) {
      for (int at = 0; at < extents[axis]; at++) {
        starts[step * extents[axis] + at] = at - at % step;
      }
    }
    return starts;
  }

  private long[] slabs(int axis) {
    int extent = extents[axis];
    long[] masks = new long[extent * (extent + 1) * words];
    for (int host = 0; host < hosts(); host++) {
      int at = coordinate(host, axis);
      for (int start = 0; start < extent; start++) {
        int distance = at >= start ? at - start : at - start + extent;
        for (int length = distance + 1; length <= extent; length++) {
          masks[slabAt(axis, start, length) + (host >> 6)] |= 1L << host;
        }
      }
    }
    return masks;
  }

  private long[] multiples(int axis) {
    int extent = extents[axis];
    long[] masks = new long[(extent + 1) * words];
    for (int host = 0; host < hosts(); host++) {
      for (int step = 1; step <= extent; step++) {
        if (coordinate(host, axis) % step == 0) {
          masks[step * words + (host >> 6)] |= 1L << host;
        }
      }
    }
    return masks;
  }

  /** {@return the hosts in a range of coordinates along an axis; for grids of one word} */
  long slab(int axis, int start, int length) {
    return slabs[axis][slabAt(axis, start, length)];
  }

  private int slabAt(int axis, int start, int length) {
    return (start * (extents[axis] + 1) + length) * words;
  }

  int words() {
    return words;
  }

  int hosts() {
    return hosts(extents);
  }

  /** {@return the number of hosts of a box} */
  static int hosts(int[] length) {
    return length[0] * length[1] * length[2];
  }

  int extent(int axis) {
    return extents[axis];
  }

  boolean seams() {
    return seams;
  }

  int coordinate(int host, int axis) {
    return coordinates[axis][host];
  }

  /** {@return the largest multiple of a step that does not exceed a coordinate} */
  int floor(int axis, int step, int at) {
    return floors[axis][step * extents[axis] + at];
  }

  /**
   * Finds the places of a box: replaces {@code set} by the lowest corners of the boxes that lie in
   * it.
   *
   * @param spare an array as long as {@code set}; overwritten
   */
  void corners(long[] set, int[] length, boolean aligned, long[] spare) {
    for (int axis = 0; axis < 3; axis++) {
      runs(set, axis, length[axis], aligned, spare);
    }
  }

  /**
   * Doubling: a run of n bits and another run of n bits that begins k later make a run of n + k.
   */
  private void runs(long[] set, int axis, int length, boolean aligned, long[] spare) {
    int extent = extents[axis];
    boolean cyclic = seams && !aligned && length < extent;
    for (int have = 1; have < length; ) {
      int step = Math.min(have, length - have);
      if (cyclic) {
        System.arraycopy(set, 0, spare, 0, words);
        andCyclic(set, spare, axis, step);
      } else {
        andLater(set, step * strides[axis]);
      }
      have += step;
    }
    int starts = slabAt(axis, 0, cyclic ? extent : extent - length + 1);
    int steps = (aligned ? length : 1) * words;
    for (int word = 0; word < words; word++) {
      set[word] &= slabs[axis][starts + word] & multiples[axis][steps + word];
    }
  }

  private void andLater(long[] set, int bits) {
    for (int word = 0; word < words; word++) {
      set[word] &= later(set, word, bits);
    }
  }

  private void andCyclic(long[] set, long[] source, int axis, int step) {
    int rest = extents[axis] - step;
    int near = slabAt(axis, 0, rest);
    int far = slabAt(axis, rest, step);
    for (int word = 0; word < words; word++) {
      set[word] &= (later(source, word, step * strides[axis]) & slabs[axis][near + word])
          | (earlier(source, word, rest * strides[axis]) & slabs[axis][far + word]);
    }
  }

  private long later(long[] set, int word, int bits) {
    int from = word + (bits >> 6);
    int shift = bits & 63;
    long low = from < words ? set[from] >>> shift : 0;
    long high = shift != 0 && from + 1 < words ? set[from + 1] << (Long.SIZE - shift) : 0;
    return low | high;
  }

  private static long earlier(long[] set, int word, int bits) {
    int from = word - (bits >> 6);
    int shift = bits & 63;
    long high = from >= 0 ? set[from] << shift : 0;
    long low = shift != 0 && from >= 1 ? set[from - 1] >>> (Long.SIZE - shift) : 0;
    return high | low;
  }

  /** {@return the bits of a word that lie in a box, which may wrap around} */
  long box(int word, int[] start, int[] length) {
    return slabs[0][slabAt(0, start[0], length[0]) + word]
        & slabs[1][slabAt(1, start[1], length[1]) + word]
        & slabs[2][slabAt(2, start[2], length[2]) + word];
  }

  /** {@return the coordinates of a host} */
  int[] coordinatesOf(int host) {
    return new int[] {coordinate(host, 0), coordinate(host, 1), coordinate(host, 2)};
  }

  /**
   * {@return the number of bits in a box, of the set that begins at index {@code from} of an array}
   */
  int count(long[] set, int from, int[] start, int[] length) {
    int low = 0;
    int high = words - 1;
    int end = start[2] + length[2];
    if (words > 1 && end <= extents[2]) {
      low = (start[2] * strides[2]) >> 6;
      high = Math.min(high, (end * strides[2] - 1) >> 6);
    }
    int count = 0;
    for (int word = low; word <= high; word++) {
      count += Long.bitCount(set[from + word] & box(word, start, length));
    }
    return count;
  }
}
