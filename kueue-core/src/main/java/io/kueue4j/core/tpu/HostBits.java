package io.kueue4j.core.tpu;

/** Reads sets of hosts that are kept as bits, host by host and cube by cube. */
final class HostBits {
  /** All hosts of a cube. */
  static final long CUBE = 0xFFFF;

  private HostBits() {}

  /** {@return the bits of a set that belong to a cube} */
  static long lane(long[] set, int cube) {
    return (set[cube >> 2] >>> (cube << 4)) & CUBE;
  }

  static boolean contains(long[] set, int host) {
    return ((set[host >> 6] >>> host) & 1) != 0;
  }

  /** {@return the number of hosts in a set} */
  static int size(long[] set) {
    int size = 0;
    for (long word : set) {
      size += Long.bitCount(word);
    }
    return size;
  }
}
