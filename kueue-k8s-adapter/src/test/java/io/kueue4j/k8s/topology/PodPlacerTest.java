package io.kueue4j.k8s.topology;

import static io.kueue4j.k8s.topology.PlacedWorkload.INDEX;
import static io.kueue4j.k8s.topology.PlacedWorkload.JOB_INDEX;
import static io.kueue4j.k8s.topology.PlacedWorkload.indexed;
import static io.kueue4j.k8s.topology.PlacedWorkload.labelled;
import static io.kueue4j.k8s.topology.PlacedWorkload.on;
import static io.kueue4j.k8s.topology.PlacedWorkload.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodPlacerTest {
  private static PodSet.Builder podSet(int count) {
    return PodSet.builder().count(count).topologyRequest(indexed());
  }

  private static PlacedWorkload three() {
    return new PlacedWorkload().podSet(podSet(3), "h1=2", "h2=1");
  }

  @Test
  void podsGoWhereTheirIndexSays() {
    assertThat(three().hosts(pod("c", 0), pod("b", 2), pod("a", 1)))
        .containsExactly("c->h1", "a->h1", "b->h2");
  }

  @Test
  void aPodThatComesLaterHasItsPlace() {
    assertThat(three().hosts(pod("a", 2))).containsExactly("a->h2");
    assertThat(three().hosts(on("h1", pod("a", 1)), pod("b", 0), on("h2", pod("c", 2))))
        .containsExactly("b->h1");
  }

  @Test
  void theReplacementOfAPodGoesWhereItWas() {
    Pod ended = on("h1", pod("a", 0)).toBuilder()
        .withNewStatus()
        .withPhase("Failed")
        .endStatus()
        .build();
    assertThat(three().hosts(ended, on("h1", pod("b", 1)), on("h2", pod("c", 2)), pod("d", 0)))
        .containsExactly("d->h1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "-1", "+1", "x", "", "1.0", "99999999999"})
  void withoutAValidIndexDomainsAreFilledUp(String index) {
    // By index, b would be on h2.
    assertThat(three().hosts(labelled(pod("a"), INDEX, index), pod("b", 2)))
        .containsExactly("a->h1", "b->h1");
  }

  @Test
  void twoPodsOfOneIndexHaveNone() {
    assertThat(three().hosts(pod("a", 2), pod("b", 2), pod("c", 0)))
        .containsExactly("a->h1", "b->h1", "c->h2");
  }

  @Test
  void withoutALabelToReadDomainsAreFilledUpByName() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(
            PodSet.builder().count(3).topologyRequest(TopologyRequest.required("rack")),
            "h1=2",
            "h2=1");
    assertThat(workload.hosts(pod("c", 0), pod("b", 1), pod("a", 2)))
        .containsExactly("a->h1", "b->h1", "c->h2");
  }

  @Test
  void aPodElsewhereThanItsIndexSaysEndsCountingByIndex() {
    assertThat(three().hosts(on("h2", pod("a", 0)), pod("b", 1), pod("c", 2)))
        .containsExactly("b->h1", "c->h1");
    assertThat(three().hosts(on("h9", pod("a", 0)), pod("b", 2))).containsExactly("b->h1");
  }

  @Test
  void podsForWhichThereIsNoPlaceStayGated() {
    assertThat(three()
            .hosts(
                pod("a").build(), pod("b").build(), pod("c").build(), pod("d").build()))
        .containsExactly("a->h1", "b->h1", "c->h2");
    assertThat(three()
            .hosts(
                on("h1", pod("a").build()),
                on("h1", pod("b").build()),
                on("h1", pod("c").build()),
                pod("d").build(),
                pod("e").build()))
        .containsExactly("d->h2");
  }

  /** Kueue drops pods that do not fill a slice, so there may be fewer places than pods. */
  @Test
  void anIndexWithoutAPlaceEndsCountingByIndex() {
    PlacedWorkload workload = new PlacedWorkload().podSet(podSet(5), "h1=2", "h2=2");
    assertThat(workload.hosts(pod("a", 4), pod("b", 3))).containsExactly("a->h1", "b->h1");
    assertThat(workload.hosts(pod("b", 3))).containsExactly("b->h2");
  }

  @Test
  void jobsOfAJobSetFollowEachOther() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(
            PodSet.builder()
                .count(4)
                .topologyRequest(TopologyRequest.builder()
                    .podIndexLabel(INDEX)
                    .subGroupIndexLabel(JOB_INDEX)
                    .subGroupCount(2)
                    .build()),
            "h1=1",
            "h2=1",
            "h3=1",
            "h4=1");
    assertThat(workload.hosts(
            labelled(pod("a"), INDEX, "1", JOB_INDEX, "1"),
            labelled(pod("b"), INDEX, "0", JOB_INDEX, "1"),
            labelled(pod("c"), INDEX, "1", JOB_INDEX, "0")))
        .containsExactly("c->h2", "b->h3", "a->h4");
    assertThat(workload.hosts(labelled(pod("a"), INDEX, "2", JOB_INDEX, "0")))
        .containsExactly("a->h1");
    assertThat(workload.hosts(labelled(pod("a"), INDEX, "1", JOB_INDEX, "2")))
        .containsExactly("a->h1");
    assertThat(workload.hosts(labelled(pod("a"), INDEX, "1"))).containsExactly("a->h1");
  }

  @Test
  void jobsOfUnknownNumberAreNotCounted() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(
            PodSet.builder()
                .count(2)
                .topologyRequest(TopologyRequest.builder()
                    .podIndexLabel(INDEX)
                    .subGroupIndexLabel(JOB_INDEX)
                    .build()),
            "h1=1",
            "h2=1");
    assertThat(workload.hosts(labelled(pod("a"), INDEX, "1", JOB_INDEX, "0")))
        .containsExactly("a->h1");
  }

  private static Pod of(String podSet, Pod pod) {
    return labelled(pod.toBuilder(), PodPlacer.POD_SET, podSet);
  }

  @Test
  void theLeaderOfAGroupIsCountedFirst() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(podSet(2).name("workers").group("ring"), "h1=1", "h2=1")
        .podSet(podSet(1).name("leader").group("ring"), "h3=1")
        .podSet(podSet(2).name("other"), "h4=1", "h5=1");
    assertThat(workload.hosts(
            of("leader", pod("l", 0)),
            of("workers", pod("w2", 2)),
            of("workers", pod("w1", 1)),
            of("other", pod("o", 1))))
        .containsExactly("w1->h1", "w2->h2", "l->h3", "o->h5");
    // Index 0 belongs to the leader.
    assertThat(workload.hosts(of("workers", pod("w2", 2)), of("workers", pod("w0", 0))))
        .containsExactly("w0->h1", "w2->h2");
  }

  @Test
  void ofTwoEqualPodSetsOfAGroupTheFirstLeads() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(podSet(1).name("a").group("ring"), "h1=1")
        .podSet(podSet(1).name("b").group("ring"), "h2=1");
    assertThat(workload.hosts(of("a", pod("a", 0)), of("b", pod("b", 1))))
        .containsExactly("a->h1", "b->h2");
    PlacedWorkload pairs = new PlacedWorkload()
        .podSet(podSet(2).name("a").group("ring"), "h1=1", "h2=1")
        .podSet(podSet(2).name("b").group("ring"), "h3=1", "h4=1");
    assertThat(pairs.hosts(of("b", pod("first", 3)), of("b", pod("second", 2))))
        .containsExactly("second->h3", "first->h4");
  }

  private static Pod offset(String offset, Pod pod) {
    return pod.toBuilder()
        .editMetadata()
        .addToAnnotations("kueue.x-k8s.io/pod-index-offset", offset)
        .endMetadata()
        .build();
  }

  @Test
  void indexesMayBeginElsewhere() {
    assertThat(three().hosts(offset("1", pod("a", 3)), offset("1", pod("b", 1))))
        .containsExactly("b->h1", "a->h2");
    assertThat(three().hosts(offset("x", pod("a", 2)))).containsExactly("a->h1");
  }

  @Test
  void otherPodsArePassedOver() {
    Pod elsewhere = pod("a", 0).toBuilder()
        .editMetadata()
        .withNamespace("other")
        .endMetadata()
        .build();
    Pod unknown = pod("b", 0).toBuilder()
        .editMetadata()
        .addToAnnotations(PodPlacer.WORKLOAD, "another")
        .endMetadata()
        .build();
    assertThat(
            three().hosts(elsewhere, unknown, of("another", pod("c", 0)), new Pod(), pod("d", 2)))
        .containsExactly("d->h2");
  }

  @Test
  void nothingGoesToAHostThatHasFailed() {
    PlacedWorkload workload = three();
    assertThat(PodPlacer.place(
            workload.workload(),
            workload.admission(),
            List.of(pod("a", 0), pod("b", 1), pod("c", 2)),
            Set.of("h1")))
        .extracting(placement -> placement.pod().getMetadata().getName())
        .containsExactly("c");
  }

  @Test
  void aRackMayHaveTheNameOfAHostThatHasFailed() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(
            podSet(1),
            new TopologyAssignment(List.of("rack"), List.of(new Domain(List.of("h1"), 1))));
    assertThat(PodPlacer.place(
            workload.workload(), workload.admission(), List.of(pod("a", 0)), Set.of("h1")))
        .hasSize(1);
  }

  @Test
  void aPlacedPodSelectsItsDomainAndKeepsOtherGates() {
    PlacedWorkload workload = new PlacedWorkload()
        .podSet(
            podSet(1),
            new TopologyAssignment(
                ImmutableList.of("block", "rack"),
                ImmutableList.of(new Domain(ImmutableList.of("b1", "r2"), 1))));
    Pod gated = pod("a", 0).toBuilder()
        .editSpec()
        .addToNodeSelector("pool", "gpu")
        .addToNodeSelector("rack", "stale")
        .addNewSchedulingGate("example.com/other")
        .endSpec()
        .build();
    PodPlacer.Placement placement = workload.place(gated).get(0);
    assertThat(placement.podSet()).isEqualTo("main");
    assertThat(placement.nodeSelector()).isEqualTo(Map.of("block", "b1", "rack", "r2"));
    Pod ungated = placement.ungated();
    assertThat(ungated.getSpec().getNodeSelector())
        .isEqualTo(Map.of("pool", "gpu", "block", "b1", "rack", "r2"));
    assertThat(ungated.getSpec().getSchedulingGates())
        .singleElement()
        .satisfies(gate -> assertThat(gate.getName()).isEqualTo("example.com/other"));
    assertThat(gated.getSpec().getSchedulingGates()).hasSize(2);
    assertThat(workload.place(ungated)).isEmpty();
  }

  @Test
  void withoutDomainsNoPodIsPlaced() {
    Workload workload = three().workload();
    Admission unplaced = Admission.builder()
        .workload(workload.id())
        .clusterQueue("cq")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(PodSetAssignment.builder().name("main").count(3).build())
        .build();
    assertThat(PodPlacer.place(workload, unplaced, List.of(pod("a", 0)))).isEmpty();
  }

  @Test
  void theAdmissionOfAnotherWorkloadIsAnError() {
    Workload other = Workload.builder().namespace("ns").name("x").queueName("q").build();
    assertThatThrownBy(() -> PodPlacer.place(other, three().admission(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the admission is of workload ns/w, expected one of ns/x");
  }
}
