package io.kueue4j.core;

import static io.kueue4j.core.Hosts.flavor;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.queue;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Where the versions of Kueue place pods differently. */
class PlacementVersionTest {
  private static final TopologyRequest ONE_RACK = TopologyRequest.required(Hosts.RACK);

  private static Settings settings(KueueVersion version) {
    return Settings.builder().kueueVersion(version).build();
  }

  private static Cluster cluster(KueueVersion version, String hosts) {
    return Hosts.cluster(settings(version), hosts);
  }

  /** T-23, #15447. */
  @Nested
  class Leaders {
    private final PodSet.Builder leader = pods(1, "1", ONE_RACK).name("leader").group("g");
    private final PodSet.Builder workers =
        pods(2, "1", ONE_RACK).name("workers").group("g");

    private String admit(KueueVersion version, String hosts) {
      return cluster(version, hosts).admit(workload("w", leader, workers));
    }

    @Test
    void aLeaderHasItsOwnNodeFrom020() {
      leader.putNodeSelector("kubernetes.io/hostname", "x1");
      workers.putNodeSelector("kubernetes.io/hostname", "x2");

      assertThat(admit(KueueVersion.V0_19_7, "r1/x1:1 r1/x2:3")).isEqualTo("x2:1 + x2:2");
      assertThat(admit(KueueVersion.V0_20, "r1/x1:1 r1/x2:3")).isEqualTo("x1:1 + x2:2");
    }

    @Test
    void theRackHasANodeForTheLeaderFrom020() {
      leader.putNodeSelector("kubernetes.io/hostname", "x3");

      assertThat(admit(KueueVersion.V0_19_7, "r1/x1:3 r2/x2:3 r2/x3:1")).isEqualTo("x1:1 + x1:2");
      assertThat(admit(KueueVersion.V0_20, "r1/x1:3 r2/x2:3 r2/x3:1")).isEqualTo("x3:1 + x2:2");
    }

    @Test
    void aTaintKeepsTheLeaderOutFrom020() {
      for (KueueVersion version : KueueVersion.values()) {
        Cluster cluster = cluster(version, "r1/x1:4")
            .with(Hosts.hostBuilder("r1/x1:4")
                .addTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE))
                .build());
        workers.addTolerations(Toleration.exists("spot"));
        boolean isPlaced = cluster.admit(workload("w", leader, workers)).contains("x1:2");

        assertThat(isPlaced).isEqualTo(version != KueueVersion.V0_20);
      }
    }

    @Test
    void theGateDecidesInEachVersion() {
      leader.putNodeSelector("kubernetes.io/hostname", "x1");
      workers.putNodeSelector("kubernetes.io/hostname", "x2");
      Settings off = Settings.builder()
          .putFeatureGates(FeatureGate.TAS_LEADER_POD_SET_FEASIBILITY, false)
          .build();

      assertThat(Hosts.cluster(off, "r1/x1:1 r1/x2:3").admit(workload("w", leader, workers)))
          .isEqualTo("x2:1 + x2:2");
    }
  }

  private static String twoInOneCycle(KueueVersion version) {
    Cluster cluster = cluster(version, "r1/x1:4");
    cluster.with(flavor("same")).with(queue("q2", 1000, "same"));
    cluster.engine.submit(workload("a", "q", pods(3, "1", ONE_RACK)));
    cluster.engine.submit(workload("b", "q2", pods(3, "1", ONE_RACK)));
    cluster.engine.runCycle();
    return cluster.workload("a").place() + ", " + cluster.workload("b").place();
  }

  /** T-12, #14366. */
  @Test
  void aHostOfTwoFlavorsIsGivenTwiceIn019() {
    assertThat(twoInOneCycle(KueueVersion.V0_19)).isEqualTo("x1:3, x1:3");
    assertThat(twoInOneCycle(KueueVersion.V0_19_7)).isEqualTo("x1:3, nowhere");
    assertThat(twoInOneCycle(KueueVersion.V0_20)).isEqualTo("x1:3, nowhere");
  }

  private static String afterDriverHasFinished(KueueVersion version) {
    Cluster cluster = cluster(version, "r1/x1:4");
    Workload running = workload(
        "a", pods(1, "2", ONE_RACK).name("driver"), pods(2, "1", ONE_RACK).name("workers"));
    assertThat(cluster.admit(running)).isEqualTo("x1:1 + x1:2");
    cluster.reclaim("a", "workers", 1);
    assertThat(cluster.admit(workload("b", pods(1, "1", ONE_RACK)))).contains("any of 1 pod(s)");

    cluster
        .engine
        .lifecycle()
        .setReclaimablePods(Cluster.id("a"), ImmutableSortedMap.of("driver", 1, "workers", 1));
    return cluster.admit(workload("c", pods(2, "1", ONE_RACK)));
  }

  /** L-24, #15219. */
  @Test
  void aFinishedPodSetFreesItsHostFrom0193() {
    assertThat(afterDriverHasFinished(KueueVersion.V0_19)).contains("doesn't allow to fit any");
    assertThat(afterDriverHasFinished(KueueVersion.V0_19_7)).isEqualTo("x1:2");
    assertThat(afterDriverHasFinished(KueueVersion.V0_20)).isEqualTo("x1:2");
  }

  /** T-93, #15640. */
  @Nested
  class PartialSlices {
    private final TopologyRequest pairs = slices(Topology.HOSTNAME, 2);

    private TopologyRequest slices(String level, int size) {
      return TopologyRequest.builder()
          .required(Hosts.RACK)
          .sliceTopology(level)
          .sliceSize(size)
          .build();
    }

    private String admit(KueueVersion version, String hosts, int count, TopologyRequest request) {
      return cluster(version, hosts).admit(workload("w", pods(count, "1", request)));
    }

    /** TE-21. */
    @Test
    void podsThatFillNoSliceArePlacedFrom020() {
      assertThat(admit(KueueVersion.V0_19_7, "r1/x1:10", 5, pairs)).isEqualTo("x1:4");
      assertThat(admit(KueueVersion.V0_20, "r1/x1:10", 5, pairs)).isEqualTo("x1:5");
    }

    @Test
    void withLayersTheyAreLeftOut() {
      TopologyRequest layers = TopologyRequest.builder()
          .required(Hosts.RACK)
          .addSliceConstraints(new SliceConstraint(Hosts.RACK, 4))
          .addSliceConstraints(new SliceConstraint(Topology.HOSTNAME, 2))
          .build();

      assertThat(admit(KueueVersion.V0_20, "r1/x1:10", 5, layers)).isEqualTo("x1:4");
    }

    @Test
    void theLastSliceIsInOneDomain() {
      assertThat(admit(KueueVersion.V0_20, "r1/x1:3", 3, slices(Topology.HOSTNAME, 4)))
          .isEqualTo("x1:3");
      assertThat(admit(KueueVersion.V0_20, "r1/x1:2 r1/x2:2", 3, slices(Topology.HOSTNAME, 4)))
          .contains("doesn't allow to fit any of 1 slice(s)");
      assertThat(admit(KueueVersion.V0_20, "r1/x1:2 r1/x2:2", 5, pairs))
          .contains("allows to fit only 2 out of 3 slice(s)");
    }

    @Test
    void theRackHasRoomForTheLastSliceToo() {
      String hosts = "r1/x1:2 r1/x2:2 r2/x3:2 r2/x4:2 r2/x5:1";

      assertThat(admit(KueueVersion.V0_19_7, hosts, 5, pairs)).isEqualTo("x1:2 x2:2");
      assertThat(admit(KueueVersion.V0_20, hosts, 5, pairs)).isEqualTo("x3:2 x4:2 x5:1");
    }

    /** Pods are numbered in the order of the domains. */
    @Test
    void theDomainOfTheLastSliceIsListedLast() {
      assertThat(admit(KueueVersion.V0_20, "r1/x1:1 r1/x2:2 r1/x3:2", 5, pairs))
          .isEqualTo("x2:2 x3:2 x1:1");
    }

    @Test
    void itIsBesideWholeSlicesWhereItFits() {
      assertThat(admit(KueueVersion.V0_20, "r1/x1:3 r1/x2:2 r1/x3:1", 5, pairs))
          .isEqualTo("x2:2 x1:3");
    }

    @Test
    void theLeaderLeavesRoomForIt() {
      PodSet.Builder leader = pods(1, "1", ONE_RACK).name("leader").group("g");
      PodSet.Builder workers = pods(3, "1", pairs).name("workers").group("g");

      assertThat(cluster(KueueVersion.V0_20, "r1/x1:2 r1/x2:1 r1/x3:1")
              .admit(workload("w", leader, workers)))
          .isEqualTo("x2:1 + x1:2 x3:1");
    }
  }
}
