package io.kueue4j.core.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The heap, operation by operation, against a list that is sorted anew. */
class IndexedHeapProperties {
  private static final Comparator<Item> ORDER =
      Comparator.<Item>comparingInt(item -> item.key).thenComparingInt(item -> item.number);

  private static final class Item extends IndexedHeap.Element {
    final int number;
    int key;

    Item(int number, int key) {
      this.number = number;
      this.key = key;
    }
  }

  @Property(tries = 500)
  void firstIsAlwaysTheLeast(
      @ForAll @Size(max = 60) List<@IntRange(max = 3) Integer> operations,
      @ForAll @Size(value = 60) List<@IntRange(max = 20) Integer> numbers) {
    IndexedHeap<Item> heap = new IndexedHeap<>(ORDER);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      int number = numbers.get(i);
      Item known = items.isEmpty() ? null : items.get(number % items.size());
      if (operations.get(i) <= 1 || known == null) {
        Item added = new Item(i, number);
        items.add(added);
        heap.add(added);
      } else if (operations.get(i) == 2) {
        items.remove(known);
        heap.remove(known);
        assertThat(known.isIn(heap)).isFalse();
      } else {
        known.key = 20 - number;
        heap.reorder(known);
      }
      items.sort(ORDER);
      assertThat(heap.size()).isEqualTo(items.size());
      assertThat(heap.isEmpty()).isEqualTo(items.isEmpty());
      if (!items.isEmpty()) {
        assertThat(heap.first()).isSameAs(items.get(0));
      }
      assertThat(items).allMatch(item -> item.isIn(heap));
    }
    assertThat(drained(heap)).containsExactlyElementsOf(items);
  }

  @Provide
  Arbitrary<Run> firstIsTheLeastOfThoseThatComeInOrderRuns() {
    return Run.of(choices -> {
      int disorder = 2 + choices.nextInt(40);
      IndexedHeap<Item> heap = new IndexedHeap<>(ORDER);
      List<Item> items = new ArrayList<>();
      choices.repeat(300, i -> {
        int what = choices.nextInt(10);
        boolean grows = i / 60 % 2 == 0;
        if (items.isEmpty() || what < (grows ? 7 : 3)) {
          Item added = new Item(i, choices.nextInt(disorder) == 0 ? choices.nextInt(1 + i) : i);
          choices.note("add %s with key %s", i, added.key);
          items.add(added);
          heap.add(added);
        } else {
          int index = choices.nextInt(disorder) == 0 ? choices.nextInt(items.size()) : 0;
          Item taken = items.remove(index);
          choices.note("remove %s%s", taken.number, what == 9 ? " and put it back" : "");
          heap.remove(taken);
          assertThat(taken.isIn(heap)).isFalse();
          if (what == 9) {
            items.add(taken);
            heap.add(taken);
          }
        }
        items.sort(ORDER);
        assertThat(heap.size()).isEqualTo(items.size());
        if (!items.isEmpty()) {
          assertThat(heap.first()).isSameAs(items.get(0));
        }
        if (i % 50 == 0) {
          IndexedHeap<Item> copy = new IndexedHeap<>(ORDER);
          copy.fillFrom(heap, item -> new Item(item.number, item.key));
          assertThat(drained(copy))
              .extracting(item -> item.number)
              .isEqualTo(items.stream().map(item -> item.number).toList());
        }
      });
      assertThat(drained(heap)).isEqualTo(items);
    });
  }

  /** As in a queue: mostly in order, taken from the front, and sometimes put back there. */
  @Property(tries = 200)
  void firstIsTheLeastOfThoseThatComeInOrder(
      @ForAll("firstIsTheLeastOfThoseThatComeInOrderRuns") Run run) {
    run.check();
  }

  private static List<Item> drained(IndexedHeap<Item> heap) {
    List<Item> drained = new ArrayList<>();
    while (!heap.isEmpty()) {
      drained.add(heap.first());
      heap.remove(heap.first());
    }
    return drained;
  }
}
