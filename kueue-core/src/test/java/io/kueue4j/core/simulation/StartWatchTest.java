package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.EvictionReason;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an estimate sees of its samples. */
class StartWatchTest {
  private final StartWatch watch = new StartWatch(2, List.of(1));

  @Test
  void aJobWaitsForWhatEndsAtTheTimeOfItsStart() {
    watch.enter();
    watch.ended(0, 5);
    watch.started(1, 5);

    assertThat(watch.triggers(1).get(0)).containsExactly(5L);
  }

  @Test
  void aJobWaitsForNothingThatEndedBefore() {
    watch.enter();
    watch.ended(0, 5);
    watch.started(1, 6);

    assertThat(watch.starts(1)).containsExactly(6L);
    assertThat(watch.triggers(1).isEmpty()).isTrue();
  }

  @Test
  void aJobWaitsForNothingOfAnEarlierSample() {
    watch.enter();
    watch.ended(0, 5);
    watch.enter();
    watch.started(1, 5);

    assertThat(watch.triggers(1).isEmpty()).isTrue();
  }

  @Test
  void loopsOfAllPartsAreReported() {
    RepeatedStop stop =
        RepeatedStop.of(new Eviction(id("a"), EvictionReason.NODE_FAILURES, Optional.empty(), ""));
    StartWatch part = new StartWatch(2, List.of(1));
    part.repeated(List.of(stop));
    watch.addAll(part);

    assertThat(watch.repeatedStops()).containsExactly(stop);
  }

  @Test
  void noMoreSamplesAreWantedOnceTheyWereRefused() {
    Estimation.SampleProgress progress = new Estimation.SampleProgress(done -> done != 2);
    progress.count();
    assertThat(progress.isWanted()).isTrue();
    progress.count();
    progress.count();
    assertThat(progress.isWanted()).isFalse();
  }
}
