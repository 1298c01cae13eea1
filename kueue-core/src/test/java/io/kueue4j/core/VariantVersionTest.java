package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.ConcurrentFlavors.TRY_PREFERRED;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.InvalidConfigurationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent admission by the version of Kueue; rules CA-1 and CA-5. */
class VariantVersionTest {
  private static AdmissionEngine engine(KueueVersion version) {
    return AdmissionEngine.builder()
        .settings(ConcurrentFlavors.settings().kueueVersion(version).build())
        .build();
  }

  private static ClusterQueue queue(int flavors) {
    return ConcurrentFlavors.queue(
            TRY_PREFERRED, IntStream.range(0, flavors).mapToObj(i -> "f" + i).toList())
        .build();
  }

  @ParameterizedTest
  @CsvSource({"V0_19, 16", "V0_19_7, 16", "V0_20, 32"})
  void aQueueMayTryThisManyFlavors(KueueVersion version, int most) {
    assertThatCode(() -> engine(version).apply(queue(most))).doesNotThrowAnyException();
    assertThatThrownBy(() -> engine(version).apply(queue(most + 1)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining((most + 1) + " flavors; expected at most " + most
            + " with a concurrentAdmissionPolicy");
  }

  /**
   * {@return a cluster in which w has just lost its reservation of the best flavor by a check, and
   * waits there behind its variant of the next one}
   */
  private static Cluster retried(KueueVersion version) {
    ClusterQueue.Builder queue = ConcurrentFlavors.queue(TRY_PREFERRED)
        .preemption(ConcurrentFlavors.RECLAIM)
        .addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of())));
    Cluster cluster = ConcurrentFlavors.cluster(
            ConcurrentFlavors.settings().kueueVersion(version).build(), queue)
        .with(AdmissionCheck.of("budget", "test"))
        .fill("low", 4, "on-demand", "spot");
    cluster.submit("w", "q", 4);
    cluster.cycle();
    report(cluster, CheckState.READY);
    assertThat(cluster.workload("w").flavor()).isEqualTo("reservation");
    cluster.advanceSeconds(10);
    report(cluster, CheckState.RETRY);
    cluster.podsStopped("w");
    return cluster;
  }

  private static void report(Cluster cluster, CheckState state) {
    cluster.lifecycle.setCheck(id("w"), "reservation", AdmissionCheckState.of("budget", state));
  }

  @ParameterizedTest
  @EnumSource
  void aGateStaysClosedBeforeABetterVariantIsTried(KueueVersion version) {
    Cluster cluster = retried(version);
    assertThat(summary(cluster.cycle())).isEqualTo("pending [w AdmissionGated]");
    assertThat(cluster.workload("w").tried())
        .isEqualTo(
            version == KueueVersion.V0_19
                ? "reservation on-demand! spot"
                : "reservation on-demand spot");
  }

  @Test
  void inKueue019AWorseVariantPreempts() {
    Cluster cluster = retried(KueueVersion.V0_19);
    cluster.cycle();
    assertThat(summary(cluster.cycle())).startsWith("preempted [on-demand for w]");
  }

  @Test
  void inKueue020TheBetterVariantIsTriedFirst() {
    Cluster cluster = retried(KueueVersion.V0_20);
    cluster.cycles(3);
    assertThat(cluster.workload("w").flavor()).isEqualTo("reservation");
    assertThat(cluster.takeDecisions().preempted()).isEmpty();
  }
}
