package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.ElasticJobs.pods;
import static io.kueue4j.core.Queues.cores;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Pod sets without pods by the version of Kueue; rules M-25 and F-35. */
class EmptyPodSetVersionTest {
  /** {@return a cluster with a queue of these cores of the flavors first and second} */
  private static Cluster cluster(KueueVersion version, int first, int second) {
    return new Cluster(Settings.builder().kueueVersion(version).build())
        .with(ResourceFlavor.of("first"), ResourceFlavor.of("second"))
        .with(Queues.openQueue("q")
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of("first", cores(first)), FlavorQuotas.of("second", cores(second)))));
  }

  private static String flavor(Cluster cluster, PodSet... podSets) {
    cluster.run(cluster.jobOf("w", "q", workload -> workload.elastic(true).addPodSets(podSets)));
    return flavor(cluster, podSets.length - 1);
  }

  private static String flavor(Cluster cluster, int podSet) {
    return cluster
        .engine
        .admission(id("w"))
        .orElseThrow()
        .podSetAssignments()
        .get(podSet)
        .flavors()
        .getOrDefault("cpu", "none");
  }

  @ParameterizedTest
  @CsvSource({"V0_19, first", "V0_19_7, second", "V0_20, second"})
  void theyPreferAFlavorWithRoomForOnePod(KueueVersion version, String flavor) {
    assertThat(flavor(cluster(version, 0, 4), pods("main", 0))).isEqualTo(flavor);
  }

  @ParameterizedTest
  @EnumSource
  void roomInUseIsRoom(KueueVersion version) {
    Cluster cluster = cluster(version, 1, 4).run("other", "q", 1);
    assertThat(flavor(cluster, pods("main", 0))).isEqualTo("first");
  }

  @ParameterizedTest
  @EnumSource
  void withoutRoomAnywhereTheyAreAdmittedStill(KueueVersion version) {
    assertThat(flavor(cluster(version, 0, 0), pods("main", 0))).isEqualTo("first");
  }

  /** The first flavor has room for the head only. */
  @ParameterizedTest
  @CsvSource({"V0_19, first", "V0_19_7, second", "V0_20, second"})
  void earlierPodSetsTakeRoom(KueueVersion version, String flavor) {
    assertThat(flavor(cluster(version, 1, 4), pods("head", 1), pods("workers", 0)))
        .isEqualTo(flavor);
  }

  @ParameterizedTest
  @EnumSource
  void podsThatExistDecideForTheirGroup(KueueVersion version) {
    PodSet head = PodSet.builder().from(pods("head", 1)).group("g").build();
    PodSet workers = PodSet.builder().from(pods("workers", 0)).group("g").build();
    assertThat(flavor(cluster(version, 1, 4), head, workers)).isEqualTo("first");
  }

  @Test
  void scaledUpTheyRunWhereTheyHaveRoom() {
    Cluster cluster = cluster(KueueVersion.V0_20, 0, 4);
    assertThat(flavor(cluster, pods("main", 0))).isEqualTo("second");
    Workload grown = cluster.jobOf(
        "grown",
        "q",
        workload -> workload.elastic(true).replaces(id("w")).addPodSets(pods("main", 2)));
    assertThat(cluster.engine.tryAdmit(grown).result().isAdmitted()).isTrue();
  }

  private static Workload workers(Cluster cluster, int count) {
    PodSet pods = PodSet.builder().from(pods("main", count)).minCount(0).build();
    return cluster.jobOf("w", "q", workload -> workload.addPodSets(pods));
  }

  @ParameterizedTest
  @CsvSource({"V0_19, false", "V0_19_7, false", "V0_20, true"})
  void aMinimumCountMayBeZero(KueueVersion version, boolean isValid) {
    Cluster cluster = cluster(version, 2, 0);
    AdmissionResult result = cluster.engine.tryAdmit(workers(cluster, 3)).result();
    assertThat(result.isAdmitted()).isEqualTo(isValid);
    if (isValid) {
      assertThat(cluster.workload("w").admission().podSetAssignments().get(0).count())
          .isEqualTo(2);
    } else {
      assertThat(result.toString()).contains("minCount: 0; expected 1 to the count of 3");
    }
  }

  @Test
  void aWorkloadMayBeAdmittedWithoutPods() {
    Cluster cluster = cluster(KueueVersion.V0_20, 2, 0).run("other", "q", 2);
    assertThat(cluster.engine.tryAdmit(workers(cluster, 3)).result().isAdmitted())
        .isTrue();
    assertThat(cluster.workload("w").admission().podSetAssignments().get(0).count())
        .isZero();
  }

  @Test
  void noPodsMayHaveAMinimumCountOfZero() {
    Cluster cluster = cluster(KueueVersion.V0_20, 2, 0);
    assertThat(cluster.engine.tryAdmit(workers(cluster, 0)).result().isAdmitted())
        .isTrue();
  }
}
