package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static io.kueue4j.core.internal.preemption.PreemptionFixture.withinQueue;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Victims that turn out not to be needed are kept running. */
class FillBackTest {
  private final PreemptionFixture fixture = new PreemptionFixture();

  @Test
  void keepsAVictimThatIsNotNeeded() {
    fixture.cohorts.with(withinQueue(queue("q", "c", 6), LOWER_PRIORITY));
    fixture.running("w1", "q", 1, -2).running("w2", "q", 4, -1).running("w3", "q", 1, 5);

    assertThat(fixture.classical("q", 4, 0)).containsExactly("w2 InClusterQueue");
  }

  @Test
  void movesTheLastVictimIntoTheGap() {
    fixture.cohorts.with(withinQueue(queue("q", "c", 10), LOWER_PRIORITY));
    fixture
        .running("w0", "q", 1, -3)
        .running("w1", "q", 3, -2)
        .running("w2", "q", 3, -1)
        .running("w3", "q", 3, 5);

    assertThat(fixture.classical("q", 6, 0))
        .containsExactly("w2 InClusterQueue", "w1 InClusterQueue");
  }

  @Test
  void goesFromTheLastVictimToTheFirst() {
    fixture.cohorts.with(withinQueue(queue("q", "c", 6), LOWER_PRIORITY));
    fixture.running("w0", "q", 1, -3).running("w1", "q", 1, -2).running("w2", "q", 4, -1);

    assertThat(fixture.classical("q", 5, 0))
        .containsExactly("w0 InClusterQueue", "w2 InClusterQueue");
  }

  @Test
  void hasNoVictimsIfAllTogetherDoNotSuffice() {
    fixture.cohorts.with(withinQueue(queue("q", "c", 6), LOWER_PRIORITY));
    fixture.running("w1", "q", 2, -1).running("w2", "q", 4, 5);

    assertThat(fixture.classical("q", 3, 0)).isEmpty();
  }
}
