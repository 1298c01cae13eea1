package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random choices from a seed: the same seed yields the same choices on every JVM. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  /** {@return true with probability 1 / {@code times}} */
  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** {@return a number from 0 to {@code last}} */
  int upTo(int last) {
    return random.nextInt(last + 1);
  }

  /** {@return a number from {@code first} to {@code last}} */
  int between(int first, int last) {
    return first + upTo(last - first);
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  <T> ImmutableList<T> shuffled(List<T> list) {
    List<T> rest = new ArrayList<>(list);
    ImmutableList.Builder<T> shuffled = ImmutableList.builder();
    while (!rest.isEmpty()) {
      shuffled.add(rest.remove(random.nextInt(rest.size())));
    }
    return shuffled.build();
  }
}
