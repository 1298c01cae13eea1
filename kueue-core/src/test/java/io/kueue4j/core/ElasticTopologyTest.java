package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Hosts.pods;
import static io.kueue4j.core.Hosts.workload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.Test;

/** Elastic slices whose pods are placed on hosts; rule T-88. Pods request one cpu each. */
class ElasticTopologyTest {
  private static final TopologyRequest ANYWHERE = TopologyRequest.anywhere();

  private static Settings.Builder settings() {
    return Settings.builder()
        .putFeatureGates(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES_WITH_TAS, true);
  }

  private static Cluster hosts(String hosts) {
    return Hosts.cluster(settings().build(), hosts);
  }

  private static Cluster strictHosts(String hosts) {
    return Hosts.cluster(settings().strictTopology(true).build(), hosts);
  }

  private static Workload slice(String name, PodSet.Builder... podSets) {
    return Workload.builder().from(workload(name, podSets)).elastic(true).build();
  }

  private static Workload replacing(String old, Workload workload) {
    return Workload.builder().from(workload).replaces(id(old)).build();
  }

  private static PodSet.Builder one(int count) {
    return pods(count, "1", ANYWHERE);
  }

  /** TE-24: hosts of 2. */
  @Test
  void morePodsGoBesideThoseThatRun() {
    Cluster hosts = hosts("r1/x1:2 r1/x2:2");
    assertThat(hosts.admit(slice("job-1", one(2)))).isEqualTo("x1:2");

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x1:2 x2:2");
    assertThat(hosts.workload("job-1").place()).isEqualTo("nowhere");
  }

  /** TE-24: of 3 on x1 and 2 on x2 the first 3 stay. */
  @Test
  void fewerPodsKeepTheFirstPlaces() {
    Cluster hosts = hosts("r1/x1:3 r1/x2:2");
    assertThat(hosts.admit(slice("job-1", one(5)))).isEqualTo("x1:3 x2:2");

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(3))))).isEqualTo("x1:3");
    assertThat(hosts.admit(replacing("job-2", slice("job-3", one(2))))).isEqualTo("x1:2");
    assertThat(hosts.admit(slice("other", one(3)))).isEqualTo("x1:1 x2:2");
  }

  /** The last kept domain is cut: of 3 and 2 the first 4 are 3 and 1. */
  @Test
  void theLastDomainKeptIsCut() {
    Cluster hosts = hosts("r1/x1:3 r1/x2:2");
    hosts.admit(slice("job-1", one(5)));

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x1:3 x2:1");
  }

  /** b grows by 1 where it runs, a keeps its places. */
  @Test
  void asManyPodsStayWhereTheyAre() {
    Cluster hosts = hosts("r1/x1:2 r1/x2:5");
    hosts.admit(workload("filler", one(1)));
    assertThat(hosts.workload("filler").place()).isEqualTo("x1:1");
    assertThat(hosts.admit(slice("job-1", one(2).name("a"), one(2).name("b"))))
        .isEqualTo("x2:2 + x2:2");
    hosts.engine.finish(id("filler"));

    assertThat(hosts.admit(
            replacing("job-1", slice("job-2", one(2).name("a"), one(3).name("b")))))
        .isEqualTo("x2:2 + x2:3");
  }

  /**
   * x1 has capacity for the 2 more. Kueue 0.19 counts the 2 running pods twice, once as pods of the
   * old slice, and finds no capacity.
   */
  @Test
  void podsThatRunWereCountedTwice() {
    for (KueueVersion version : KueueVersion.values()) {
      Cluster hosts = Hosts.cluster(settings().kueueVersion(version).build(), "r1/x1:4 r1/x2:8");
      hosts.admit(slice("job-1", one(2)));

      assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4)))))
          .isEqualTo(version == KueueVersion.V0_19 ? "x1:2 x2:2" : "x1:4");
    }
  }

  /** Of 4 cpus 2 are used by the old slice, which grows to 4: only another pod is in the way. */
  @Test
  void aSliceFitsWhatItHasIfNobodyElseIsThere() {
    Cluster hosts = hosts("r1/x1:4");
    hosts.admit(slice("job-1", one(2)));
    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x1:4");

    Cluster shared = hosts("r1/x1:4");
    shared.admit(slice("job-1", one(2)));
    shared.admit(workload("other", one(1)));
    assertThat(shared.admit(replacing("job-1", slice("job-2", one(4)))))
        .contains("topology \"dc\" allows to fit only 1 out of 2 pod(s)");
  }

  @Test
  void withStrictTopologyTheyAreCountedOnce() {
    Cluster hosts = strictHosts("r1/x1:4 r1/x2:8");
    hosts.admit(slice("job-1", one(2)));

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x1:4");
  }

  /** 3 of 8 run, 3 more fit; counted twice, only 2 do. */
  @Test
  void countedTwiceTheyStandInTheirOwnWay() {
    Cluster hosts = Hosts.cluster(settings().kueueVersion(KueueVersion.V0_19).build(), "r1/x1:8");
    hosts.admit(slice("job-1", one(3)));

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(6)))))
        .contains("topology \"dc\" allows to fit only 2 out of 3 pod(s)");

    Cluster strict = strictHosts("r1/x1:8");
    strict.admit(slice("job-1", one(3)));
    assertThat(strict.admit(replacing("job-1", slice("job-2", one(6))))).isEqualTo("x1:6");
    assertThat(strict.admit(workload("three", one(3)))).contains("only 2 out of 3");
    assertThat(strict.admit(workload("two", one(2)))).isEqualTo("x1:2");
  }

  @Test
  void strictTopologyDoesNotOverfillAHost() {
    Cluster strict = strictHosts("r1/x1:4 r1/x2:4");
    strict.admit(slice("job-1", one(3)));
    assertThat(strict.admit(workload("filler", one(1)))).isEqualTo("x1:1");

    assertThat(strict.admit(replacing("job-1", slice("job-2", one(5))))).isEqualTo("x1:3 x2:2");
    assertThat(strict.admit(workload("rest", one(3)))).contains("only 2 out of 3");
  }

  /**
   * a and b have one pod each on x1 and request one more: with 4 cpus both fit there, with 3 one.
   */
  @Test
  void podsAddedAreInTheWayOfThoseAddedNextOnce() {
    assertThat(grownTogether("r1/x1:4 r1/x2:9")).isEqualTo("x1:2 + x1:2");
    assertThat(grownTogether("r1/x1:3 r1/x2:9")).isEqualTo("x1:2 + x1:1 x2:1");
  }

  private static String grownTogether(String nodes) {
    Cluster hosts = strictHosts(nodes);
    hosts.admit(slice("job-1", one(1).name("a"), one(1).name("b")));
    assertThat(hosts.workload("job-1").place()).isEqualTo("x1:1 + x1:1");
    return hosts.admit(
        replacing("job-1", slice("job-2", one(2).name("a"), one(2).name("b"))));
  }

  /** The pods of the old slice become pods of the new one, so no usage of the old one remains. */
  @Test
  void nodesAreChargedForTheNewSliceOnly() {
    Cluster hosts = hosts("r1/x1:4 r1/x2:4");
    hosts.admit(slice("job-1", one(2)));
    hosts.admit(replacing("job-1", slice("job-2", one(3))));

    assertThat(hosts.workload("job-2").place()).isEqualTo("x1:3");
    assertThat(hosts.admit(workload("rest", one(6)))).contains("only 5 out of 6");
    assertThat(hosts.admit(workload("rest", one(5)))).isEqualTo("x1:1 x2:4");
    hosts.engine.finish(id("job-2"));
    hosts.engine.finish(id("rest"));
    assertThat(hosts.admit(workload("all", one(8)))).isEqualTo("x1:4 x2:4");
  }

  /** Gate off: all 4 are placed anew while the 2 running pods count: x2 fits them best. */
  @Test
  void withTheGateOffAllPodsArePlacedAnew() {
    Cluster hosts = Hosts.cluster(Settings.defaults(), "r1/x1:4 r1/x2:4");
    hosts.admit(slice("job-1", one(2)));

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x2:4");
  }

  @Test
  void whoIsNotElasticIsPlacedAnew() {
    Cluster hosts = hosts("r1/x1:4 r1/x2:4");
    hosts.admit(slice("job-1", one(2)));

    assertThat(hosts.admit(replacing("job-1", workload("job-2", one(4))))).isEqualTo("x1:4");
  }

  /** x1 was removed, so the places are stale. */
  @Test
  void stalePlacesAreForgotten() {
    Cluster hosts = hosts("r1/x1:2 r1/x2:4 r1/x3:9");
    hosts.admit(slice("job-1", one(2)));
    hosts.engine.remove(Node.class, "x1");

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x2:4");
  }

  @Test
  void oneStaleDomainIsEnough() {
    Cluster hosts = hosts("r1/x1:2 r1/x2:2 r1/x3:9");
    hosts.admit(workload("filler", one(9)));
    assertThat(hosts.admit(slice("job-1", one(4)))).isEqualTo("x1:2 x2:2");
    hosts.engine.finish(id("filler"));
    hosts.engine.remove(Node.class, "x2");

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(5))))).isEqualTo("x3:5");
  }

  @Test
  void requiredAndPreferredAreRefused() {
    Cluster hosts = hosts("r1/x1:4");
    AdmissionResult required = hosts
        .engine
        .tryAdmit(slice("required", pods(1, "1", TopologyRequest.required(Hosts.RACK))))
        .result();
    assertThat(required.toString())
        .contains("required topology is not supported with ElasticJobsViaWorkloadSlices");
    assertThat(((AdmissionResult.Pending) required).cause())
        .isEqualTo(PendingCause.TOPOLOGY_PLACEMENT_FAILED);
    assertThat(hosts.admit(slice("preferred", pods(1, "1", TopologyRequest.preferred(Hosts.RACK)))))
        .contains("preferred topology is not supported with ElasticJobsViaWorkloadSlices");
    assertThat(
            hosts.admit(workload("ordinary", pods(1, "1", TopologyRequest.required(Hosts.RACK)))))
        .isEqualTo("x1:1");
  }

  @Test
  void requiredAndPreferredAreNotRefusedWithTheGateOff() {
    Cluster hosts = Hosts.cluster(Settings.defaults(), "r1/x1:4");

    assertThat(hosts.admit(slice("required", pods(1, "1", TopologyRequest.required(Hosts.RACK)))))
        .isEqualTo("x1:1");
  }

  /** The leader requests 2, workers 3 each; the first three fill x1. */
  @Test
  void theLeaderStaysAndWorkersAreAdded() {
    Cluster hosts = hosts("r1/x1:8 r1/x2:8");
    PodSet.Builder leader = pods(1, "2", ANYWHERE).name("leader").group("g");
    PodSet.Builder workers = pods(2, "3", ANYWHERE).name("workers").group("g");
    assertThat(hosts.admit(slice("job-1", leader, workers))).isEqualTo("x1:1 + x1:2");

    assertThat(hosts.admit(replacing("job-1", slice("job-2", leader, workers.count(4)))))
        .isEqualTo("x1:1 + x1:2 x2:2");
    assertThat(hosts.admit(replacing("job-2", slice("job-3", leader, workers.count(3)))))
        .isEqualTo("x1:1 + x1:2 x2:1");
  }

  /** Only the host of low has capacity for the 2 more; only low is evicted. */
  @Test
  void othersArePreemptedForTheDifference() {
    Cluster hosts = hosts("r1/x1:2 r1/x2:2");
    hosts.admit(slice("job-1", one(2)));
    hosts.admit(workload("low", one(2)));
    Workload second = Workload.builder()
        .from(replacing("job-1", slice("job-2", one(4))))
        .priority(1)
        .build();
    hosts.engine.submit(second);

    Decisions result = hosts.engine.runCycle();
    assertThat(result.preempted())
        .singleElement()
        .satisfies(victim -> assertThat(victim.workload()).isEqualTo(id("low")));

    hosts.engine.podsStopped(id("low"));
    assertThat(hosts.engine.runCycle().admitted()).hasSize(1);
    assertThat(hosts.workload("job-2").place()).isEqualTo("x1:2 x2:2");
  }

  /**
   * After scaling down in place the admission is unchanged, and so is the usage of nodes; the next
   * slice starts with its first places.
   */
  @Test
  void scaledDownInPlaceNodesStayTakenUntilTheNextSlice() {
    Cluster hosts = hosts("r1/x1:3 r1/x2:2");
    hosts.admit(slice("job-1", one(5)));
    hosts.engine.update(slice("job-1", one(2)));
    assertThat(hosts.workload("job-1").place()).isEqualTo("x1:3 x2:2");
    assertThat(hosts.admit(workload("other", one(1)))).contains("doesn't allow to fit any");

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x1:3 x2:1");
    assertThat(hosts.admit(workload("other", one(1)))).isEqualTo("x2:1");
  }

  /** With strict quota, too, the running pods do not block the slice they belong to. */
  @Test
  void strictQuotaAsksNodesForAllPodsOnce() {
    Cluster hosts =
        Hosts.cluster(settings().strictQuota(true).strictTopology(true).build(), "r1/x1:4");
    hosts.admit(slice("job-1", one(2)));

    assertThat(hosts.admit(replacing("job-1", slice("job-2", one(4))))).isEqualTo("x1:4");
  }

  /** Two slices of two queues are nominated for the same place; the second is placed again. */
  @Test
  void aSliceIsPlacedAgainWhenItsNodesWereTakenInTheCycle() {
    Cluster hosts = hosts("r1/x1:2 r1/x2:2 r1/x3:2");
    hosts.with(Hosts.queue("other", 1000, "tas"));
    hosts.admit(slice("job-1", one(2)));
    hosts.engine.submit(workload("rival", "other", one(2)));
    hosts.engine.submit(replacing("job-1", slice("job-2", one(4))));

    Decisions result = hosts.engine.runCycle();

    assertThat(result.admitted()).hasSize(2);
    assertThat(hosts.workload("job-2").place()).startsWith("x1:2 ");
    assertThat(hosts.workload("rival").place()).isNotEqualTo("x1:2");
    assertThat(hosts.workload("job-2").place())
        .doesNotContain(hosts.workload("rival").place());
  }
}
