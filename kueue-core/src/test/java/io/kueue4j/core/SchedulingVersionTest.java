package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Hosts.RACK;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static io.kueue4j.core.Queues.checkedQueue;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.PendingCause.DEACTIVATED;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.TopologyRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
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
    Preemption lowerPriority = Preemption.builder()
        .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
        .build();
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

  /** Rule L-7. */
  @ParameterizedTest
  @CsvSource({"V0_19, true", "V0_19_7, false", "V0_20, false"})
  void aCheckRejectedWhileAWorkloadStopsDeactivatesIt(KueueVersion version, boolean isActive) {
    Cluster cluster = cluster(version);
    cluster.with(checkedQueue("budget", "nodes"));
    cluster.with(
        AdmissionCheck.of("budget", "controller"), AdmissionCheck.of("nodes", "controller"));
    cluster.submit("w", "q", 4);
    cluster.cycle();
    cluster.workload("w").check("nodes", CheckState.RETRY);
    cluster.workload("w").check("budget", CheckState.REJECTED);

    assertThat(cluster.used("q")).isEqualTo(isActive ? 4 : 0);
    cluster.engine.podsStopped(id("w"));
    assertThat(cluster.engine.explain(id("w")).cause().equals(Optional.of(DEACTIVATED)))
        .isNotEqualTo(isActive);
  }

  /** Rule U-17. */
  @ParameterizedTest
  @CsvSource({"V0_19, true", "V0_19_7, false", "V0_20, false"})
  void aNodeWakesTheQueuesOfItsFlavors(KueueVersion version, boolean wakesOthers) {
    Cluster cluster = Hosts.cluster(Settings.builder().kueueVersion(version).build(), "r1/x1:2");
    cluster.with(flavor("other", "b"));
    cluster.with(Hosts.queue("other", 1000, "other"));
    for (String queue : List.of("q", "other")) {
      cluster.submit(workload("w-" + queue, queue, pods(3, "1", TopologyRequest.required(RACK))));
    }
    cluster.cycle();
    assertThat(cluster.inadmissible("q")).containsExactly("w-q");
    assertThat(cluster.inadmissible("other")).containsExactly("w-other");

    cluster.with(Hosts.host("r1/x2:1"));
    assertThat(cluster.inadmissible("q")).isEmpty();
    assertThat(cluster.inadmissible("other").isEmpty()).isEqualTo(wakesOthers);
  }

  /** Rule U-17. */
  @Test
  void aNodeThatLeavesAFlavorWakesItsQueues() {
    Cluster cluster = Hosts.cluster(Settings.defaults(), "r1/x1:2 r2/x2:9");
    cluster.submit(workload("w", pods(12, "1", TopologyRequest.required(RACK))));
    cluster.cycle();
    assertThat(cluster.inadmissible("q")).containsExactly("w");

    cluster.with(Node.builder().name("x2").build());
    assertThat(cluster.inadmissible("q")).isEmpty();
  }

  /** Rule U-17. */
  @Test
  void aRemovedNodeWakesItsQueues() {
    Cluster cluster = Hosts.cluster(Settings.defaults(), "r1/x1:2 r2/x2:9");
    cluster.submit(workload("w", pods(12, "1", TopologyRequest.required(RACK))));
    cluster.cycle();

    cluster.engine.remove(Node.class, "x2");
    assertThat(cluster.inadmissible("q")).isEmpty();
  }

  private static ResourceFlavor flavor(String name, String pool) {
    return ResourceFlavor.builder()
        .name(name)
        .putNodeLabels("pool", pool)
        .topologyName("dc")
        .build();
  }
}
