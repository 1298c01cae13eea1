package io.kueue4j.core.internal.attempt;

import static io.kueue4j.core.internal.attempt.FlavorFit.FIT;
import static io.kueue4j.core.internal.attempt.FlavorFit.NO_CANDIDATES;
import static io.kueue4j.core.internal.attempt.FlavorFit.NO_FIT;
import static io.kueue4j.core.internal.attempt.FlavorFit.PREEMPT;
import static io.kueue4j.core.internal.attempt.FlavorFit.RECLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlavorFitTest {
  private static int fit(int mode, int level) {
    return FlavorFit.of(mode, level);
  }

  private static void assertBestFirst(boolean preemptionOverBorrowing, List<Integer> fits) {
    for (int i = 0; i < fits.size(); i++) {
      for (int j = 0; j < fits.size(); j++) {
        assertThat(FlavorFit.isBetter(fits.get(i), fits.get(j), preemptionOverBorrowing))
            .as("number %d is better than number %d", i, j)
            .isEqualTo(i < j);
      }
    }
  }

  @Test
  void modeCountsBeforeLevelWithBorrowingOverPreemption() {
    assertBestFirst(
        false,
        List.of(
            fit(FIT, 0),
            fit(FIT, 1),
            fit(FIT, 2),
            fit(RECLAIM, 0),
            fit(RECLAIM, 3),
            fit(PREEMPT, 0),
            fit(PREEMPT, 1),
            fit(NO_CANDIDATES, 0),
            fit(NO_CANDIDATES, 1),
            fit(NO_FIT, 0)));
  }

  @Test
  void levelCountsBeforeModeWithPreemptionOverBorrowing() {
    assertBestFirst(
        true,
        List.of(
            fit(FIT, 0),
            fit(RECLAIM, 0),
            fit(PREEMPT, 0),
            fit(FIT, 1),
            fit(RECLAIM, 1),
            fit(PREEMPT, 1),
            fit(FIT, 2),
            fit(NO_CANDIDATES, 0),
            fit(NO_CANDIDATES, 1),
            fit(NO_FIT, 0)));
  }

  @Test
  void modeAndLevelAreKept() {
    assertThat(FlavorFit.mode(fit(RECLAIM, 17))).isEqualTo(RECLAIM);
    assertThat(FlavorFit.level(fit(RECLAIM, 17))).isEqualTo(17);
    assertThat(FlavorFit.level(fit(NO_FIT, 17))).isEqualTo(17);
  }
}
