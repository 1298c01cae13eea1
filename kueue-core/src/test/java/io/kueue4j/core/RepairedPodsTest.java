package io.kueue4j.core;

import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Workload;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workloads whose pods could not be created, for example because of a LimitRange; rule U-19. */
class RepairedPodsTest {
  @ParameterizedTest
  @EnumSource
  void aWorkloadIsTriedOnceItsPodsCanBeCreated(KueueVersion version) {
    Cluster cluster = new Cluster(Settings.builder().kueueVersion(version).build());
    cluster.with(queue("a", 5));
    Workload refused = cluster.job("w", "a", 3, w -> w.admissibilityProblems(List.of("cpu 3 > 2")));
    cluster.submit(refused);
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(admitted(cluster.cycle())).isEmpty();

    var unused = cluster.engine.update(
        Workload.builder().from(refused).admissibilityProblems(List.of()).build());

    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }
}
