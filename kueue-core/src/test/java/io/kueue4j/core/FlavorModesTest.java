package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mode of a workload whose resources and pod sets have different modes. */
class FlavorModesTest {
  private static final Preemption NEWER = Preemption.builder()
      .withinClusterQueue(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
      .build();

  private static PodSet.Builder podSet(String name) {
    return PodSet.builder().name(name);
  }

  /** Rules F-18, F-26, F-29, X-19: cpu fits by borrowing, pods fit when another one stops. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thePreferenceDecidesOnTheWorstResourceWhateverTheGate(boolean fungibility) {
    Cluster cluster = Cluster.with(FeatureGate.FLAVOR_FUNGIBILITY, fungibility);
    cluster.with(
        queue("lender", 6).cohort("team"),
        openQueue("a")
            .cohort("team")
            .preemption(NEWER)
            .flavorFungibility(new FlavorFungibility(
                Policy.MAY_STOP_SEARCH,
                Policy.MAY_STOP_SEARCH,
                Optional.of(Preference.PREEMPTION_OVER_BORROWING)))
            .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
                FLAVOR, ResourceQuota.of("cpu", "3"), ResourceQuota.ofAmount("pods", 2)))));
    var wide = cluster.jobOf(
        "wide", "a", w -> w.addPodSets(podSet("s").count(2).request("cpu", "4").build()));
    cluster.run("newer", "a", 0);
    cluster.submit(wide);

    Decisions cycle = cluster.engine.runCycle();

    assertThat(cycle.preempted()).isEmpty();
    assertThat(cluster.pending("a")).containsExactly("wide");
  }

  /** Rule F-29: the group needs preemption, and one of its members gets no flavor at all. */
  @Test
  void aPodSetWithoutFlavorsInAGroupKeepsItFromPreempting() {
    Cluster cluster = new Cluster();
    cluster.with(queue("a", 5).preemption(NEWER));
    var grouped = cluster.jobOf(
        "grouped",
        "a",
        w -> w.addPodSets(
            podSet("first").request("cpu", "2").build(),
            podSet("second").group("g").request("cpu", "0").build(),
            podSet("third").group("g").build()));
    var apart = cluster.jobOf(
        "apart",
        "a",
        w -> w.addPodSets(
            podSet("first").request("cpu", "2").build(), podSet("third").build()));
    cluster.run("newer", "a", 5);

    cluster.submit(grouped);
    assertThat(cluster.engine.runCycle().preempted()).isEmpty();
    assertThat(cluster.inadmissible("a")).containsExactly("grouped");

    cluster.submit(apart);
    assertThat(cluster.engine.runCycle().preempted()).hasSize(1);
  }

  /** Quirk X-9, as in Kueue: each pod set fits on the flavor where the other does not fit. */
  @Test
  void podSetsMayTakeTurnsForEverAndKeepOthersWaiting() {
    Cluster cluster = new Cluster();
    cluster.engine.apply(
        ResourceFlavor.of("first"),
        ResourceFlavor.of("second"),
        openQueue("a")
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of("first", ResourceQuota.of("cpu", "3")),
                FlavorQuotas.of("second", ResourceQuota.of("cpu", "4"))))
            .build(),
        LocalQueue.of("ns", "a", "a"));
    PodSet large = podSet("main").count(2).request("cpu", "2").build();
    cluster.submit(cluster.jobOf("running", "a", w -> w.addPodSets(large)));
    assertThat(cluster.engine.runCycle().admitted()).hasSize(1);
    cluster.submit(cluster.jobOf(
        "turning",
        "a",
        w -> w.addPodSets(
            podSet("one").request("cpu", "1").build(),
            podSet("three").count(3).request("cpu", "1").build())));
    cluster.submit(cluster.jobOf(
        "behind",
        "a",
        w -> w.addPodSets(podSet("main").count(3).request("cpu", "1").build())));

    for (int i = 0; i < 20; i++) {
      assertThat(cluster.engine.runCycle().pending())
          .extracting(pending -> pending.workload().name())
          .containsExactly("turning");
    }
    assertThat(cluster
            .engine
            .tryAdmit(cluster.jobOf(
                "small",
                "a",
                w -> w.addPodSets(podSet("main").request("cpu", "1").build())))
            .result())
        .as("out of turn")
        .isInstanceOf(AdmissionResult.Admitted.class);
  }
}
