package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.changed;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.cohort;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Events that requeue inadmissible workloads, and those that do not; rules U-16, U-17, U-18, U-19,
 * U-20 and X-12.
 *
 * <p>Cohort {@code team} contains the queues {@code a} and {@code b} with 10 cores each; the queue
 * {@code alone} with 10 cores is in no cohort. In {@code b} and in {@code alone} a job is pending
 * that can never fit.
 */
class RequeueEventsTest {
  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  @BeforeEach
  void parkAJob() {
    cluster.with(queue("a", 10).cohort("team"), queue("b", 10).cohort("team"), queue("alone", 10));
    cluster.submit("big", "b", 50);
    cluster.submit("huge", "alone", 50);
    cluster.settle();
    assertParked();
  }

  private void assertParked() {
    assertThat(cluster.inadmissible("b")).containsExactly("big");
    assertThat(cluster.pending("b")).isEmpty();
    assertAloneIsParked();
  }

  private void assertAwake() {
    assertThat(cluster.pending("b")).containsExactly("big");
    assertThat(cluster.inadmissible("b")).isEmpty();
    assertAloneIsParked();
  }

  private void assertAloneIsParked() {
    assertThat(cluster.inadmissible("alone")).containsExactly("huge");
  }

  @Test
  void aStatusAfterAnEventSaysThatItIsTriedAgain() {
    cluster.run("first", "alone", 10).submit("waits", "alone", 3).cycle();

    cluster.finish("first");

    assertThat(cluster.workload("waits").status().conditions().get(0).message())
        .startsWith("queued in ClusterQueue alone");
  }

  @Test
  void anUpdateAfterAnEventSaysThatItIsTriedAgain() {
    Workload waits = cluster.job("waits", "alone", 3);
    cluster.run("first", "alone", 10).submit(waits).cycle();

    cluster.finish("first");

    assertThat(DecisionText.reasons(engine.update(waits).result()))
        .containsExactly("NOT_TRIED_YET -");
  }

  @Test
  void afterAnEventNobodyIsLikeWhatFailedBefore() {
    cluster.run("first", "alone", 10).submit("waits", "alone", 3).cycle();
    cluster.finish("first");

    assertThat(
            DecisionText.reasons(engine.submit(cluster.job("next", "alone", 3)).result()))
        .containsExactly("NOT_TRIED_YET -");
  }

  @Test
  void aFinishedWorkloadWakesItsWholeCohort() {
    cluster.run("w", "a", 1);
    engine.finish(id("w"));
    assertAwake();
  }

  @Test
  void aDeletedWorkloadWakesItsWholeCohort() {
    cluster.run("w", "a", 1);
    engine.delete(id("w"));
    assertAwake();
  }

  @Test
  void aReleasedWorkloadWakesItsWholeCohort() {
    cluster.run("w", "a", 1);
    engine.release(id("w"));
    assertAwake();
  }

  @Test
  void aPendingWorkloadWakesItsCohortWhenItIsDeleted() {
    cluster.submit("w", "a", 1);
    engine.delete(id("w"));
    assertAwake();
  }

  @Test
  void aPendingWorkloadThatIsDeactivatedWakesItsCohort() {
    Workload pending = cluster.submit("w", "a", 1).job("w");
    engine.update(changed(pending, w -> w.active(false)));
    assertAwake();
  }

  @Test
  void aWorkloadOfAnotherTreeRequeuesNothingHere() {
    cluster.with(queue("other", 10).cohort("others"));
    cluster.run("w", "other", 1);
    engine.finish(id("w"));
    assertParked();
  }

  @Test
  void reclaimablePodsOfARunningWorkloadWakeItsCohort() {
    cluster.run(cluster.jobOf(
        "w",
        "a",
        w -> w.addPodSets(PodSet.builder().count(3).requestAmount("cpu", 1000).build())));
    cluster.reclaim("w", "main", 1);
    assertAwake();
  }

  @Test
  void anotherPriorityOfARunningWorkloadWakesItsCohort() {
    Workload running = cluster.run("w", "a", 1).job("w");
    engine.update(changed(running, w -> w.priority(7)));
    assertAwake();
  }

  @Test
  void anotherPriorityClassOfEqualValueWakesTheCohort() {
    cluster.with(new WorkloadPriorityClass("one", 5), new WorkloadPriorityClass("other", 5));
    Workload running =
        cluster.run(cluster.job("w", "a", 1, w -> w.priorityClass("one"))).job("w");
    engine.update(changed(running, w -> w.priorityClass("other")));
    assertAwake();
  }

  @Test
  void anotherValueOfThePriorityClassWakesTheCohort() {
    cluster.with(new WorkloadPriorityClass("class", 5));
    cluster.run(cluster.job("w", "a", 1, w -> w.priorityClass("class")));
    cluster.with(new WorkloadPriorityClass("class", 6));
    assertAwake();
  }

  @Test
  void anotherPriorityOfAPendingWorkloadRequeuesNoOther() {
    Workload pending = cluster.submit("w", "a", 1).job("w");
    engine.update(changed(pending, w -> w.priority(7)));
    assertParked();
  }

  @Test
  void aNewClusterQueueWakesTheTreeThatItJoins() {
    cluster.with(queue("c", 0).cohort("team").build());
    assertAwake();
  }

  @Test
  void aNewClusterQueueElsewhereRequeuesNothingHere() {
    cluster.with(queue("c", 0).cohort("others").build(), queue("d", 0).build());
    assertParked();
  }

  @Test
  void anyChangeOfAClusterQueueWakesItsTree() {
    cluster.with(queue("a", 10)
        .cohort("team")
        .namespaceSelector(LabelSelector.labels(Map.of("team", "a")))
        .build());
    assertAwake();
  }

  @Test
  void aClusterQueueThatLeavesDoesNotWakeTheTreeItLeft() {
    cluster.with(queue("a", 10).cohort("others").build());
    assertParked();
  }

  @Test
  void aClusterQueueThatMovesInWakesItsNewTree() {
    cluster.with(queue("c", 10).cohort("others"));
    cluster.with(queue("c", 10).cohort("team").build());
    assertAwake();
  }

  @Test
  void aCohortCreatedOrChangedWakesItsTree() {
    cluster.with(Cohort.builder().name("team").build());
    assertAwake();
  }

  @Test
  void aCohortFarFromTheQueueWakesItAsLongAsItIsTheSameTree() {
    cluster.with(cohort("team", "root"));
    cluster.settle();
    assertParked();
    cluster.with(cohort("sibling", "root"));
    assertAwake();
  }

  @Test
  void aRemovedCohortRequeuesNothing() {
    cluster.with(cohort("team", "root"));
    cluster.settle();
    engine.remove(Cohort.class, "team");
    assertParked();
  }

  @Test
  void aRemovedClusterQueueRequeuesNothing() {
    engine.remove(ClusterQueue.class, "a");
    assertParked();
  }

  @Test
  void aNewFlavorWakesTheTreeOfTheQueueThatItMakesActive() {
    ClusterQueue waiting = Queues.openQueue("c")
        .cohort("team")
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("late", ResourceQuota.ofAmount("cpu", 1))))
        .build();
    cluster.with(waiting);
    cluster.settle();
    assertParked();
    cluster.with(ResourceFlavor.of("late"));
    assertAwake();
  }

  @Test
  void aNewUnusedFlavorRequeuesNothing() {
    cluster.with(ResourceFlavor.of("unused"));
    assertParked();
  }

  @Test
  void aChangedFlavorWakesTheQueuesThatUseIt() {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name(FLAVOR);
    cluster.with(flavor.putNodeLabels("k", "v").build());
    assertThat(cluster.pending("b")).containsExactly("big");
    assertThat(cluster.pending("alone")).containsExactly("huge");
    cluster.settle();
    cluster.with(flavor
        .addNodeTaints(new Taint("t", "", Taint.Effect.PREFER_NO_SCHEDULE))
        .build());
    assertThat(cluster.pending("b")).containsExactly("big");
    cluster.settle();
    cluster.with(flavor.addTolerations(Toleration.exists("t")).build());
    assertThat(cluster.pending("b")).containsExactly("big");
  }

  @Test
  void theSameFlavorAgainRequeuesNothing() {
    cluster.with(ResourceFlavor.of(FLAVOR));
    assertParked();
  }

  /** {@return a cluster in which a workload is parked, since its TPU slice has no room} */
  private static Cluster slicesWithoutRoom() {
    Cluster slices = TpuSlices.cluster("4x4", 8).submit(TpuSlices.job("big", "4x4", 1));
    slices.cycle();
    return slices;
  }

  @Test
  void largerPoolsWakeTheQueuesThatUseThem() {
    Cluster slices = slicesWithoutRoom();

    slices.with(TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x8")));

    assertThat(slices.pending("queue")).containsExactly("big");
  }

  @Test
  void whatIsPutOnHoldWakesItsCohort() {
    cluster.with(
        AdmissionCheck.of("budget", "test"),
        queue("a", 10)
            .cohort("team")
            .addAdmissionChecks(new AdmissionCheckRule("budget", ImmutableList.of()))
            .build());
    cluster.submit("reserves", "a", 1);
    cluster.settle();
    assertParked();

    engine.lifecycle().setOnHold(id("reserves"), true);

    assertAwake();
  }

  @Test
  void anotherPriorityOfAPendingWorkloadWakesNoOther() {
    cluster.with(new WorkloadPriorityClass("class", 5));
    cluster.submit(cluster.job("waits", "a", 50, w -> w.priorityClass("class")));
    cluster.settle();

    cluster.with(new WorkloadPriorityClass("class", 6));

    assertThat(cluster.workload("waits").holdsQuota()).isFalse();
    assertParked();
  }

  @Test
  void theSamePoolsAgainRequeueNothing() {
    Cluster slices = slicesWithoutRoom();

    slices.with(TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x4")));

    assertThat(slices.inadmissible("queue")).containsExactly("big");
  }

  @Test
  void labelsOfANamespaceWakeTheQueuesThatTheyNewlyMatch() {
    cluster.with(queue("b", 10)
        .cohort("team")
        .namespaceSelector(LabelSelector.labels(Map.of("team", "x")))
        .build());
    cluster.settle();
    assertParked();
    cluster.with(Namespace.of(NAMESPACE, Map.of("team", "x")));
    assertAwake();
  }

  @Test
  void labelsOfANamespaceThatMatchedBeforeRequeueNothing() {
    cluster.with(Namespace.of(NAMESPACE, Map.of("other", "label")));
    assertParked();
  }

  @Test
  void admissionIsNoEvent() {
    cluster.run("w", "a", 1);
    engine.lifecycle().admissionRecorded(id("w"));
    assertParked();
  }

  @Test
  void aSubmissionIsNoEvent() {
    cluster.submit("w", "b", 1);
    assertThat(cluster.inadmissible("b")).containsExactly("big");
    assertThat(cluster.pending("b")).containsExactly("w");
  }

  @Test
  void anUpdateThatChangesNothingIsNoEvent() {
    Workload running = cluster.run("w", "a", 1).job("w");
    engine.update(running);
    assertParked();
  }

  @Test
  void theEventOfAWorkloadIsLostWhileItsLocalQueueIsStopped() {
    cluster.run("w", "a", 1);
    cluster.with(localQueue("a", StopPolicy.HOLD));
    engine.finish(id("w"));
    assertThat(cluster.used("a")).isZero();
    assertParked();
  }

  @Test
  void aWorkloadWakesItsCohortThoughItsLocalQueueWasRemoved() {
    cluster.run("w", "a", 1);
    engine.remove(LocalQueue.class, NAMESPACE + "/a");
    assertParked();
    engine.finish(id("w"));
    assertAwake();
  }

  @Test
  void stoppingOrOpeningALocalQueueRequeuesNoOther() {
    cluster.with(localQueue("a", StopPolicy.HOLD));
    cluster.with(localQueue("a"));
    assertParked();
  }

  @Test
  void aWorkloadOfAWrongNamespaceStaysParkedThroughEvents() {
    cluster.with(queue("b", 10)
        .cohort("team")
        .namespaceSelector(LabelSelector.labels(Map.of("team", "x")))
        .build());
    cluster.settle();
    cluster.run("w", "a", 1);
    engine.finish(id("w"));
    assertParked();
  }

  @Test
  void aWorkloadInBackoffStaysParkedThroughEvents() {
    engine.delete(id("big"));
    cluster.backOff(cluster.job("big", "b", 50), Cluster.START.plus(Duration.ofMinutes(1)));
    cluster.run("w", "a", 1);
    engine.finish(id("w"));
    assertParked();
  }

  @Test
  void aParkedWorkloadReturnsWhenItChanges() {
    Workload big = cluster.job("big", "b", 50);
    engine.delete(id("big"));
    cluster.submit(big);
    cluster.settle();
    Workload smaller = cluster.job("big", "b", 5);
    engine.update(changed(big, w -> w.priority(1)));
    assertAwake();
    cluster.settle();
    engine.update(smaller);
    assertThat(admitted(cluster.cycle())).containsExactly("big");
  }

  @Test
  void anUnchangedPriorityClassLeavesAParkedWorkload() {
    cluster.with(new WorkloadPriorityClass("class", 5));
    engine.delete(id("big"));
    cluster.submit(cluster.job("big", "b", 50, w -> w.priorityClass("class")));
    cluster.settle();
    Explanation before = engine.explain(id("big"));
    cluster.with(new WorkloadPriorityClass("class", 5));
    assertParked();
    assertThat(engine.explain(id("big"))).isEqualTo(before);
  }
}
