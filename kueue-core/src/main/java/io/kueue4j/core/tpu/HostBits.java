package io.kueue4j.core.tpu;

/**
 * Reads and combines sets of hosts that are kept as bits. A set of the hosts of a pool has a fixed
 * number of words for each mesh, which is a grid, a torus or one cube; {@link PoolLayout#bit} finds
 * the bit of a host.
 */
final class HostBits {
  /** All hosts of a cube. */
  static final long CUBE = 0xFFFF;

  private HostBits() {}

  static boolean contains(long[] set, int bit) {
    return ((set[bit >> 6] >>> bit) & 1) != 0;
  }

  static void put(long[] set, int bit, boolean member) {
    long mask = 1L << bit;
    set[bit >> 6] = (set[bit >> 6] & ~mask) | (member ? mask : 0);
  }

  /** {@return the number of hosts in a set} */
  static int size(long[] set) {
    int size = 0;
    for (long word : set) {
      size += Long.bitCount(word);
    }
    return size;
  }

  /** {@return the number of cubes whose hosts are all in a set} */
  static int wholeCubes(long[] set) {
    int whole = 0;
    for (long cube : set) {
      whole += cube == CUBE ? 1 : 0;
    }
    return whole;
  }

  /** {@return the hosts of a set that are in another set as well} */
  static long[] common(long[] set, long[] other) {
    long[] both = new long[set.length];
    for (int word = 0; word < set.length; word++) {
      both[word] = set[word] & other[word];
    }
    return both;
  }

  /** {@return the hosts of a set that are not in another set} */
  static long[] without(long[] set, long[] others) {
    long[] left = new long[set.length];
    for (int word = 0; word < set.length; word++) {
      left[word] = set[word] & ~others[word];
    }
    return left;
  }
}
