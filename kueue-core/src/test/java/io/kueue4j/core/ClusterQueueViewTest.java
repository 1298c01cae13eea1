package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView.HoldingWorkload;
import io.kueue4j.core.decision.ClusterQueueView.WaitingWorkload;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Holders and pending workloads in views. */
class ClusterQueueViewTest {
  private final Cluster cluster = new Cluster().with(queue("q", 10));

  private static String place(WaitingWorkload each) {
    return each.workload().name() + " " + each.priority() + " @" + each.positionInClusterQueue()
        + "/" + each.positionInLocalQueue() + (each.isActive() ? "" : " parked");
  }

  private ImmutableList<String> waiting() {
    return cluster.view("q").waiting().stream()
        .map(ClusterQueueViewTest::place)
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void quotaInUseThatIsNotDeclaredIsListedByFlavorAndResource() {
    cluster
        .with(ResourceFlavor.of("b"), ResourceFlavor.of("a"))
        .with(openQueue("r")
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of(
                    "b", ResourceQuota.of("memory", "1Gi"), ResourceQuota.of("cpu", "1")),
                FlavorQuotas.of(
                    "a", ResourceQuota.of("memory", "1Gi"), ResourceQuota.of("cpu", "1")))));
    PodSet pods = PodSet.builder().request("cpu", "1").request("memory", "1Gi").build();
    for (String name : new String[] {"first", "second"}) {
      Workload workload = cluster.jobOf(name, "r", job -> job.addPodSets(pods));
      assertThat(cluster.engine.tryAdmit(workload).result().isAdmitted()).isTrue();
    }

    cluster.with(openQueue("r").build());

    assertThat(cluster.view("r").usage())
        .extracting(usage -> usage.flavor() + " " + usage.resource())
        .containsExactly("a cpu", "a memory", "b cpu", "b memory");
  }

  @Test
  void whatIsHeldIsWhatIsChargedNow() {
    cluster.run("a", "q", 4);
    cluster.run("b", "q", 1);
    cluster.reclaim("a", "main", 1);

    List<HoldingWorkload> holders = cluster.view("q").holders();

    assertThat(holders).extracting(holder -> holder.workload().name()).containsExactly("a", "b");
    assertThat(holders.get(0).held()).containsExactly(new HeldQuota("default", "cpu", 0));
    assertThat(holders.get(0).admission().podSetAssignments().get(0).resourceUsage())
        .containsEntry("cpu", 4000L);
    assertThat(holders).allMatch(HoldingWorkload::isAdmitted);
    assertThat(holders).noneMatch(HoldingWorkload::isStopping);
    assertThat(cluster.view("q").admitted())
        .isEqualTo(holders.stream().map(HoldingWorkload::admission).toList());
  }

  @Test
  void whatIsHeldIsListedByFlavorAndResourceAlsoAfterARestart() {
    Cluster restarted = new Cluster();
    for (Cluster each : new Cluster[] {cluster, restarted}) {
      each.with(ResourceFlavor.of("b"), ResourceFlavor.of("a"));
      each.with(openQueue("r")
          .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
              "b", ResourceQuota.of("memory", "4Gi"), ResourceQuota.of("cpu", "4"))))
          .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("a", ResourceQuota.of("gpu", "4")))));
    }
    PodSet pods = PodSet.builder()
        .request("memory", "1Gi")
        .request("gpu", "1")
        .request("cpu", "1")
        .build();
    Workload workload = cluster.jobOf("w", "r", job -> job.addPodSets(pods));
    assertThat(cluster.engine.tryAdmit(workload).result().isAdmitted()).isTrue();
    restarted
        .engine
        .lifecycle()
        .restore(workload, cluster.engine.admission(workload.id()).orElseThrow());

    HoldingWorkload holder = cluster.view("r").holders().get(0);

    assertThat(holder.held())
        .extracting(held -> held.flavor() + " " + held.resource())
        .containsExactly("a gpu", "b cpu", "b memory");
    assertThat(restarted.view("r").holders()).containsExactly(holder);
  }

  @Test
  void whatMayNotRunYetAndWhatIsToStopSayIt() {
    Cluster checking = Queues.checkedCluster("budget");
    checking.submit("w", "q", 4);
    checking.cycle();
    HoldingWorkload reserved = checking.view("q").holders().get(0);
    assertThat(reserved.isAdmitted()).isFalse();

    checking.workload("w").check("budget", CheckState.READY);
    checking.stopQueue("q", StopPolicy.HOLD_AND_DRAIN);
    HoldingWorkload stopping = checking.view("q").holders().get(0);

    assertThat(stopping.isAdmitted()).isTrue();
    assertThat(stopping.isStopping()).isTrue();
    assertThat(stopping.held()).containsExactly(new HeldQuota("default", "cpu", 4000));
  }

  @Test
  void placesAreCountedInTheClusterQueueAndInEachLocalQueue() {
    LocalQueue second = LocalQueue.builder()
        .namespace("ns")
        .name("second")
        .clusterQueue("q")
        .fairSharingWeight(localQueue("q").fairSharingWeight())
        .build();
    cluster.with(second);
    cluster.submit("large", "q", 20);
    cluster.cycle();
    cluster.submit("low", "q", 1);
    cluster.submit(cluster.job("other", "q", 1, job -> job.queueName("second").priority(5)));
    cluster.submit("last", "q", 1);

    assertThat(waiting())
        .containsExactly("other 5 @0/0", "large 0 @1/0 parked", "low 0 @2/1", "last 0 @3/2");
    assertThat(cluster.view("q").waitingCount()).isEqualTo(4);
    assertThat(cluster.view("q").pending()).containsExactly(id("other"), id("low"), id("last"));
    assertThat(cluster.view("q").inadmissible()).containsExactly(id("large"));
    assertThat(cluster.view("q").toString()).contains("admitted 0, pending 3, inadmissible 1");
  }

  @Test
  void thePriorityIsThatOfTheClassWithoutTheBoost() {
    Cluster boosting = Cluster.with(FeatureGate.PRIORITY_BOOST, true).with(queue("q", 10));
    boosting.with(new WorkloadPriorityClass("high", 70));
    boosting.submit(
        boosting.job("w", "q", 1, job -> job.priorityClass("high").priority(1).priorityBoost(100)));
    boosting.submit(boosting.job("v", "q", 1, job -> job.priority(80)));

    assertThat(boosting.view("q").waiting())
        .extracting(ClusterQueueViewTest::place)
        .containsExactly("w 70 @0/0", "v 80 @1/1");
  }

  @Test
  void everyReasonOfInactivityIsGivenInOrder() {
    cluster.with(
        ResourceFlavor.builder()
            .name("racked")
            .putNodeLabels("k", "v")
            .topologyName("racks")
            .build(),
        new AdmissionCheck("asleep", "controller", false),
        openQueue("broken")
            .stopPolicy(StopPolicy.HOLD)
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of("racked", ResourceQuota.of("cpu", "1")),
                FlavorQuotas.of("missing", ResourceQuota.of("cpu", "1"))))
            .addAllAdmissionChecks(ImmutableList.of(
                new AdmissionCheckRule("asleep", ImmutableList.of()),
                new AdmissionCheckRule("absent", ImmutableList.of())))
            .build());

    assertThat(cluster.view("broken").inactivities())
        .extracting(Inactivity::reason)
        .containsExactly(
            "Stopped",
            "FlavorNotFound",
            "AdmissionCheckNotFound",
            "AdmissionCheckInactive",
            "TopologyNotFound");
    assertThat(cluster.view("broken").inactivity())
        .contains(cluster.view("broken").inactivities().get(0).toString());
    assertThat(cluster.view("q").inactivities()).isEmpty();
  }

  @Test
  void aVictimIsReportedWithItsPreemptorTheReasonAndBothPaths() {
    cluster.with(
        Cohort.builder().name("root").build(),
        Queues.cohort("team", "root"),
        cohortQueue("lender", "team"),
        cohortQueue("borrower", "root"),
        localQueue("lender"),
        localQueue("borrower"));
    cluster.run("guest", "borrower", 12);
    cluster.submit(cluster.job("owner", "lender", 10, job -> job.uid("uid-7")));
    cluster.cycle();

    String expected = "Preempted to accommodate workload ns/owner (UID: uid-7) in ClusterQueue"
        + " lender due to reclamation within the cohort; preemptor path: /root/team/lender;"
        + " preemptee path: /root/borrower";
    assertThat(cluster.engine.lifecycle().status(id("guest")).condition(ConditionType.PREEMPTED))
        .hasValueSatisfying(condition -> assertThat(condition.message()).isEqualTo(expected));
    assertThat(cluster.engine.lifecycle().status(id("guest")).condition(ConditionType.EVICTED))
        .hasValueSatisfying(condition -> assertThat(condition.message()).isEqualTo(expected));
  }

  private static ClusterQueue cohortQueue(String name, String cohort) {
    return queue(name, 10)
        .cohort(Optional.of(cohort))
        .preemption(
            Preemption.builder().reclaimWithinCohort(Preemption.Policy.ANY).build())
        .build();
  }
}
