package io.kueue4j.core.internal.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the preemption of a workload costs (PL-5). */
class VictimCostTest {
  private static final Duration RESTART = Duration.ofMinutes(1);
  private static final Duration REPEAT = Duration.ofMinutes(10);

  private final CompiledQueues compiled = new CompiledQueues();

  /** {@return the cost at 100 s of a workload with two cores and three GPUs since 75 s} */
  private double cost(Map<String, Double> weights, boolean isEvicted, Duration interval) {
    Workload workload = Workload.builder()
        .namespace("ns")
        .name("job")
        .queueName("q")
        .checkpointInterval(interval)
        .addPodSets(PodSet.builder().build())
        .build();
    FlavorResource[] pairs = {compiled.pair("a", "cpu"), compiled.pair("a", "gpu")};
    QuotaHolder holder = new QuotaHolder(
        compiled.compile(workload, 0),
        "q",
        pairs,
        new long[] {2000, 3},
        75_000,
        0,
        isEvicted,
        Footprint.NONE);
    VictimCost rates = new VictimCost(ImmutableSortedMap.copyOf(weights), RESTART, REPEAT);
    return new CheapestVictims(rates, 100_000, id -> 2).cost(holder);
  }

  @Test
  void lostTimeRestartAndRepeatsCost() {
    assertThat(cost(Map.of(), false, Duration.ofHours(1))).isEqualTo(25 + 60 + 2 * 600);
    assertThat(cost(Map.of(), false, Duration.ofSeconds(10))).isEqualTo(5 + 60 + 2 * 600);
    assertThat(cost(Map.of(), false, Duration.ofSeconds(25))).isEqualTo(60 + 2 * 600);
  }

  @Test
  void weightsAreOfCoresAndUnits() {
    assertThat(cost(Map.of("cpu", 1.0, "gpu", 10.0), false, Duration.ofSeconds(25)))
        .isEqualTo((60 + 2 * 600) * (2 + 30));
    assertThat(cost(Map.of("disk", 1.0), false, Duration.ofSeconds(25))).isZero();
  }

  @Test
  void anEvictedWorkloadCostsNothing() {
    assertThat(cost(Map.of(), true, Duration.ofHours(1))).isZero();
  }
}
