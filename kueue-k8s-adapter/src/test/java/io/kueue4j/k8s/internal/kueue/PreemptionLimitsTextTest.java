package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionLimits.ReclaimBackoff;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.ManifestException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreemptionLimitsTextTest {
  private static ClusterQueue queue(String annotations) {
    Manifests manifests = ManifestReader.create()
        .read(ManifestSource.of(
            "test.yaml",
            "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"
                + "metadata:\n  name: x\n  annotations: {" + annotations + "}\n"));
    assertThat(manifests.notes()).isEmpty();
    return (ClusterQueue) manifests.configObjects().get(0);
  }

  @Test
  void readsTheAnnotationsOfAClusterQueue() {
    ClusterQueue queue = queue("""
        kueue4j.io/min-run-times: "InCohortFairSharing=PT1H, InClusterQueue=PT10M",
        kueue4j.io/preemption-rates: "PreemptedWorkload=2/P1D,PreemptingClusterQueue=10/PT1H",
        kueue4j.io/reclaim-backoff: "base=PT1M, max=PT1H, reset=PT10M",
        kueue4j.io/victim-cost: "restart=PT5M, repeat=PT30M, nvidia.com/gpu=1"
        """);

    assertThat(queue.preemptionLimits())
        .contains(PreemptionLimits.builder()
            .putMinRunTimes(PreemptionReason.IN_COHORT_FAIR_SHARING, Duration.ofHours(1))
            .putMinRunTimes(PreemptionReason.IN_CLUSTER_QUEUE, Duration.ofMinutes(10))
            .addRates(
                new Rate(RateScope.PREEMPTED_WORKLOAD, 2, Duration.ofDays(1)),
                new Rate(RateScope.PREEMPTING_CLUSTER_QUEUE, 10, Duration.ofHours(1)))
            .reclaimBackoff(new ReclaimBackoff(
                Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofMinutes(10)))
            .victimCost(new VictimCost(
                ImmutableSortedMap.of("nvidia.com/gpu", 1.0),
                Duration.ofMinutes(5),
                Duration.ofMinutes(30)))
            .build());
  }

  @Test
  void withoutThemTheSettingsCountAndEmptyOnesLimitNothing() {
    assertThat(queue("a: b").preemptionLimits()).isEmpty();
    for (String limit :
        List.of("min-run-times", "preemption-rates", "reclaim-backoff", "victim-cost")) {
      assertThat(queue("kueue4j.io/" + limit + ": ''").preemptionLimits())
          .contains(PreemptionLimits.none());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      min-run-times    | PT1H                       | 'PT1H'; expected NAME=VALUE
      min-run-times    | InCohortFairSharing=1h     | '1h'; expected a duration of 0 or more as PT10M or P1D
      min-run-times    | InClusterQueue=PT-1S       | 'PT-1S'; expected a duration of 0 or more
      min-run-times    | Fair=PT1H                  | 'Fair'; expected one of [InClusterQueue, InCohortReclamation, InCohortFairSharing, InCohortReclaimWhileBorrowing] as in InCohortFairSharing=PT1H
      preemption-rates | PreemptedWorkload=2        | 'PreemptedWorkload=2'; expected SCOPE=LIMIT/WINDOW as PreemptedWorkload=2/P1D
      preemption-rates | PreemptedWorkload=x/P1D    | 'PreemptedWorkload=x/P1D'; expected SCOPE=LIMIT/WINDOW as PreemptedWorkload=2/P1D
      preemption-rates | PreemptedWorkload=0/P1D    | the limit of preemptions of scope PreemptedWorkload is 0; expected 1 to 1000
      victim-cost      | cpu=much                   | 'much'; expected the weight of cpu as a number, as in nvidia.com/gpu=1
      victim-cost      | repeat=2                   | '2'; expected a duration of 0 or more as PT10M or P1D
      victim-cost      | repeat=PT-1S               | the repeat of the cost of victims is PT-1S; expected 0 or more
      victim-cost      | cpu=-1                     | the weight of resource cpu is -1.0; expected 0 or more
      reclaim-backoff  | base=PT1M                  | 'base=PT1M'; expected base, max and reset as base=PT1M, max=PT1H, reset=PT10M
      """, quoteCharacter = '"')
  void namesWhatIsWrong(String annotation, String text, String problem) {
    assertThatThrownBy(() -> queue("kueue4j.io/" + annotation + ": \"" + text + "\""))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("metadata.annotations[kueue4j.io/" + annotation + "]")
        .hasMessageEndingWith(": " + problem);
  }
}
