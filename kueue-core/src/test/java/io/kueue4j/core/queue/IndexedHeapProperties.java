package io.kueue4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
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
    List<Item> drained = new ArrayList<>();
    while (!heap.isEmpty()) {
      drained.add(heap.first());
      heap.remove(heap.first());
    }
    assertThat(drained).containsExactlyElementsOf(items);
  }
}
