package io.kueue4j.core.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EventHeapTest {
  /** An event, or the removal of the first one if {@code time} is negative. */
  record Call(long time, int kind) {}

  private record Event(long time, int kind, int number) {}

  @Provide
  Arbitrary<List<Call>> calls() {
    return Choices.lists(
        200, choices -> new Call(choices.oneIn(3) ? -1 : choices.nextInt(10), choices.nextInt(3)));
  }

  @Property(tries = 200)
  void eventsComeByTimeThenKindThenInsertion(@ForAll("calls") List<Call> calls) {
    EventHeap heap = new EventHeap();
    PriorityQueue<Event> expected = new PriorityQueue<>(Comparator.comparingLong(Event::time)
        .thenComparingInt(Event::kind)
        .thenComparingInt(Event::number));
    List<Event> removed = new ArrayList<>();
    List<Event> expectedRemoved = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (call.time >= 0) {
        heap.add(call.time, call.kind, i, -i);
        expected.add(new Event(call.time, call.kind, i));
      } else if (!expected.isEmpty()) {
        removed.add(new Event(heap.time(), heap.kind(), heap.subject()));
        assertThat(heap.detail()).isEqualTo(-heap.subject());
        heap.removeFirst();
        expectedRemoved.add(expected.remove());
      }
    }

    assertThat(removed).isEqualTo(expectedRemoved);
    assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
  }

  @Example
  void whatNeverHappensIsNotAdded() {
    EventHeap heap = new EventHeap();
    heap.add(EventHeap.after(Long.MAX_VALUE - 5, 10), 0, 0, 0);

    assertThat(heap.isEmpty()).isTrue();
    assertThat(heap.time()).isEqualTo(EventHeap.NEVER);
    assertThatIllegalStateException().isThrownBy(heap::removeFirst);
  }
}
