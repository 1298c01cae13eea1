package io.kueue4j.core;

import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.cohort;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.tpu.TpuPool;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Applying configuration; rules M-2, M-12, M-15, M-17 and M-20. */
class ConfigurationTest {
  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  private List<Violation> violations(ConfigObject... objects) {
    try {
      engine.apply(objects);
    } catch (InvalidConfigurationException invalid) {
      return invalid.violations();
    }
    return ImmutableList.of();
  }

  private static ClusterQueue invalidQueue(String name) {
    return queue(name, 1).fairSharingWeight(-1).build();
  }

  @Test
  void oneViolationKeepsTheWholeBatchOut() {
    cluster.with(queue("a", 10));
    assertThat(violations(
            queue("a", 20).build(),
            queue("b", 5).build(),
            ResourceFlavor.of("new"),
            localQueue("b"),
            invalidQueue("bad")))
        .hasSize(1);

    assertThat(engine.view().clusterQueues())
        .extracting(ClusterQueueView::name)
        .containsExactly("a");
    assertThat(cluster.available("a")).isEqualTo(10);
    assertThat(EngineCalls.remove(engine, ResourceFlavor.class, "new")).isFalse();
    assertThat(EngineCalls.remove(engine, LocalQueue.class, NAMESPACE + "/b")).isFalse();
  }

  @Test
  void theViolationsOfAllObjectsAreListedTogether() {
    assertThat(violations(
            invalidQueue("x"), invalidQueue("y"), cohort("c", "c"), ResourceFlavor.of("")))
        .extracting(Violation::object)
        .containsExactlyInAnyOrder(
            "ClusterQueue x", "ClusterQueue y", "Cohort c", "ResourceFlavor ");
  }

  @Test
  void anObjectMayBeGivenOnceInACall() {
    assertThat(violations(queue("a", 1).build(), queue("a", 2).build()))
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.object()).isEqualTo("ClusterQueue a");
          assertThat(violation.problem()).contains("twice");
        });
    assertThat(engine.view().clusterQueues()).isEmpty();
  }

  @Test
  void objectsOfDifferentKindsMayShareAName() {
    assertThat(violations(
            queue("same", 1).build(), Cohort.builder().name("same").build(), localQueue("same")))
        .isEmpty();
  }

  @Test
  void aLaterObjectReplacesAnEarlierOne() {
    cluster.with(queue("a", 10));
    cluster.with(queue("a", 20));
    assertThat(cluster.available("a")).isEqualTo(20);
  }

  @Test
  void theOrderWithinACallDoesNotMatter() {
    cluster.with(
        localQueue("late"),
        openQueue("late")
            .cohort("team")
            .addResourceGroups(
                ResourceGroup.of(FlavorQuotas.of("last", ResourceQuota.of("cpu", "1"))))
            .build(),
        Cohort.builder().name("team").build(),
        ResourceFlavor.of("last"));
    assertThat(cluster.view("late").isActive()).isTrue();
  }

  // ----- cycles of cohorts

  @Test
  void aCohortCannotBeItsOwnParent() {
    assertThat(violations(cohort("a", "a"))).extracting(Violation::field).containsExactly("parent");
  }

  @Test
  void aCycleWithinOneCallIsOneViolation() {
    assertThat(violations(cohort("c", "a"), cohort("b", "c"), cohort("a", "b")))
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.object()).isEqualTo("Cohort a");
          assertThat(violation.problem()).contains("a -> b -> c -> a;");
        });
  }

  @ParameterizedTest
  @CsvSource({"19, c118 -> c100;", "20, c119 -> ... (20 cohorts);"})
  void onlyALongCycleIsAbbreviated(int cohorts, String end) {
    ConfigObject[] cycle = new ConfigObject[cohorts];
    Arrays.setAll(cycle, i -> cohort("c" + (100 + i), "c" + (100 + (i + 1) % cohorts)));

    assertThat(violations(cycle))
        .singleElement()
        .satisfies(violation -> assertThat(violation.problem()).contains(end));
  }

  @Test
  void eachOfTwoCyclesIsAViolation() {
    assertThat(violations(
            cohort("a", "b"),
            cohort("b", "a"),
            cohort("c", "d"),
            cohort("d", "c"),
            cohort("e", "e")))
        .extracting(Violation::object)
        .containsExactly("Cohort a", "Cohort c", "Cohort e");
  }

  @Test
  void aCycleIsReportedOfACohortThatWouldBeChanged() {
    cluster.with(cohort("a", "b"), cohort("b", "c"));
    assertThat(violations(cohort("c", "a"))).singleElement().satisfies(violation -> {
      assertThat(violation.object()).isEqualTo("Cohort c");
      assertThat(violation.problem()).contains("c -> a -> b -> c;");
    });
  }

  @Test
  void aCycleOverTwoCallsIsRefusedAndTheOldTreeStays() {
    cluster.with(queue("a", 4).cohort("low"), queue("b", 6).cohort("high"));
    cluster.with(cohort("low", "high"));
    assertThat(violations(cohort("high", "low")))
        .singleElement()
        .satisfies(violation -> assertThat(violation.problem()).contains("high -> low -> high"));
    assertThat(cluster.available("a")).isEqualTo(10);
    cluster.run("w", "a", 10);
    assertThat(cluster.available("b")).isZero();
  }

  @Test
  void aParentMayBeTurnedRoundInOneCall() {
    cluster.with(cohort("a", "b"));
    assertThat(violations(cohort("b", "a"), Cohort.builder().name("a").build())).isEmpty();
  }

  @Test
  void aCycleNamesItselfOnlyAndNotWhatHangsBelowIt() {
    assertThat(violations(cohort("leaf", "a"), cohort("a", "b"), cohort("b", "a")))
        .extracting(Violation::object)
        .containsExactly("Cohort a");
  }

  // ----- implicit cohorts

  @Test
  void queuesShareACohortThatWasNeverApplied() {
    cluster.with(queue("a", 4).cohort("team"), queue("b", 6).cohort("team"));
    assertThat(cluster.available("a")).isEqualTo(10);
  }

  @Test
  void quotaOfAParentThatIsOnlyNamedIsNone() {
    cluster.with(queue("a", 1).cohort("team"));
    cluster.with(cohort("team", "root"));
    assertThat(cluster.available("a")).isEqualTo(1);
    cluster.with(Cohort.builder()
        .name("root")
        .addResourceGroups(Queues.group(Queues.cores(8)))
        .build());
    assertThat(cluster.available("a")).isEqualTo(9);
  }

  // ----- topology, activity

  @Test
  void theTopologyOfAFlavorCanBeSetLaterButNotChangedOrRemoved() {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name("f").putNodeLabels("k", "v");
    ResourceFlavor without = flavor.build();
    ResourceFlavor racks = flavor.topologyName("racks").build();
    ResourceFlavor blocks = flavor.topologyName("blocks").build();
    assertThat(violations(without)).isEmpty();
    assertThat(violations(racks)).isEmpty();
    assertThat(violations(blocks)).extracting(Violation::field).containsExactly("topologyName");
    assertThat(violations(without)).extracting(Violation::field).containsExactly("topologyName");
    assertThat(violations(racks)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "rack, block, false",
    "rack, kubernetes.io/hostname, false",
    "kubernetes.io/hostname, rack, false",
    "kubernetes.io/hostname, kubernetes.io/hostname, true",
  })
  void levelsChangeOnlyAboveHosts(String last, String changedLast, boolean may) {
    cluster.with(Topology.of("dc", "zone", last));

    assertThat(violations(Topology.of("dc", "building", changedLast)).isEmpty()).isEqualTo(may);
  }

  @Test
  void aNodeIsInOnePoolSet() {
    TpuPool pool = TpuSlices.pod("pod", "2x2").withNodes(ImmutableList.of("n"));
    cluster.with(TpuPoolSet.of("a", pool));

    assertThat(violations(TpuPoolSet.of("a", pool))).isEmpty();
    assertThat(violations(TpuPoolSet.of("b", pool)))
        .extracting(Violation::toString)
        .containsExactly("TpuPoolSet b: fleet: node \"n\" is in TpuPoolSet a, too; keep one");

    TpuPool twice = TpuSlices.pod("pod", "2x4").withNodes(ImmutableList.of("m", "m"));
    assertThat(violations(TpuPoolSet.of("b", twice)))
        .extracting(Violation::problem)
        .containsExactly("node \"m\" is named twice; keep one");
  }

  private String inactivity(ClusterQueue queue) {
    cluster.with(queue, localQueue(queue.name()));
    assertThat(cluster.view(queue.name()).isActive()).isFalse();
    assertThat(cluster.view(queue.name()).inactivity().orElseThrow()).contains(queue.name());
    AdmissionResult result = engine.tryAdmit(cluster.job("w", queue.name(), 0)).result();
    return result.match(
        admitted -> "admitted",
        reserved -> "reserved",
        preempting -> "preempting",
        pending -> pending.reasons().toString(),
        rejected -> "rejected");
  }

  @Test
  void theFirstCauseOfInactivityIsGivenInTheOrderOfTheRule() {
    cluster.with(ResourceFlavor.builder()
        .name("racked")
        .putNodeLabels("k", "v")
        .topologyName("racks")
        .build());
    ClusterQueue.Builder queue = openQueue("a")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("racked", ResourceQuota.of("cpu", "1"))));
    assertThat(inactivity(queue.build())).contains("TopologyNotFound");
    queue.addAllAdmissionChecks(
        ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of())));
    assertThat(inactivity(queue.build())).contains("AdmissionCheckNotFound");
    queue.addResourceGroups(
        ResourceGroup.of(FlavorQuotas.of("missing", ResourceQuota.of("gpu", "1"))));
    assertThat(inactivity(queue.build())).contains("FlavorNotFound").contains("missing");
    queue.stopPolicy(StopPolicy.HOLD_AND_DRAIN);
    assertThat(inactivity(queue.build())).contains("Stopped");
  }

  @Test
  void aQueueBecomesActiveWhenItsFlavorArrives() {
    cluster.with(openQueue("a")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("late", ResourceQuota.of("cpu", "5")))));
    cluster.submit("w", "a", 5);
    assertThat(admitted(cluster.cycle())).isEmpty();
    cluster.with(ResourceFlavor.of("late"));
    assertThat(cluster.view("a").isActive()).isTrue();
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void aHeldQueueAdmitsNothingKeepsWhatRunsAndLendsItsQuota() {
    cluster.with(queue("a", 4).cohort("team"), queue("b", 6).cohort("team"));
    cluster.run("running", "a", 1);
    cluster.submit("w", "a", 1);
    cluster.with(queue("a", 4).cohort("team").stopPolicy(StopPolicy.HOLD).build());
    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(engine.tryAdmit(cluster.job("now", "a", 1)).result().isAdmitted())
        .isFalse();
    assertThat(cluster.workload("running").holdsQuota()).isTrue();
    assertThat(cluster.available("b")).isEqualTo(9);
    cluster.with(queue("a", 4).cohort("team").build());
    assertThat(admitted(cluster.cycle())).containsExactly("w");
  }

  @Test
  void aStoppedLocalQueueHoldsItsOwnWorkloadsOnly() {
    cluster.with(queue("a", 10));
    cluster.with(LocalQueue.of(NAMESPACE, "door", "a"));
    cluster.submit("held", "a", 1);
    cluster.submit("free", "door", 1);
    cluster.with(Queues.localQueue("a", StopPolicy.HOLD));
    assertThat(cluster.pending("a")).containsExactly("free");
    assertThat(cluster.settle()).containsExactly("free");
    cluster.with(localQueue("a"));
    assertThat(admitted(cluster.cycle())).containsExactly("held");
  }

  @Test
  void aLocalQueueThatLeadsElsewhereTakesPendingOnesAlong() {
    cluster.with(queue("a", 10), queue("b", 10));
    cluster.run("running", "a", 1);
    cluster.submit("w", "a", 1);
    cluster.with(LocalQueue.of(NAMESPACE, "a", "b"));
    assertThat(cluster.pending("a")).isEmpty();
    assertThat(cluster.pending("b")).containsExactly("w");
    assertThat(cluster.used("a")).isEqualTo(1);
  }

  @Test
  void theValueOfAPriorityClassIsThePriorityOfPendingWorkloads() {
    cluster.with(queue("a", 10));
    cluster.submit(cluster.job("own", "a", 1, w -> w.priority(5)));
    cluster.submit(cluster.job("classy", "a", 1, w -> w.priority(9).priorityClass("class")));
    assertThat(cluster.pending("a")).containsExactly("classy", "own");
    cluster.with(new WorkloadPriorityClass("class", 1));
    assertThat(cluster.pending("a")).containsExactly("own", "classy");
    cluster.with(new WorkloadPriorityClass("class", 6));
    assertThat(cluster.pending("a")).containsExactly("classy", "own");
    cluster.with(new WorkloadPriorityClass("class", 1));
    assertThat(EngineCalls.remove(engine, WorkloadPriorityClass.class, "class")).isTrue();
    assertThat(cluster.pending("a")).containsExactly("classy", "own");
  }

  @Test
  void anInvalidConfigurationIsAnIllegalArgument() {
    assertThatExceptionOfType(InvalidConfigurationException.class)
        .isThrownBy(() -> engine.apply(invalidQueue("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .withMessageContaining("ClusterQueue x: fairSharing.weight");
  }

  @Test
  void theLocalQueuesOfAClusterQueueAreThoseThatLeadThereNow() {
    engine.apply(LocalQueue.of("x", "b", "q"), LocalQueue.of("x", "a", "q"));
    assertThat(localQueuesOf("q")).containsExactly("x/a", "x/b");

    engine.apply(LocalQueue.of("x", "a", "other"));
    assertThat(localQueuesOf("q")).containsExactly("x/b");
    assertThat(localQueuesOf("other")).containsExactly("x/a");

    engine.remove(LocalQueue.class, "x/b");
    assertThat(localQueuesOf("q")).isEmpty();
  }

  private List<String> localQueuesOf(String clusterQueue) {
    return engine.inspect(state -> state.configuration().localQueuesOf(clusterQueue));
  }

  @Test
  void aQueueInAnOutageKeepsWhatItHoldsAndAdmitsNothing() {
    cluster.with(queue("a", 10));
    cluster.admit(cluster.job("runs", "a", 4));
    engine.setOutage(
        "a", Optional.of(new Inactivity("Terminating", "ClusterQueue a is being deleted")));
    engine.apply(queue("a", 10).stopPolicy(StopPolicy.HOLD).build());
    cluster.submit(cluster.job("waits", "a", 1));
    assertThat(engine.runCycle().admitted()).isEmpty();

    ClusterQueueView view = engine.view().clusterQueue("a").orElseThrow();
    assertThat(view.inactivity()).hasValue("Terminating: ClusterQueue a is being deleted");
    assertThat(view.inactivities())
        .extracting(Inactivity::reason)
        .containsExactly("Terminating", "Stopped");
    assertThat(view.holders()).hasSize(1);
    assertThat(cluster.pending("a")).containsExactly("waits");

    engine.apply(queue("a", 10).build());
    assertThat(engine.runCycle().admitted()).isEmpty();
    engine.setOutage("a", Optional.empty());
    assertThat(engine.runCycle().admitted()).hasSize(1);
  }

  @Test
  void anOutageMayGetAnotherReason() {
    cluster.with(queue("a", 10));
    engine.setOutage("a", Optional.of(new Inactivity("Terminating", "it goes")));
    engine.setOutage("a", Optional.of(new Inactivity("Moving", "it comes back")));
    assertThat(engine.view().clusterQueue("a").orElseThrow().inactivity())
        .hasValue("Moving: it comes back");
  }

  @Test
  void anOutageEndsWithItsQueue() {
    cluster.with(queue("a", 10));
    engine.setOutage("a", Optional.of(new Inactivity("Terminating", "it goes")));
    engine.remove(ClusterQueue.class, "a");
    engine.apply(queue("a", 10).build());
    assertThat(engine.view().clusterQueue("a").orElseThrow().isActive()).isTrue();
  }

  @Test
  void anOutageNeedsAQueue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.setOutage("x", Optional.empty()))
        .withMessageContaining("there is no ClusterQueue x");
  }

  @Test
  void anOutageOfAStudyIsNoneOfTheEngine() {
    cluster.with(queue("a", 10));
    cluster.submit("w", "a", 1);
    AdmissionEngine study = engine.view().whatIf();
    study.setOutage("a", Optional.of(new Inactivity("Terminating", "it goes")));
    assertThat(study.runCycle().admitted()).isEmpty();
    assertThat(study.explain(Cluster.id("w")).toString()).contains("it goes");
    assertThat(engine.runCycle().admitted()).hasSize(1);
  }
}
