package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.lending;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Trial changes of usage, and what a rollback restores. */
class QuotaTreeTrialsTest {
  private final GpuForest gpus = new GpuForest();

  private final QueueQuota a = gpus.queue("a", "c", lending(5, 2));
  private final QueueQuota b = gpus.queue("b", "c", quota(3));

  @Test
  void rollbackRestoresEveryNumber() {
    gpus.use(a, 4);
    int start = a.tree().checkpoint();
    gpus.use(a, 4);
    gpus.use(b, 2);
    gpus.release(a, 7);

    a.tree().rollback(start);

    assertThat(gpus.usage(a)).isEqualTo(4);
    assertThat(gpus.usage(b)).isZero();
    assertThat(gpus.cohortUsage(a)).isEqualTo(1);
  }

  @Test
  void innerRollbackKeepsTheOuterTrial() {
    int outer = a.tree().checkpoint();
    gpus.use(a, 4);
    int inner = a.tree().checkpoint();
    gpus.use(a, 1);

    a.tree().rollback(inner);

    assertThat(gpus.usage(a)).isEqualTo(4);
    assertThat(a.tree().isInTrial()).isTrue();
    a.tree().rollback(outer);
    assertThat(gpus.usage(a)).isZero();
  }

  @Test
  void changesAfterAnInnerRollbackBelongToTheOuterTrial() {
    int outer = a.tree().checkpoint();
    int inner = a.tree().checkpoint();
    gpus.use(a, 1);
    a.tree().rollback(inner);
    gpus.use(b, 2);

    a.tree().rollback(outer);

    assertThat(gpus.usage(b)).isZero();
    assertThat(a.tree().isInTrial()).isFalse();
  }

  @Test
  void changesOutsideTrialsAreLasting() {
    a.tree().rollback(a.tree().checkpoint());
    gpus.use(a, 4);

    a.tree().rollback(a.tree().checkpoint());

    assertThat(gpus.usage(a)).isEqualTo(4);
  }

  @Test
  void longTrialsAreRestoredToo() {
    int start = a.tree().checkpoint();
    for (int i = 0; i < 1000; i++) {
      gpus.use(a, i);
    }

    a.tree().rollback(start);

    assertThat(gpus.usage(a)).isZero();
    assertThat(gpus.cohortUsage(a)).isZero();
  }
}
