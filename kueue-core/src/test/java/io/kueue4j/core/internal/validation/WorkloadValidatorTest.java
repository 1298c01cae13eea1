package io.kueue4j.core.internal.validation;

import static io.kueue4j.core.internal.validation.Specs.fields;
import static io.kueue4j.core.internal.validation.Specs.names;
import static io.kueue4j.core.internal.validation.Specs.podSet;
import static io.kueue4j.core.internal.validation.Specs.problems;
import static io.kueue4j.core.internal.validation.Specs.workload;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules M-25, M-26, M-27 and M-30. */
class WorkloadValidatorTest {
  private static List<PodSet> podSets(int count) {
    return names("p", 0, count).stream()
        .map(name -> podSet(podSet -> podSet.name(name)))
        .toList();
  }

  @Test
  void acceptsOnePodWithoutRequests() {
    assertThat(problems(workload(podSet(podSet -> podSet)))).isEmpty();
  }

  @Test
  void refusesEmptyNames() {
    Workload nameless = Workload.builder()
        .namespace("")
        .name("")
        .queueName("")
        .addPodSets(podSet(podSet -> podSet.name("")))
        .build();
    assertThat(fields(nameless))
        .containsExactly("namespace", "name", "queueName", "podSets[0].name");
  }

  @Test
  void refusesNamesThatKubernetesWouldNotTake() {
    Workload misnamed = Workload.builder()
        .namespace("a.b")
        .name("A")
        .queueName("a/b")
        .priorityClass("a b")
        .addPodSets(podSet(podSet -> podSet.name("a.b")))
        .build();
    assertThat(fields(misnamed))
        .containsExactly("namespace", "name", "queueName", "priorityClass", "podSets[0].name");
  }

  @Test
  void refusesAWorkloadWithoutPodSets() {
    assertThat(fields(workload())).containsExactly("podSets");
  }

  @Test
  void accepts18PodSetsAndNoMore() {
    assertThat(fields(workload(w -> w.addAllPodSets(podSets(18))))).isEmpty();
    assertThat(fields(workload(w -> w.addAllPodSets(podSets(19))))).containsExactly("podSets");
  }

  @Test
  void refusesAnIntervalOfCheckpointsOfNoLength() {
    assertThat(
            problems(workload(w -> w.addPodSets(podSet(p -> p)).checkpointInterval(Duration.ZERO))))
        .containsExactly("checkpointInterval: PT0S; expected more than 0");
  }

  @Test
  void refusesAnExpectedDurationOfNoLength() {
    assertThat(
            problems(workload(w -> w.addPodSets(podSet(p -> p)).expectedDuration(Duration.ZERO))))
        .containsExactly("expectedDuration: PT0S; expected more than 0");
  }

  static Stream<UnaryOperator<PodSet.Builder>> wishesThatNoSliceHas() {
    SliceRequest slice = SliceRequest.of("4x4");
    Map<String, Set<Integer>> hosts = Map.of("pod", Set.of(0));
    List<SliceShape> shapes = List.of(SliceShape.parse("4x4"), SliceShape.parse("2x4"));
    return Stream.of(
        podSet -> podSet.minCount(4),
        podSet -> podSet.topologyRequest(TopologyRequest.required(Topology.HOSTNAME)),
        podSet -> podSet.sliceRequest(slice.withAvoid(hosts)),
        podSet -> podSet.sliceRequest(slice.withPin(hosts)),
        podSet -> podSet.sliceRequest(slice.withShapes(shapes)));
  }

  @ParameterizedTest
  @MethodSource("wishesThatNoSliceHas")
  void refusesWishesThatNoSliceHas(UnaryOperator<PodSet.Builder> wish) {
    PodSet.Builder podSet = PodSet.builder()
        .count(4)
        .requestAmount(ResourceNames.TPU, 4)
        .sliceRequest(SliceRequest.of("4x4"));
    assertThat(problems(workload(podSet.build()))).isEmpty();

    assertThat(fields(workload(wish.apply(podSet).build())))
        .containsExactly("podSets[0].sliceRequest");
  }

  @ParameterizedTest
  @CsvSource({
    "4, 4, , ''",
    "4, , 4, ''",
    "4, 8, 4, ''",
    "2, 4, , 2 pods of 4 chips for 16 chips that a slice 4x4 has; expected 4 pods",
    "4, , , 0 chips per pod; expected the number of chips of a host",
  })
  void thePodsOfASliceHaveItsChips(
      int pods, @Nullable Long requests, @Nullable Long podRequests, String problem) {
    PodSet.Builder podSet = PodSet.builder().count(pods).sliceRequest(SliceRequest.of("4x4"));
    if (requests != null) {
      podSet.requestAmount(ResourceNames.TPU, requests);
    }
    if (podRequests != null) {
      podSet.podRequests(ImmutableSortedMap.of(ResourceNames.TPU, podRequests));
    }
    assertThat(problems(workload(podSet.build())))
        .isEqualTo(
            problem.isEmpty()
                ? List.of()
                : List.of("podSets[0].requests[google.com/tpu]: " + problem));
  }

  @Test
  void refusesTwoPodSetsOfOneName() {
    assertThat(fields(workload(podSet(p -> p.name("a")), podSet(p -> p.name("a")))))
        .containsExactly("podSets[1].name");
  }

  @Test
  void acceptsNoPodsButNotFewer() {
    assertThat(problems(workload(podSet(p -> p.count(0))))).isEmpty();
    assertThat(fields(workload(podSet(p -> p.count(-1))))).containsExactly("podSets[0].count");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, true",
    "1, 5, true",
    "5, 5, true",
    "0, 5, true",
    "0, 0, true",
    "-1, 5, false",
    "6, 5, false"
  })
  void acceptsAMinCountFromZeroToTheCount(int minCount, int count, boolean valid) {
    Workload workload = workload(podSet(p -> p.count(count).minCount(minCount)));
    assertThat(fields(workload)).isEqualTo(valid ? List.of() : List.of("podSets[0].minCount"));
  }

  @Test
  void refusesASecondPodSetWithMinCount() {
    Workload two = workload(
        podSet(p -> p.name("a").count(2).minCount(1)),
        podSet(p -> p.name("b")),
        podSet(p -> p.name("c").count(2).minCount(2)));
    assertThat(problems(two))
        .containsExactly("podSets: 2 pod sets with minCount; expected at most one");
  }

  @Test
  void refusesRequestsOfPods() {
    assertThat(fields(workload(podSet(p -> p.requestAmount("pods", 1)))))
        .containsExactly("podSets[0].requests[pods]");
  }

  @Test
  void refusesNegativeRequestsButNotZero() {
    assertThat(problems(workload(podSet(p -> p.requestAmount("cpu", 0))))).isEmpty();
    assertThat(problems(workload(podSet(p -> p.requestAmount("cpu", -1500)))))
        .containsExactly("podSets[0].requests[cpu]: -1500m is negative; expected 0 or more");
  }

  @Test
  void refusesRequestsOfWhatIsNoResource() {
    assertThat(fields(workload(podSet(p -> p.requestAmount("a b", 1)))))
        .containsExactly("podSets[0].requests[a b]");
  }

  @ParameterizedTest
  @CsvSource({"a, 0, true", "a, 5, true", "a, 6, false", "a, -1, false", "b, 0, false"})
  void acceptsReclaimablePodsUpToTheCountOfAnExistingPodSet(
      String podSet, int reclaimable, boolean valid) {
    Workload workload = workload(podSet(p -> p.name("a").count(5)));
    assertThat(WorkloadValidator.validateReclaimable(workload, Map.of(podSet, reclaimable)))
        .extracting(Violation::field)
        .isEqualTo(valid ? List.of() : List.of("reclaimablePods[" + podSet + "]"));
  }

  @Test
  void findsEveryViolationAtOnce() {
    Workload bad = workload(
        podSet(p -> p.name("a").count(-1)),
        podSet(p -> p.name("a").count(1).minCount(2).requestAmount("pods", -1)));
    assertThat(fields(bad))
        .containsExactly(
            "podSets[0].count",
            "podSets[1].name",
            "podSets[1].minCount",
            "podSets[1].requests[pods]",
            "podSets[1].requests[pods]");
  }
}
