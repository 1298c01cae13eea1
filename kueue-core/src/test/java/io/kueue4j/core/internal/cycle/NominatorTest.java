package io.kueue4j.core.internal.cycle;

import static io.kueue4j.core.internal.cycle.CycleFixture.flavor;
import static io.kueue4j.core.internal.cycle.CycleFixture.gpus;
import static io.kueue4j.core.internal.cycle.CycleFixture.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.ScanProgress;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.model.PodSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NominatorTest {
  private final CycleFixture fixture = new CycleFixture();

  private List<String> nominated(long cycle, Head head) {
    return fixture.run(cycle, head).values().stream()
        .flatMap(attempt -> fixture.nominated(attempt).stream())
        .toList();
  }

  /** The first nomination is in cycle 5; the walk stops at the first of two flavors. */
  @Nested
  class ScanProgressOfTheLastNomination {
    private final QueueState queue =
        fixture.queue("queue", "c", flavor("first", 9), flavor("second", 9));
    private final Head head = fixture.head(queue, "job", 1);

    @ParameterizedTest(name = "preserved {0}, in cycle {1}, generation grown {2}")
    @CsvSource({
      "true, 5, true, second",
      "true, 6, false, second",
      "true, 6, true, second",
      "true, 7, false, second",
      "true, 7, true, first",
      "true, 99, false, second",
      "false, 5, true, first",
      "false, 6, false, second",
      "false, 6, true, first",
      "false, 99, false, second",
      "false, 99, true, first"
    })
    void isDroppedByAgeAndGeneration(
        boolean preserved, long cycle, boolean generationGrown, String flavor) {
      fixture.set(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS, preserved);
      nominated(5, head);
      if (generationGrown) {
        queue.quota().advanceGeneration();
      }

      assertThat(nominated(cycle, head)).containsExactly(flavor + "=1");
    }

    @ParameterizedTest(name = "preserved {0}")
    @CsvSource({"true, first", "false, second"})
    void isDroppedForAnotherShapeIfPreserved(boolean preserved, String flavor) {
      fixture.set(FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS, preserved);
      nominated(5, head);
      Head changed = fixture.head(queue, "job", 2);
      changed.setProgress(head.progress());

      assertThat(nominated(6, changed)).containsExactly(flavor + "=2");
    }

    @Test
    void isKeptForAnEqualShape() {
      nominated(5, head);
      Head equal = fixture.head(queue, "other", 1);
      equal.setProgress(head.progress());

      assertThat(nominated(6, equal)).containsExactly("second=1");
    }

    @Test
    void isThatOfTheLatestNomination() {
      nominated(5, head);
      nominated(6, head);
      queue.quota().advanceGeneration();

      assertThat(nominated(7, head)).as("after the last flavor").containsExactly("first=1");
      assertThat(nominated(8, head)).containsExactly("second=1");
    }

    @Test
    void isKeptAfterNoFit() {
      Head twoSets = fixture.head(queue, "two", 0, 0, gpus("fits", 1), gpus("fails", 99));

      assertThat(outcomes(fixture.run(5, twoSets))).containsExactly("two NO_FIT");

      ScanProgress progress = Objects.requireNonNull(twoSets.progress());
      assertThat(progress.hasPendingFlavors()).isTrue();
      assertThat(nominated(6, twoSets)).containsExactly("second=1");
    }
  }

  @Nested
  class PartialAdmission {
    private final QueueState queue = fixture.queue("queue", "c", flavor("spot", 5));

    private PodSet elastic(int count, int minCount) {
      return PodSet.builder()
          .name("main")
          .count(count)
          .minCount(minCount)
          .requestAmount("gpu", 1)
          .build();
    }

    private Head head(PodSet... podSets) {
      return fixture.head(queue, "job", 0, 0, podSets);
    }

    @Test
    void findsTheLargestSizeThatFits() {
      assertThat(nominated(1, head(elastic(8, 2)))).containsExactly("spot=5");
    }

    @Test
    void isNotTriedIfTheFullSizeFits() {
      assertThat(nominated(1, head(elastic(4, 2)))).containsExactly("spot=4");
    }

    @Test
    void isTriedIfTheFullSizeHasNoVictims() {
      fixture.use(queue, "spot", 3);

      assertThat(nominated(1, head(elastic(4, 1)))).containsExactly("spot=2");
    }

    @Test
    void isNotTriedIfSwitchedOff() {
      fixture.set(FeatureGate.PARTIAL_ADMISSION, false);

      assertThat(outcomes(fixture.run(1, head(elastic(8, 2))))).containsExactly("job NO_FIT");
    }

    @Test
    void doesNotShrinkWhatCannotShrink() {
      assertThat(outcomes(fixture.run(1, head(gpus("main", 8))))).containsExactly("job NO_FIT");
      assertThat(outcomes(fixture.run(1, head(elastic(8, 8))))).containsExactly("job NO_FIT");
    }

    @Test
    void leavesTheFullSizeIfNotEvenTheMinimumFits() {
      fixture.use(queue, "spot", 4);

      assertThat(nominated(1, head(elastic(4, 2)))).containsExactly("spot=4");
    }

    @Test
    void tellsHowManyPodsAreAdmitted() {
      assertThat(fixture.run(1, head(elastic(8, 2))).values())
          .singleElement()
          .satisfies(attempt -> {
            assertThat(attempt.isAdmitted()).isTrue();
            Assignment assignment = Objects.requireNonNull(attempt.assignment());
            assertThat(assignment.podSets().get(0).count()).isEqualTo(5);
          });
    }

    @Test
    void startsEveryTrialWhereTheLastNominationEnded() {
      QueueState two = fixture.queue("two", "d", flavor("first", 9), flavor("second", 5));
      Head head = fixture.head(two, "job", 0, 0, elastic(8, 2));
      assertThat(nominated(1, head)).containsExactly("first=8");

      assertThat(nominated(2, head)).containsExactly("second=5");
    }
  }
}
