package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each invariant notices what it is there for. */
class PlantedSliceBugTest {
  private static final int CASES = 3000;

  /** From here on, the rarest bugs show soon; elsewhere one of them shows in 1,500 cases. */
  private static final long FIRST = 1477;

  @ParameterizedTest
  @EnumSource
  void isNoticed(PlantedSliceBug bug) {
    for (long seed = FIRST; seed < FIRST + CASES; seed++) {
      try {
        bug.invariant().check(bug.library(), Choices.ofSeed(seed));
      } catch (AssertionError noticed) {
        return;
      }
    }
    throw new AssertionError("not noticed in " + CASES + " cases");
  }

  @Test
  void eachInvariantHasABug() {
    assertThat(Arrays.stream(PlantedSliceBug.values())
            .map(PlantedSliceBug::invariant)
            .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(SliceInvariant.values());
  }
}
