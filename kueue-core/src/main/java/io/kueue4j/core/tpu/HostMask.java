package io.kueue4j.core.tpu;

import com.google.common.primitives.Ints;
import java.util.Arrays;
import java.util.List;

/**
 * A few hosts of a pool, stored as the non-zero words of their bit set.
 *
 * <p>Rules: TPU-F-2, TPU-F-4.
 */
final class HostMask {
  private final int[] words;
  private final long[] bits;

  private HostMask(int[] words, long[] bits) {
    this.words = words;
    this.bits = bits;
  }

  static HostMask of(List<Integer> hosts) {
    int[] sorted = Ints.toArray(hosts);
    Arrays.sort(sorted);
    int[] words = new int[sorted.length];
    long[] bits = new long[sorted.length];
    int size = 0;
    for (int host : sorted) {
      if (size == 0 || words[size - 1] != host >> 6) {
        words[size++] = host >> 6;
      }
      bits[size - 1] |= 1L << host;
    }
    return new HostMask(Arrays.copyOf(words, size), Arrays.copyOf(bits, size));
  }

  /**
   * {@return whether one of the hosts is in a set that begins with host {@code first}}. The set
   * covers a whole pool or one cube, so a cube's set lies in one word
   */
  boolean intersects(long[] set, int first) {
    for (int i = 0; i < words.length; i++) {
      int word = words[i] - (first >> 6);
      if (word >= 0 && word < set.length && (set[word] & (bits[i] >>> first)) != 0) {
        return true;
      }
    }
    return false;
  }

  boolean intersects(HostMask other) {
    for (int i = 0, j = 0; i < words.length && j < other.words.length; ) {
      if (words[i] == other.words[j]) {
        if ((bits[i++] & other.bits[j++]) != 0) {
          return true;
        }
      } else if (words[i] < other.words[j]) {
        i++;
      } else {
        j++;
      }
    }
    return false;
  }

  /** {@return the hosts in {@code count} words from host {@code first} on} */
  long[] words(int first, int count) {
    long[] set = new long[count];
    for (int i = 0; i < words.length; i++) {
      int word = words[i] - (first >> 6);
      if (word >= 0 && word < count) {
        set[word] |= bits[i] >>> first;
      }
    }
    return set;
  }

  /** {@return a set with the hosts added if they are not in it, and removed if they are} */
  long[] toggled(long[] set) {
    long[] changed = set.clone();
    for (int i = 0; i < words.length; i++) {
      changed[words[i]] ^= bits[i];
    }
    return changed;
  }

  void addTo(long[] set) {
    for (int i = 0; i < words.length; i++) {
      set[words[i]] |= bits[i];
    }
  }

  void removeFrom(long[] set) {
    for (int i = 0; i < words.length; i++) {
      set[words[i]] &= ~bits[i];
    }
  }
}
