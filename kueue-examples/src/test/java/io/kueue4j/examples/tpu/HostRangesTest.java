package io.kueue4j.examples.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostRangesTest {
  private static final TpuPool POOL =
      TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(8, 8), 4);

  @Test
  void readsNumbersAndRanges() {
    assertThat(HostRanges.parse(POOL, "0")).containsExactly(0);
    assertThat(HostRanges.parse(POOL, "15")).containsExactly(15);
    assertThat(HostRanges.parse(POOL, "3-5")).containsExactly(3, 4, 5);
    assertThat(HostRanges.parse(POOL, "3-3")).containsExactly(3);
  }

  @Test
  void readsNamesOfNodes() {
    TpuPool named =
        POOL.withNodes(IntStream.range(0, 16).mapToObj(host -> "node-" + host).toList());
    assertThat(HostRanges.parse(named, "node-7")).containsExactly(7);
    assertThat(HostRanges.parse(named, "7-8")).containsExactly(7, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostRanges.parse(named, "node-16"))
        .withMessage("\"node-16\" is no host of pool pod; expected numbers from 0 to 15, ranges"
            + " such as 4-7, or names of its nodes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "16", "-1", "5-3", "1-16", "1-2-3", "a", "1.5", "99999999999", "1 2"})
  void refusesWhatIsNoHost(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostRanges.parse(POOL, text))
        .withMessage(
            "\"%s\" is no host of pool pod; expected numbers from 0 to 15, ranges such as 4-7"
                .formatted(text));
  }

  @Test
  void writesNeighboursTogether() {
    assertThat(HostRanges.format(List.of())).isEmpty();
    assertThat(HostRanges.format(List.of(4))).isEqualTo("4");
    assertThat(HostRanges.format(List.of(9, 0, 1, 2, 4, 8))).isEqualTo("0-2,4,8-9");
  }
}
