package io.kueue4j.core.internal.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.support.RetainedCells;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ColumnMapTest {
  /** The map and its two arrays. */
  private static final int FIXED_CELLS = 3;

  private final Catalog catalog = new Catalog();

  private ResourceName[] resources(int... numbers) {
    ResourceName[] resources = new ResourceName[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      resources[i] = catalog.resource("r" + numbers[i]);
    }
    return resources;
  }

  @Test
  void hasNothingButWhatItWasGiven() {
    Random random = new Random(1);
    for (int size = 0; size < 200; size++) {
      int bound = random.nextBoolean() ? 2 * size + 1 : Integer.MAX_VALUE;
      ResourceName[] keys =
          resources(random.ints(0, bound).distinct().limit(size).toArray());
      Map<ResourceName, Integer> model = new HashMap<>();
      for (int i = 0; i < size; i++) {
        model.put(keys[i], i);
      }
      ColumnMap<ResourceName> map = ColumnMap.indexing(keys);

      model.forEach((key, index) -> assertThat(map.get(key)).isEqualTo(index));
      for (ResourceName key : resources(random.ints(100, 0, bound).toArray())) {
        assertThat(map.get(key)).isEqualTo(model.getOrDefault(key, ColumnMap.ABSENT));
      }
    }
  }

  @Test
  void isEmptyWithoutKeys() {
    assertThat(ColumnMap.indexing(resources()).get(catalog.resource("gpu")))
        .isEqualTo(ColumnMap.ABSENT);
  }

  @Test
  void keepsKeysOfEqualHashApart() {
    ColumnMap<ResourceName> map =
        ColumnMap.indexing(new ResourceName[] {catalog.resource("Aa"), catalog.resource("x")});

    assertThat(catalog.resource("BB")).hasSameHashCodeAs(catalog.resource("Aa"));
    assertThat(map.get(catalog.resource("Aa"))).isZero();
    assertThat(map.get(catalog.resource("BB"))).isEqualTo(ColumnMap.ABSENT);
  }

  @Test
  void takesTheLastNumberOfAKey() {
    ResourceName[] keys = resources(7, 3, 7);
    ColumnMap<ResourceName> map = ColumnMap.of(keys, new int[] {1, 2, 3});

    assertThat(map.get(keys[0])).isEqualTo(3);
    assertThat(map.get(keys[1])).isEqualTo(2);
  }

  @Test
  void takesMemoryForItsKeysOnly() {
    int[] hundred = new Random(1).ints().distinct().limit(100).toArray();

    assertThat(cells(resources(Integer.MAX_VALUE, 5))).isEqualTo(FIXED_CELLS + 2 * 4);
    assertThat(cells(resources(hundred))).isEqualTo(FIXED_CELLS + 2 * 256);
  }

  private static long cells(ResourceName[] keys) {
    return RetainedCells.beside(List.of((Object) keys), ColumnMap.indexing(keys));
  }
}
