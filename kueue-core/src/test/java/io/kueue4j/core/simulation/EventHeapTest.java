package io.kueue4j.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

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
        Event added = new Event(call.time, call.kind, i);
        heap.add(call.time, call.kind, () -> removed.add(added));
        expected.add(new Event(call.time, call.kind, i));
      } else if (!expected.isEmpty()) {
        assertThat(heap.time()).isEqualTo(expected.element().time);
        EventHeap.Event first = heap.remove();
        assertThat(first.action().getAsBoolean()).isTrue();
        expectedRemoved.add(expected.remove());
      }
    }

    assertThat(removed).isEqualTo(expectedRemoved);
    assertThat(heap.time() == EventHeap.NEVER).isEqualTo(expected.isEmpty());
  }

  @Example
  void whatNeverHappensIsNotAdded() {
    EventHeap heap = new EventHeap();
    heap.add(EventHeap.NEVER, 0, () -> true);

    assertThat(heap.time()).isEqualTo(EventHeap.NEVER);
  }
}
