package io.kueue4j.core.testkit.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Choices at random, the same for the same seed. */
final class Choices {
  private final Random random;

  Choices(long seed) {
    this.random = new Random(seed);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean oneIn(int chances) {
    return random.nextInt(chances) == 0;
  }

  <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  <T> List<T> shuffled(List<T> values) {
    List<T> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** {@return some of {@code values}, in any order} */
  <T> List<T> someOf(List<T> values) {
    return shuffled(values).subList(0, random.nextInt(values.size() + 1));
  }
}
