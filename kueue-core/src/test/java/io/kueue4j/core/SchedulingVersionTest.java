package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the versions of Kueue decide differently about queues, victims and checks. */
class SchedulingVersionTest {
  private static Cluster cluster(KueueVersion version) {
    return new Cluster(Settings.builder().kueueVersion(version).build());
  }

  /** Rule U-10. */
  @ParameterizedTest
  @CsvSource({"V0_19, low", "V0_19_7, high", "V0_20, high"})
  void aPreemptorThatDidNotFitIsForgotten(KueueVersion version, String first) {
    Cluster cluster = cluster(version);
    Preemption lowerPriority =
        Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.NEVER);
    cluster.with(queue("a", 5).preemption(lowerPriority));
    cluster.run("victim", "a", 5);
    cluster.submit(cluster.job("low", "a", 5, w -> w.priority(1)));
    cluster.settle();
    cluster.with(queue("a", 4).preemption(lowerPriority));
    cluster.engine.podsStopped(id("victim"));
    cluster.cycle();
    cluster.with(queue("a", 5).preemption(lowerPriority));
    cluster.submit(cluster.job("high", "a", 5, w -> w.priority(2)));

    assertThat(admitted(cluster.cycle())).containsExactly(first);
  }
}
