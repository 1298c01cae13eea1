package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.decision.Settings.FillerOrder;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackfillChoiceTest {
  private static final Backfill BEFORE = new Backfill(
      3, FillerOrder.SHORTEST_FIRST, Duration.ofDays(1), Optional.of(Duration.ofHours(1)));

  private static BackfillChoice choice(
      @Nullable Integer depth, BackfillChoice.@Nullable Order order, @Nullable Duration after) {
    return new BackfillChoice(
        Optional.ofNullable(depth), Optional.ofNullable(order), Optional.ofNullable(after));
  }

  @Test
  void whatIsNotChosenStaysAsItWas() {
    assertThat(choice(1, null, null).apply(Optional.of(BEFORE)))
        .contains(new Backfill(
            1, BEFORE.fillerOrder(), BEFORE.horizon(), Optional.of(Duration.ofHours(1))));
    assertThat(choice(null, BackfillChoice.Order.QUEUE, null).apply(Optional.of(BEFORE)))
        .contains(new Backfill(
            3, FillerOrder.QUEUE_ORDER, BEFORE.horizon(), Optional.of(Duration.ofHours(1))));
    assertThat(choice(null, null, Duration.ofHours(2)).apply(Optional.of(BEFORE)))
        .contains(new Backfill(
            3, BEFORE.fillerOrder(), BEFORE.horizon(), Optional.of(Duration.ofHours(2))));
    assertThat(BackfillChoice.none().apply(Optional.of(BEFORE))).contains(BEFORE);
  }

  @Test
  void withoutADepthNothingElseCanBeChosen() {
    assertThat(choice(null, null, Duration.ofHours(2)).lacksDepth(Optional.empty()))
        .isTrue();
    assertThat(choice(null, null, Duration.ofHours(2)).lacksDepth(Optional.of(BEFORE)))
        .isFalse();
    assertThat(choice(1, null, null).lacksDepth(Optional.empty())).isFalse();
    assertThat(BackfillChoice.none().lacksDepth(Optional.empty())).isFalse();
  }
}
