package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TpuPoolTest {
  private static final SliceShape FULL = SliceShape.parse("16x16");
  private static final TpuPool POD = TpuPool.grid("pod", TpuGeneration.V6E, FULL, 4);
  private static final TpuPool CUBES = TpuPool.cubes("block", TpuGeneration.V7X, 8);

  @Test
  void countsHosts() {
    assertThat(POD.hosts()).isEqualTo(64);
    assertThat(CUBES.hosts()).isEqualTo(128);
    assertThat(TpuPool.grid("p", TpuGeneration.V6E, FULL, 8).hosts()).isEqualTo(32);
    assertThat(TpuPool.grid("p", TpuGeneration.V6E, FULL, 1).hosts()).isEqualTo(256);
    assertThat(
            TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("16x16x16")).hosts())
        .isEqualTo(1024);
  }

  @Test
  void partsMustGoTogether() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuPool.grid("pod", TpuGeneration.V5P, FULL, 4))
        .withMessage("pool pod of 16x16 chips, expected 3 dimensions as generation v5p has");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuPool.cubes("block", TpuGeneration.V6E, 4))
        .withMessage("pool block of 4x4x4 chips, expected 2 dimensions as generation v6e has");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(3, 4), 4))
        .withMessage("pool pod of 3x4 chips, expected multiples of its hosts' 2x2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(16, 32), 4))
        .withMessage("pool pod of 16x32 chips, expected at most the 256 of a pod of v6e");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuPool.cubes("block", TpuGeneration.V7X, 0))
        .withMessage("pool block of 0 cubes, expected 1 to 16384");
    assertThatIllegalArgumentException()
        .isThrownBy(POD::withSeamCrossing)
        .withMessage("pool pod crosses seams, expected only of a fixed torus");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> POD.withNodes(List.of("a")))
        .withMessage("pool pod names 1 nodes, expected none or 64");
  }

  @Test
  void hostsOfASliceComeInTheOrderOfItsOwnAxes() {
    SlicePlacement straight =
        SlicePlacement.ofBox(POD, SliceShape.parse("4x8"), AxisOrder.XYZ, 8 * 2 + 3);
    assertThat(straight.hosts()).isEqualTo(List.of(19, 20, 27, 28, 35, 36, 43, 44));
    SlicePlacement turned =
        SlicePlacement.ofBox(POD, SliceShape.parse("4x8"), AxisOrder.YXZ, 8 * 2 + 3);
    assertThat(turned.hosts()).isEqualTo(List.of(19, 27, 20, 28, 21, 29, 22, 30));
  }

  @Test
  void hostsOfWholeCubesComeInTheOrderOfTheSlice() {
    SlicePlacement slice = SlicePlacement.ofCubes(CUBES, SliceShape.parse("4x4x8"), List.of(5, 2));
    assertThat(slice.hosts().stream())
        .containsExactlyElementsOf(
            IntStream.concat(IntStream.range(80, 96), IntStream.range(32, 48))
                .boxed()
                .toList());
    SlicePlacement wide =
        SlicePlacement.ofCubes(CUBES, SliceShape.parse("4x8x8"), List.of(0, 1, 2, 3));
    assertThat(wide.host(0, 2, 0)).isEqualTo(16);
    assertThat(wide.host(1, 3, 4)).isEqualTo(48 + 1 + 2);
    assertThat(wide.host(0, 0, 4)).isEqualTo(32);
  }

  @Test
  void sliceMustLieInItsPool() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlicePlacement.ofBox(POD, SliceShape.parse("4x8"), AxisOrder.YXZ, 5))
        .withMessage("slice 4x8 YXZ at host 5 reaches out of pool pod of 16x16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlicePlacement.ofBox(POD, SliceShape.parse("4x8"), AxisOrder.XYZ, 64))
        .withMessage("slice 4x8 at host 64 of pool pod, expected 0 to 63");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlicePlacement.ofCubes(CUBES, SliceShape.parse("4x4x8"), List.of(3, 3)))
        .withMessage(
            "slice 4x4x8 in cubes [3, 3] of pool block, expected 2 distinct ones from 0 to 7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SlicePlacement.ofCubes(CUBES, SliceShape.parse("4x4x8"), List.of()))
        .withMessage("slice 4x4x8 in cubes [] of pool block, expected 2 distinct ones from 0 to 7");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SlicePlacement.ofBox(CUBES, SliceShape.parse("2x2x4"), AxisOrder.XYZ, 16 + 4))
        .withMessage("slice 2x2x4 XYZ at host 20 reaches out of pool block of 4x4x4");
  }

  @Test
  void slicesOfATorusMayCrossSeamsIfThePoolAllowsIt() {
    TpuPool torus =
        TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("8x8x8")).withSeamCrossing();
    SlicePlacement slice =
        SlicePlacement.ofBox(torus, SliceShape.parse("4x4x4"), AxisOrder.XYZ, 3 + 4 * 3 + 16 * 7);
    assertThat(slice.host(1, 0, 0)).isEqualTo(4 * 3 + 16 * 7);
    assertThat(slice.host(1, 1, 1)).isZero();
  }

  @Test
  void ringsOfATorusAreItsFullEdges() {
    TpuPool torus = TpuPool.torus("t", TpuGeneration.V4, SliceShape.parse("4x8x8"));
    SlicePlacement slice = SlicePlacement.ofBox(torus, SliceShape.parse("4x4x8"), AxisOrder.XYZ, 0);
    assertThat(List.of(slice.isRing(0), slice.isRing(1), slice.isRing(2)))
        .containsExactly(true, false, true);
    SlicePlacement turned =
        SlicePlacement.ofBox(torus, SliceShape.parse("4x4x8"), AxisOrder.XZY, 0);
    assertThat(List.of(turned.isRing(0), turned.isRing(1), turned.isRing(2)))
        .containsExactly(true, false, true);
    SlicePlacement cubes = SlicePlacement.ofCubes(CUBES, SliceShape.parse("4x4x8"), List.of(0, 1));
    assertThat(cubes.isRing(0)).isTrue();
  }

  @Test
  void namesNodesAndPartitions() {
    SliceShape part = SliceShape.parse("2x2x4");
    TpuPool named = CUBES
        .withNodes(IntStream.range(0, 128).mapToObj(i -> "node-" + i).toList())
        .withPartitionIds(ImmutableMap.of(
            new TpuPool.Block(part, 17), "part-17",
            new TpuPool.Block(SliceShape.parse("4x4x4"), 0), "cube-0",
            new TpuPool.Block(SliceShape.parse("4x4x4"), 32), "cube-2"));
    SlicePlacement box = SlicePlacement.ofBox(named, part, AxisOrder.XYZ, 17);
    assertThat(box.partitionIds()).containsExactly("part-17");
    assertThat(box.nodes()).containsExactly("node-17", "node-21", "node-25", "node-29");
    SliceShape two = SliceShape.parse("4x4x8");
    assertThat(SlicePlacement.ofCubes(named, two, List.of(2, 0)).partitionIds())
        .containsExactly("cube-2", "cube-0");
    assertThat(SlicePlacement.ofCubes(named, two, List.of(2, 1)).partitionIds()).isEmpty();
    assertThat(SlicePlacement.ofBox(CUBES, part, AxisOrder.XYZ, 17).nodes()).isEmpty();
  }
}
