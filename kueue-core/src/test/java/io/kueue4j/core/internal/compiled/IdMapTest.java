package io.kueue4j.core.internal.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IdMapTest {
  @Test
  void hasNothingButWhatItWasGiven() {
    Random random = new Random(1);
    for (int size = 0; size < 200; size++) {
      int bound = random.nextBoolean() ? 2 * size + 1 : Integer.MAX_VALUE;
      int[] ids = random.ints(0, bound).distinct().limit(size).toArray();
      Map<Integer, Integer> model = new HashMap<>();
      for (int i = 0; i < size; i++) {
        model.put(ids[i], i);
      }
      IdMap map = IdMap.indexing(ids);

      model.forEach((id, index) -> assertThat(map.get(id)).isEqualTo(index));
      random
          .ints(100, 0, bound)
          .forEach(id -> assertThat(map.get(id)).isEqualTo(model.getOrDefault(id, IdMap.ABSENT)));
    }
  }

  @Test
  void isEmptyWithoutIds() {
    assertThat(IdMap.indexing(new int[0]).get(0)).isEqualTo(IdMap.ABSENT);
  }

  @Test
  void takesTheLastNumberOfAnId() {
    IdMap map = IdMap.of(new int[] {7, 3, 7}, new int[] {1, 2, 3});

    assertThat(map.get(7)).isEqualTo(3);
    assertThat(map.get(3)).isEqualTo(2);
  }

  @Test
  void takesMemoryForItsIdsOnly() {
    assertThat(IdMap.indexing(new int[] {Integer.MAX_VALUE, 5}).capacity()).isEqualTo(4);
    assertThat(IdMap.indexing(IntStream.range(900, 1000).toArray()).capacity()).isEqualTo(256);
  }
}
