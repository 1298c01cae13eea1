package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceShapeTest {
  @ParameterizedTest
  @CsvSource({"1x1,1", "4x8,32", "16x16,256", "2x2x1,4", "4x4x8,128", "16x16x24,6144"})
  void isReadAndWrittenAsGkeDoes(String text, int chips) {
    assertThat(SliceShape.parse(text)).hasToString(text);
    assertThat(SliceShape.parse(text).chips()).isEqualTo(chips);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "4", "4x", "x4", "4xx4", "4x4x4x4", "4X4", "-4x4", "04x4", "0x4", "4x99999"})
  void whatIsNoTopologyIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SliceShape.parse(text))
        .withMessage(
            "\"%s\" is not a topology, expected two or three numbers of chips such as 4x8 or 4x4x8",
            text);
  }

  @Test
  void extentsHaveBounds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SliceShape.parse("4x1025"))
        .withMessage("an extent of 1025 chips, expected 1 to 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SliceShape(2, 4, 4, 2))
        .withMessage("third extent 2 of a shape of 2 dimensions, expected 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SliceShape(1, 4, 1, 1))
        .withMessage("a shape of 1 dimensions, expected 2 or 3");
  }

  @Test
  void twoAndThreeDimensionsAreDifferent() {
    assertThat(SliceShape.parse("2x2")).isNotEqualTo(SliceShape.parse("2x2x1"));
  }

  @ParameterizedTest
  @CsvSource({
    "4x4x8,true",
    "4x8x8,true",
    "8x8x16,true",
    "8x16x16,true",
    "4x4x4,false",
    "4x4x16,false",
    "4x8x16,false",
    "8x12x16,false",
    "2x2x4,false",
    "4x8,false",
    "12x12x24,true"
  })
  void tellsWhichToriCanBeTwisted(String text, boolean twistable) {
    assertThat(SliceShape.parse(text).isTwistable()).isEqualTo(twistable);
  }

  @ParameterizedTest
  @EnumSource(AxisOrder.class)
  void turningLaysEachAxisWhereTheOrderSays(AxisOrder order) {
    SliceShape shape = SliceShape.parse("2x4x8");
    SliceShape turned = shape.turned(order);
    for (int axis = 0; axis < 3; axis++) {
      assertThat(turned.extent(order.poolAxis(axis))).isEqualTo(shape.extent(axis));
      assertThat(order.sliceAxis(order.poolAxis(axis))).isEqualTo(axis);
    }
  }
}
