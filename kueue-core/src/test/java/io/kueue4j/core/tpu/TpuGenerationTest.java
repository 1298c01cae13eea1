package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpuGenerationTest {
  private static TpuGeneration generation(String name) {
    return TpuGeneration.ALL.stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "v5e,1x1",
    "v5e,2x2",
    "v5e,2x4",
    "v6e,4x4",
    "v6e,4x8",
    "v6e,8x8",
    "v6e,8x16",
    "v6e,16x16",
    "v4,2x2x1",
    "v4,2x2x2",
    "v5p,2x2x4",
    "v7x,2x4x4",
    "v7x,4x4x4",
    "v5p,4x4x8",
    "v5p,4x8x12",
    "v4,8x4x4",
    "v5p,16x16x24",
    "v7x,16x16x36",
    "v4,16x16x16"
  })
  void knowsWhichSlicesThereAre(String name, String shape) {
    assertThat(generation(name).problem(SliceShape.parse(shape))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v6e|8x4|8x4 is no slice of v6e: write 4x8; there are [1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16]",
        "v5e|2x8|2x8 is no slice of v5e: the next larger one is 4x8; there are [1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16]",
        "v5e|16x32|16x32 is no slice of v5e: the largest is 16x16; there are [1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16]",
        "v6e|4x4x4|4x4x4 has 3 dimensions, slices of v6e have 2, for example 2x2",
        "v5p|4x4|4x4 has 2 dimensions, slices of v5p have 3, for example 2x2x2",
        "v5p|2x4x2|2x4x2 is no slice of v5p: write 2x2x4; there are [2x2x1, 2x2x2, 2x2x4, 2x4x4]",
        "v5p|1x1x1|1x1x1 is no slice of v5p: the next larger one is 2x2x1; there are [2x2x1, 2x2x2, 2x2x4, 2x4x4]",
        "v5p|4x4x6|4x4x6 is no slice of v5p: slices from 4x4x4 on have extents that are multiples of 4; write 4x4x8",
        "v5p|2x4x8|2x4x8 is no slice of v5p: slices from 4x4x4 on have extents that are multiples of 4; write 4x4x8",
        "v7x|8x4x4|8x4x4 is no slice of v7x: its extents must not decrease; write 4x4x8",
        "v7x|4x8x4|4x8x4 is no slice of v7x: its extents must not decrease; write 4x4x8",
        "v5p|16x20x28|16x20x28 is no slice of v5p: it has 8960 chips, at most 6144 are possible",
        "v4|16x16x20|16x16x20 is no slice of v4: it has 5120 chips, at most 4096 are possible"
      })
  void saysWhatIsWrongAndWhatWouldBeRight(String name, String shape, String problem) {
    assertThat(generation(name).problem(SliceShape.parse(shape))).contains(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "v6e,4x8,v6e-32",
    "v5e,16x16,v5litepod-256",
    "v4,4x4x4,v4-128",
    "v5p,4x4x8,v5p-256",
    "v7x,2x2x1,tpu7x-8"
  })
  void namesAcceleratorTypes(String name, String shape, String type) {
    assertThat(generation(name).acceleratorType(SliceShape.parse(shape))).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource({
    "v6e,16x16,true,true,false", "v6e,8x16,false,true,false", "v5e,8x8,false,false,false",
    "v5p,4x4x4,true,true,true", "v5p,2x4x4,false,false,false", "v7x,4x8x8,true,true,true"
  })
  void knowsWhichAxesCloseRings(String name, String shape, boolean x, boolean y, boolean z) {
    boolean[] rings = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
      assertThat(generation(name).isRing(SliceShape.parse(shape), axis)).isEqualTo(rings[axis]);
    }
  }

  @Test
  void findsTheBoxOfAHost() {
    assertThat(TpuGeneration.V6E.hostBox(4)).hasToString("2x2");
    assertThat(TpuGeneration.V6E.hostBox(8)).hasToString("2x4");
    assertThat(TpuGeneration.V5P.hostBox(4)).hasToString("2x2x1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TpuGeneration.V6E.hostBox(3))
        .withMessage("hosts of 3 chips in generation v6e, expected boxes of [1x1, 2x2, 2x4]");
  }

  @Test
  void isFoundByTheLabelOfNodes() {
    assertThat(TpuGeneration.ALL)
        .allSatisfy(
            row -> assertThat(TpuGeneration.ofAccelerator(row.accelerator())).contains(row));
    assertThat(TpuGeneration.ofAccelerator("nvidia-l4")).isEmpty();
  }

  /** Room is counted by blocks; each must be made of the next smaller ones. */
  @Test
  void blocksDivideEachOther() {
    assertThat(TpuGeneration.ALL)
        .allSatisfy(row -> IntStream.range(1, row.blocks().size()).forEach(i -> {
          SliceShape larger = row.blocks().get(i - 1);
          SliceShape smaller = row.blocks().get(i);
          assertThat(larger.chips()).isGreaterThan(smaller.chips());
          for (int axis = 0; axis < 3; axis++) {
            assertThat(larger.extent(axis) % smaller.extent(axis)).isZero();
          }
        }));
  }
}
