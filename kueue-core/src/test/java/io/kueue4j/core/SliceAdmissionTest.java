package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.TpuSlices.fleet;
import static io.kueue4j.core.TpuSlices.job;
import static io.kueue4j.core.TpuSlices.pods;
import static io.kueue4j.core.TpuSlices.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.TpuPoolSetView;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.FitFailure.Constraint;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quota and geometry are decided together. Rules: TPU-F-22. */
class SliceAdmissionTest {
  /** Both flavors are of the same pools, and no cohort connects the queues. */
  @Test
  void whatAQueueReleasesLetsAnotherOneTryAgain() {
    Cluster cluster = TpuSlices.cluster("4x4", 1000)
        .with(TpuSlices.flavor("shared", "v6e"), ResourceFlavor.of("plain"))
        .with(TpuSlices.queue("other", 1000, "plain", "shared"));
    cluster.run(TpuSlices.job("first", "4x4", 1));
    cluster.submit(
        Cluster.changed(TpuSlices.job("next", "4x4", 1), workload -> workload.queueName("other")));
    cluster.settle();

    cluster.finish("first");

    assertThat(DecisionText.admitted(cluster.cycle())).containsExactly("next");
  }

  @Test
  void anAdmissionSaysWhereTheSlicesAre() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    Admission admission = cluster.run(job("train", "4x4", 2)).workload("train").admission();
    assertThat(slices(admission)).extracting(SliceAssignment::pool).containsOnly("pod-0");
    assertThat(slices(admission))
        .extracting(SliceAssignment::hosts)
        .containsExactlyInAnyOrder(
            ImmutableList.of("0", "1", "2", "3"), ImmutableList.of("4", "5", "6", "7"));
    assertThat(fleet(cluster.engine).slices())
        .extracting(TpuSlice::id, TpuSlice::owner)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("ns/train/main/0", "ns/train"),
            org.assertj.core.groups.Tuple.tuple("ns/train/main/1", "ns/train"));
  }

  @Test
  void quotaAloneIsNotEnough() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.run(job("one", "4x4", 1));
    AdmissionResult.Pending refused = cluster.refuse(job("two", "4x8", 1));
    assertThat(refused.reasons()).hasSize(1);
    Reason reason = refused.reasons().get(0);
    assertThat(reason.code()).isEqualTo(ReasonCode.SLICES_DO_NOT_FIT);
    assertThat(reason.flavor()).contains("tpu");
    assertThat(reason.sliceFailure().orElseThrow().constraint()).isEqualTo(Constraint.CAPACITY);
    assertThat(reason.sliceFailure().orElseThrow().largest()).contains(SliceShape.of(4, 4));
    assertThat(reason.message())
        .isEqualTo("pod set main: flavor tpu: no room for slices of pool set v6e: "
            + "4x8 takes 8 hosts, 4 are free; largest free 4x4");
  }

  @Test
  void geometryAloneIsNotEnough() {
    Cluster cluster = TpuSlices.cluster("4x8", 16);
    cluster.run(job("one", "4x4", 1));
    assertThat(DecisionText.codes(cluster.refuse(job("two", "4x4", 1)).reasons()))
        .containsExactly(ReasonCode.NO_PREEMPTION_CANDIDATES);
    cluster.engine.finish(id("one"));
    assertThat(fleet(cluster.engine).slices()).isEmpty();
    cluster.run(job("two", "4x4", 1));
  }

  @Test
  void whatNoEmptyPodHasRoomForIsRefusedForGood() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    AdmissionResult.Pending refused = cluster.refuse(job("big", "8x8", 1));
    assertThat(refused.cause()).isEqualTo(PendingCause.TOPOLOGY_PLACEMENT_FAILED);
    assertThat(refused.reasons()).hasSize(1);
    assertThat(refused.reasons().get(0).message())
        .contains("no room for slices even if pool set v6e was empty")
        .contains("8x8 fits no pool even if it is empty");
  }

  @Test
  void allPodSetsArePlacedTogetherOrNone() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    // The small slices are first in the list, and would block the large one.
    cluster.run(job("mixed", 0, pods("small", "2x2", 4), pods("large", "4x4", 1)));
    assertThat(fleet(cluster.engine).slices()).hasSize(5);
    cluster.engine.finish(id("mixed"));
    cluster.refuse(job("mixed", 0, pods("small", "2x2", 5), pods("large", "4x4", 1)));
    assertThat(fleet(cluster.engine).slices()).isEmpty();
  }

  @Test
  void combinationsAreTriedWhereOneAfterTheOtherFails() {
    // Of the places of the 4x4 the best one for later requests leaves no room for both others.
    Cluster cluster = TpuSlices.cluster("8x8", 1000);
    cluster.engine.apply(TpuPoolSet.of(
        "v6e",
        TpuFleet.of(TpuSlices.pod("pod-0", "8x8").withAlignment(TpuPool.Alignment.HOST_ALIGNED))
            .withHealth("pod-0", HostHealth.DOWN, 0, 1, 3, 4, 12, 15)));
    cluster.run(job("joint", 0, pods("large", "4x4", 1), pods("small", "2x4", 2)));
    assertThat(fleet(cluster.engine).slices()).hasSize(3);
    cluster.engine.finish(id("joint"));
    cluster.run(job("large", "4x4", 1));
    cluster.refuse(job("small", "2x4", 2));
  }

  @Test
  void theWalkGoesOnToTheNextFlavor() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.engine.apply(
        TpuPoolSet.of("more", TpuSlices.pod("pod-1", "8x8")), TpuSlices.flavor("other", "more"));
    cluster.with(TpuSlices.queue("queue", 1000, "tpu", "other"));
    Admission admission = cluster.run(job("big", "8x8", 1)).workload("big").admission();
    assertThat(admission.podSetAssignments().get(0).flavors())
        .containsEntry(ResourceNames.TPU, "other");
    cluster.run(job("one", "4x8", 1));
    assertThat(DecisionText.codes(cluster.refuse(job("two", "4x4", 1)).reasons()))
        .containsExactly(ReasonCode.SLICES_DO_NOT_FIT, ReasonCode.SLICES_DO_NOT_FIT);
  }

  @Test
  void whatAPodSetIsGivenIsNotThereForTheNext() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.engine.apply(
        TpuPoolSet.of("more", TpuSlices.pod("pod-1", "4x8")), TpuSlices.flavor("other", "more"));
    cluster.with(TpuSlices.queue("queue", 1000, "tpu", "other"));
    Admission admission = cluster
        .run(job("two", 0, pods("first", "4x8", 1), pods("second", "4x8", 1)))
        .workload("two")
        .admission();
    assertThat(admission.podSetAssignments())
        .extracting(podSet -> podSet.flavors().get(ResourceNames.TPU))
        .containsExactly("tpu", "other");
  }

  @Test
  void victimsAreChosenByBoth() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.run(job("low-1", 1, pods("main", "4x4", 1)));
    cluster.run(job("low-0", 0, pods("main", "4x4", 1)));
    AdmissionResult result =
        cluster.engine.tryAdmit(job("high", 2, pods("main", "2x4", 1))).result();
    assertThat(result).isInstanceOf(AdmissionResult.Preempting.class);
    assertThat(((AdmissionResult.Preempting) result).victims())
        .extracting(PreemptionVictim::workload)
        .containsExactly(id("low-0"));
    AdmissionResult whole =
        cluster.engine.tryAdmit(job("higher", 2, pods("main", "4x8", 1))).result();
    assertThat(((AdmissionResult.Preempting) whole).victims())
        .extracting(PreemptionVictim::workload)
        .containsExactlyInAnyOrder(id("low-0"), id("low-1"));
    assertThat(fleet(cluster.engine).slices()).hasSize(2);
  }

  @Test
  void aVictimThatIsNotInTheWayIsSpared() {
    // A 4x4 fits where the two 2x4 of one half are; the 2x2 in the other half is newer and has the
    // lowest priority, but stopping it would not help.
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.run(job("left-a", 1, pods("main", "2x4", 1)));
    cluster.run(job("left-b", 1, pods("main", "2x4", 1)));
    cluster.run(job("right-a", 5, pods("main", "2x4", 1)));
    cluster.run(job("right-b", 0, pods("main", "2x4", 1)));
    AdmissionResult result =
        cluster.engine.tryAdmit(job("high", 3, pods("main", "4x4", 1))).result();
    assertThat(((AdmissionResult.Preempting) result).victims())
        .extracting(PreemptionVictim::workload)
        .containsExactlyInAnyOrder(id("left-a"), id("left-b"));
  }

  @Test
  void preemptionInCyclesHandsTheHostsOver() {
    Cluster cluster = TpuSlices.cluster("4x4", 1000);
    cluster.run(job("low", 0, pods("main", "4x4", 1)));
    cluster.engine.submit(job("high", 1, pods("main", "2x4", 2)));
    Decisions first = cluster.engine.runCycle();
    assertThat(first.preempted()).extracting(PreemptionVictim::workload).containsExactly(id("low"));
    assertThat(cluster.engine.runCycle().admitted()).isEmpty();
    cluster.engine.podsStopped(id("low"));
    assertThat(cluster.engine.runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactly(id("high"));
    assertThat(fleet(cluster.engine).slices())
        .extracting(TpuSlice::owner)
        .containsExactly("ns/high", "ns/high");
  }

  @Test
  void headsOfOneCycleDoNotGetTheSameHosts() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.with(TpuSlices.queue("other", 1000, "tpu"));
    cluster.with(TpuSlices.queue("third", 1000, "tpu"));
    cluster.engine.submit(job("one", "4x4", 1));
    cluster.engine.submit(Cluster.changed(job("two", "4x4", 1), w -> w.queueName("other")));
    cluster.engine.submit(Cluster.changed(job("three", "4x4", 1), w -> w.queueName("third")));
    Decisions cycle = cluster.engine.runCycle();
    assertThat(cycle.admitted()).hasSize(2);
    assertThat(cycle.pending()).hasSize(1);
    assertThat(fleet(cluster.engine).slices()).hasSize(2);
    // Freed in another tree, the hosts can be used.
    assertThat(cluster.engine.runCycle().admitted()).isEmpty();
    cluster.engine.finish(cycle.admitted().get(0).workload());
    assertThat(cluster.engine.runCycle().admitted()).hasSize(1);
  }

  @Test
  void podsWithoutSlicesDoNotGetTheFlavor() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    PodSet chips = PodSet.builder().requestAmount(ResourceNames.TPU, 4).build();
    Reason reason = cluster.refuse(job("chips", 0, chips)).reasons().get(0);
    assertThat(reason.code()).isEqualTo(ReasonCode.FLAVOR_WITH_TPU_POOLS);
    assertThat(reason.message())
        .isEqualTo(
            "pod set main: flavor tpu: gives its TPU chips as slices, and the pods ask for none");
  }

  @Test
  void slicesNeedAFlavorWithPools() {
    Cluster cluster = new Cluster();
    cluster.with(Queues.openQueue("queue")
        .addResourceGroups(
            io.kueue4j.core.model.ResourceGroup.of(io.kueue4j.core.model.FlavorQuotas.of(
                Cluster.FLAVOR,
                io.kueue4j.core.model.ResourceQuota.ofAmount(ResourceNames.TPU, 100)))));
    AdmissionResult result = cluster.engine.tryAdmit(job("train", "4x4", 1)).result();
    assertThat(DecisionText.codes(((AdmissionResult.Pending) result).reasons()))
        .containsExactly(ReasonCode.FLAVOR_WITHOUT_TPU_POOLS);
  }

  @Test
  void aShapeThatTheGenerationLacksIsRefusedWithARightOne() {
    Cluster cluster = TpuSlices.cluster("16x16", 1000);
    Reason reason = cluster.refuse(job("train", "4x2", 1)).reasons().get(0);
    assertThat(reason.code()).isEqualTo(ReasonCode.SLICE_NOT_OFFERED);
    assertThat(reason.message()).contains("4x2 is no slice of v6e: write 2x4");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void podsNeedAsManyChipsAsAHostHas(int chips) {
    Cluster cluster = TpuSlices.cluster("16x16", 1000);
    PodSet pods = PodSet.builder()
        .count(16 / chips)
        .requestAmount(ResourceNames.TPU, chips)
        .sliceRequest(SliceRequest.of("4x4"))
        .build();
    Reason reason = cluster.refuse(job("train", 0, pods)).reasons().get(0);
    assertThat(reason.code()).isEqualTo(ReasonCode.SLICE_NOT_OFFERED);
    assertThat(reason.message())
        .endsWith("pods of " + chips
            + " chips, but the hosts of pool set v6e have 4; expected pods of 4");
  }

  @Test
  void chipsOfThePodsThemselvesAreCompared() {
    PodSet charged = PodSet.builder()
        .count(4)
        .requestAmount(ResourceNames.TPU, 8)
        .podRequests(ImmutableSortedMap.of(ResourceNames.TPU, 4L))
        .sliceRequest(SliceRequest.of("4x4"))
        .build();

    assertThat(TpuSlices.cluster("16x16", 1000)
            .engine
            .tryAdmit(job("train", 0, charged))
            .result()
            .isAdmitted())
        .isTrue();
  }

  @Test
  void aPoolThatIsOneSliceIsGivenAsAWhole() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.engine.apply(TpuPoolSet.of("v6e", TpuSlices.pod("a", "2x4"), TpuSlices.pod("b", "4x4"))
        .withWholePools(List.of("a", "b")));
    assertThat(cluster.refuse(job("part", "2x2", 1)).reasons().get(0).message())
        .endsWith("no slice 2x2: the pools of pool set v6e are one slice each, of [2x4, 4x4]");
    assertThat(slices(cluster.run(job("two", "2x4", 1)).workload("two").admission()))
        .extracting(SliceAssignment::pool)
        .containsExactly("a");
    assertThat(cluster.refuse(job("more", "2x4", 1)).reasons().get(0).message())
        .contains("no pool is free that is one slice 2x4 as a whole");
    cluster.run(job("four", "4x4", 1));
  }

  @Test
  void anExplanationNamesTheMovesThatWouldMakeRoom() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    // Two slices in the middle of the halves, placed by restoring them there.
    restore(cluster, "a", 0);
    restore(cluster, "b", 4);
    cluster.engine.submit(job("want", "4x4", 1));
    cluster.engine.runCycle();
    Reason reason = cluster.engine.explain(id("want")).reasons().get(0);
    assertThat(reason.sliceMoves()).hasSize(1);
    assertThat(reason.message())
        .contains("4x4 takes 4 hosts, 6 are free but do not lie together as needed")
        .contains("largest free 2x4; moving ns/a (2x2) from host 0 of pool pod-0 to host")
        .endsWith("would make room");
  }

  private static void restore(Cluster cluster, String name, int host) {
    Workload workload = job(name, "2x2", 1);
    cluster.engine.lifecycle().restore(workload, admission(cluster, name, host));
  }

  private static Admission admission(Cluster cluster, String name, int host) {
    SlicePlacement place = SlicePlacement.ofBox(
        fleet(cluster.engine).pools().get(0),
        SliceShape.of(2, 2),
        io.kueue4j.core.tpu.AxisOrder.XYZ,
        host);
    return Admission.builder()
        .workload(id(name))
        .clusterQueue("queue")
        .quotaReservedTime(Cluster.START)
        .addPodSetAssignments(io.kueue4j.core.model.PodSetAssignment.builder()
            .name("main")
            .count(1)
            .putFlavors(ResourceNames.TPU, "tpu")
            .resourceUsageAmount(ResourceNames.TPU, 4)
            .addSlices(new SliceAssignment("v6e", place))
            .build())
        .build();
  }

  @Test
  void slicesThatShareHostsAreNotRestored() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    Admission admission = cluster.run(job("train", "4x4", 2)).workload("train").admission();
    var podSet = admission.podSetAssignments().get(0);
    SliceAssignment first = podSet.slices().get(0);
    var twice = io.kueue4j.core.model.PodSetAssignment.builder()
        .from(podSet)
        .slices(ImmutableList.of(first, first))
        .build();
    cluster.finish("train");

    assertThatThrownBy(() -> cluster.lifecycle.restore(
            job("train", "4x4", 2),
            Admission.builder()
                .from(admission)
                .podSetAssignments(ImmutableList.of(twice))
                .build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("share hosts");
  }

  @Test
  void slicesAtEqualHostsOfTwoPoolsAreRestored() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    TpuPoolSet two =
        TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x8"), TpuSlices.pod("pod-1", "4x8"));
    cluster.engine.apply(two);
    Admission admission = cluster.run(job("train", "4x8", 2)).workload("train").admission();
    Cluster restarted = TpuSlices.cluster("4x8", 1000);
    restarted.engine.apply(two);

    restarted.engine.lifecycle().restore(job("train", "4x8", 2), admission);

    assertThat(fleet(restarted.engine)).isEqualTo(fleet(cluster.engine));
  }

  private static Cluster withTwoPoolSets() {
    return new Cluster()
        .with(
            TpuPoolSet.of("one", TpuSlices.pod("pod-0", "4x8")),
            TpuPoolSet.of("two", TpuSlices.pod("pod-0", "4x8")),
            TpuSlices.flavor("first", "one"),
            TpuSlices.flavor("second", "two"))
        .with(TpuSlices.queue("queue", 32, "first", "second"));
  }

  @Test
  void slicesAtEqualHostsOfTwoPoolSetsAreRestored() {
    Workload workload = job("train", 0, pods("a", "4x8", 1), pods("b", "4x8", 1));
    Admission admission = withTwoPoolSets().run(workload).workload("train").admission();
    Cluster restarted = withTwoPoolSets();

    restarted.lifecycle.restore(workload, admission);

    assertThat(restarted.workload("train").admission()).isEqualTo(admission);
  }

  private static Cluster withPlainFlavor() {
    return TpuSlices.cluster("4x8", 1000)
        .with(ResourceFlavor.of("plain"))
        .with(
            TpuSlices.queue("plain", 1000, "plain"),
            openQueue("both")
                .addResourceGroups(
                    ResourceGroup.of(
                        FlavorQuotas.of("tpu", ResourceQuota.ofAmount(ResourceNames.TPU, 1000))),
                    ResourceGroup.of(FlavorQuotas.of("plain", cores(10)))));
  }

  /** No workload is admitted to flavor {@code plain} here, but others may do so. */
  @Test
  void slicesOfFlavorsWithPoolsAloneAreRestored() {
    PodSet pods =
        PodSet.builder().from(pods("main", "4x4", 1)).request("cpu", "1").build();
    Workload both = Cluster.changed(job("both", 0, pods), workload -> workload.queueName("both"));
    Cluster cluster = withPlainFlavor().run(both);
    PodSetAssignment onPlain = PodSetAssignment.builder()
        .name("main")
        .count(pods.count())
        .putFlavors(ResourceNames.TPU, "plain")
        .resourceUsageAmount(ResourceNames.TPU, 4L * pods.count())
        .build();
    Cluster restarted = withPlainFlavor();

    restarted.lifecycle.restore(both, cluster.workload("both").admission());
    restarted.lifecycle.restore(
        Cluster.changed(job("plain", "4x4", 1), workload -> workload.queueName("plain")),
        Admission.builder()
            .workload(id("plain"))
            .clusterQueue("plain")
            .quotaReservedTime(Cluster.START)
            .addPodSetAssignments(onPlain)
            .build());

    assertThat(fleet(restarted.engine).slices()).hasSize(1);
    assertThat(fleet(restarted.engine)).isEqualTo(fleet(cluster.engine));
  }

  @Test
  void aDownHostMakesItsSliceUnusableAndTheViewSaysSo() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.run(job("train", "4x4", 1));
    assertThat(cluster.engine.view().tpuPoolSets().get(0).unusable()).isEmpty();
    assertThat(cluster.engine.explain(id("train")).reasons()).isEmpty();
    TpuFleet broken =
        TpuFleet.of(TpuSlices.pod("pod-0", "4x8")).withHealth("pod-0", HostHealth.DOWN, 1);
    cluster.engine.apply(TpuPoolSet.of("v6e", broken));
    TpuPoolSetView view = cluster.engine.view().tpuPoolSets().get(0);
    assertThat(view.unusable()).extracting(TpuSlice::owner).containsExactly("ns/train");
    assertThat(cluster.engine.explain(id("train")).reasons())
        .singleElement()
        .asString()
        .isEqualTo(
            "pod set main: slice 4x4 XYZ at host 0 of pool pod-0 cannot be used: host 1 is down");
    cluster.run(job("next", "4x4", 1));
    cluster.engine.finish(id("train"));
    assertThat(cluster.refuse(job("train", "4x4", 1)).reasons().get(0).message())
        .contains("4x4 would fit if all hosts were healthy, 1 are not");
    cluster.engine.apply(TpuPoolSet.of("v6e", TpuSlices.pod("pod-0", "4x8")));
    cluster.run(job("train", "4x4", 1));
  }

  @Test
  void theFailureOfANamedHostTellsTheWorkloadToStop() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.engine.apply(TpuPoolSet.of(
        "v6e",
        TpuSlices.pod("pod-0", "4x8")
            .withNodes(List.of("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"))));
    Admission admission = cluster.run(job("train", "4x4", 1)).workload("train").admission();
    assertThat(slices(admission).get(0).hosts()).containsExactly("n0", "n1", "n2", "n3");
    assertThat(cluster.engine.lifecycle().nodeFailed(id("train"), "n7").evicted())
        .isEmpty();
    Eviction eviction =
        cluster.engine.lifecycle().nodeFailed(id("train"), "n2").evicted().get(0);
    assertThat(eviction.message())
        .isEqualTo("Workload eviction triggered due to failure of a host of its slices: n2");
    assertThat(cluster.engine.lifecycle().nodeFailed(id("train"), "n2").evicted())
        .isEmpty();
    assertThat(fleet(cluster.engine).slices()).hasSize(1);
    cluster.engine.podsStopped(id("train"));
    assertThat(fleet(cluster.engine).slices()).isEmpty();
  }

  @Test
  void aForkLeavesTheOriginalUnchanged() {
    Cluster cluster = TpuSlices.cluster("4x8", 1000);
    cluster.run(job("one", "4x4", 1));
    EngineView view = cluster.engine.view();
    AdmissionEngine fork = view.whatIf();
    assertThat(fleet(fork)).isEqualTo(fleet(cluster.engine));
    assertThat(fork.tryAdmit(job("two", "4x4", 1)).result())
        .isInstanceOf(AdmissionResult.Admitted.class);
    assertThat(fork.tryAdmit(job("three", "2x2", 1)).result())
        .isInstanceOf(AdmissionResult.Pending.class);
    fork.finish(id("one"));
    assertThat(fork.tryAdmit(job("three", "2x2", 1)).result())
        .isInstanceOf(AdmissionResult.Admitted.class);
    assertThat(fleet(cluster.engine).slices())
        .extracting(TpuSlice::owner)
        .containsExactly("ns/one");
    cluster.run(job("four", "4x4", 1));
    assertThat(view.tpuPoolSets().get(0).fleet().slices()).hasSize(1);
  }
}
