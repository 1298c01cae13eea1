package io.kueue4j.core;

import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.group;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ResourceQuota;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the versions of Kueue make of quotas beyond 64 bits; rules N-4, Q-1, Q-2. */
class LargeAmountVersionTest {
  @ParameterizedTest
  @CsvSource({"V0_19, 0", "V0_19_7, 10", "V0_20, 10"})
  void anUnlimitedQuotaLendsUpToItsLimit(KueueVersion version, int lent) {
    Cluster cluster = new Cluster(Settings.builder().kueueVersion(version).build());
    cluster.with(
        queue("vast", "all", group(ResourceQuota.of("cpu", "1E").withLendingLimit("10"))),
        queue("b", "all", group(cores(1))));

    assertThat(
            cluster.engine.tryAdmit(cluster.job("much", "b", 2 + lent)).result().isAdmitted())
        .isFalse();
    assertThat(
            cluster.engine.tryAdmit(cluster.job("all", "b", 1 + lent)).result().isAdmitted())
        .isTrue();
    assertThat(cluster
            .engine
            .tryAdmit(cluster.job("own", "vast", 1_000_000))
            .result()
            .isAdmitted())
        .isTrue();
  }
}
