package io.kueue4j.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

class SelectionProperties {
  @Property(tries = 300)
  void isInOrderHoweverItIsRead(
      @ForAll @UniqueElements @Size(max = 40) List<Integer> elements,
      @ForAll @Size(max = 20) List<@IntRange(max = 39) Integer> reads) {
    List<Integer> sorted = elements.stream().sorted().toList();
    Selection<Integer> selection =
        new Selection<>(new ArrayList<>(elements), Comparator.naturalOrder());

    for (int read : reads) {
      if (read < sorted.size()) {
        assertThat(selection.get(read)).isEqualTo(sorted.get(read));
      }
      assertThat(selection.size()).isEqualTo(sorted.size());
      assertThat(selection.isEmpty()).isEqualTo(sorted.isEmpty());
    }
    assertThat(IntStream.range(0, sorted.size()).mapToObj(selection::get).toList())
        .isEqualTo(sorted);
  }

  @Example
  void readingAFewOfManyDoesNotSortThem() {
    List<Integer> elements = new ArrayList<>(IntStream.range(0, 10_000).boxed().toList());
    Collections.shuffle(elements, new Random(1));
    AtomicInteger comparisons = new AtomicInteger();

    Selection<Integer> selection = new Selection<>(elements, (a, b) -> {
      comparisons.incrementAndGet();
      return a.compareTo(b);
    });

    assertThat(selection.get(2)).isEqualTo(2);
    assertThat(comparisons).as("two for each to begin with").hasValueLessThan(20_200);
  }
}
