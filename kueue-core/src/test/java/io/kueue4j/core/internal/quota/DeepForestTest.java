package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.borrowing;
import static io.kueue4j.core.internal.quota.GpuForest.lending;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Chains of cohorts c0 (the root), c1, c2 … with a queue at each end: the depth changes nothing.
 */
class DeepForestTest {
  private final GpuForest gpus = new GpuForest();

  private void chain(int cohorts) {
    for (int i = 1; i < cohorts; i++) {
      gpus.cohort("c" + i, "c" + (i - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 99, 100, 101, 400})
  void whatIsFarBelowHasWhatTheLimitsOnItsWayLeave(int cohorts) {
    chain(cohorts);
    QueueQuota top = gpus.queue("top", "c0", quota(10));
    QueueQuota bottom = gpus.queue("bottom", "c" + (cohorts - 1), lending(8, 5));

    assertThat(gpus.available(bottom)).as("3 of its own, 15 of all").isEqualTo(18);
    gpus.use(bottom, 4);
    gpus.use(top, 2);
    assertThat(gpus.available(bottom)).isEqualTo(12);
    assertThat(gpus.available(top)).isEqualTo(12);

    gpus.cohort("c1", "c0", borrowing(0, 6));
    assertThat(gpus.available(bottom)).as("5 lent and 6 borrowed, 1 taken").isEqualTo(10);
    gpus.cohort("c1", "c0", quota(0, OptionalLong.of(6), OptionalLong.of(2)));
    assertThat(gpus.available(top)).as("12 less 2, of which c1 has used none").isEqualTo(10);
    gpus.release(bottom, 4);
    assertThat(gpus.available(bottom)).isEqualTo(3 + 3 + 2 + 6);
  }

  @Test
  void debtReachesTheBottom() {
    chain(200);
    QueueQuota top = gpus.queue("top", "c0", quota(10));
    QueueQuota bottom = gpus.queue("bottom", "c199", lending(8, 5));
    gpus.use(top, 15);

    gpus.queue("top", "c0", quota(8));

    assertThat(bottom.tree().balance(bottom.node(), bottom.tree().column(gpus.pair)))
        .as("3 of its own less the debt of 2")
        .isEqualTo(1);
    assertThat(gpus.available(top)).isZero();
  }
}
