package io.kueue4j.examples.controller.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecordedSlicesTest {
  private static Stream<String> hosts(String cube) {
    return IntStream.range(0, 16).mapToObj(host -> cube + "-" + host);
  }

  private static TpuPool cubes(String... names) {
    return TpuPool.cubes("block", TpuGeneration.V7X, names.length)
        .withNodes(Stream.of(names).flatMap(RecordedSlicesTest::hosts).toList());
  }

  private static Admission admission(SlicePlacement... placements) {
    return Admission.builder()
        .workload(WorkloadId.of("default", "job"))
        .clusterQueue("queue")
        .quotaReservedTime(Instant.EPOCH)
        .addPodSetAssignments(PodSetAssignment.builder()
            .name("main")
            .count(2)
            .putFlavors("google.com/tpu", "tpu")
            .addAllSlices(Stream.of(placements)
                .map(placement -> new SliceAssignment("tpu", placement))
                .toList())
            .build())
        .build();
  }

  private static Admission restored(Admission given, TpuPool present) {
    return RecordedSlices.restore(
        RecordedSlices.without(given),
        RecordedSlices.write(given),
        ImmutableMap.of("tpu", TpuPoolSet.of("tpu", present)));
  }

  @Test
  void slicesAreFoundAgain() {
    TpuPool pool = TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(4, 8), 4)
        .withAlignment(TpuPool.Alignment.HOST_ALIGNED)
        .withNodes(IntStream.range(0, 8).mapToObj(host -> "n" + host).toList());
    Admission given = admission(
        SlicePlacement.ofBox(pool, SliceShape.of(2, 4), AxisOrder.XYZ, 1),
        SlicePlacement.ofBox(pool, SliceShape.of(2, 4), AxisOrder.XYZ, 4));
    assertThat(restored(given, pool)).isEqualTo(given);
  }

  @Test
  void cubesAreFoundAgainUnderOtherNumbers() {
    Admission given = admission(
        SlicePlacement.ofCubes(cubes("a", "c", "d"), SliceShape.of(4, 4, 8), List.of(2, 0)));
    List<SliceAssignment> slices =
        restored(given, cubes("a", "b", "c", "d")).podSetAssignments().get(0).slices();
    assertThat(slices).singleElement().satisfies(slice -> {
      assertThat(slice.placement().cubes()).isEqualTo(List.of(3, 0));
      assertThat(slice.hosts())
          .isEqualTo(given.podSetAssignments().get(0).slices().get(0).hosts());
    });
  }

  @Test
  void slicesWhoseNodesAreGoneAreNotFound() {
    Admission given =
        admission(SlicePlacement.ofCubes(cubes("a", "b"), SliceShape.of(4, 4, 4), List.of(1)));
    assertThat(restored(given, cubes("a", "c"))).isEqualTo(RecordedSlices.without(given));
    Admission both =
        admission(SlicePlacement.ofCubes(cubes("a", "b"), SliceShape.of(4, 4, 8), List.of(0, 1)));
    assertThat(restored(both, cubes("a", "c"))).isEqualTo(RecordedSlices.without(both));
  }

  @Test
  void aPartOfACubeIsFoundAgain() {
    Admission given =
        admission(SlicePlacement.ofBox(cubes("a", "b"), SliceShape.of(2, 2, 4), AxisOrder.XYZ, 18));
    assertThat(restored(given, cubes("a", "b"))).isEqualTo(given);
  }

  @Test
  void otherTextIsIgnored() {
    Admission plain = RecordedSlices.without(admission());
    for (String text : List.of("{\"main\": 7}", "nonsense", "{\"main\": [{}]}")) {
      assertThat(RecordedSlices.restore(plain, text, ImmutableMap.of())).isEqualTo(plain);
    }
  }
}
