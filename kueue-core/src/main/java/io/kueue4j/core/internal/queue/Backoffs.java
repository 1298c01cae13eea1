package io.kueue4j.core.internal.queue;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The workloads of a queue that are in backoff, by its end. Reports when the next one ends. */
final class Backoffs {
  private final IndexedHeap<PendingWorkload> workloads =
      new IndexedHeap<>(PendingWorkload::compareBackoff);

  private final QueueObserver observer;
  private @Nullable Instant reported;

  Backoffs(QueueObserver observer) {
    this.observer = observer;
  }

  void add(PendingWorkload workload) {
    workloads.add(workload);
    report();
  }

  void remove(PendingWorkload workload) {
    workloads.remove(workload);
    report();
  }

  boolean contains(PendingWorkload workload) {
    return workload.isIn(workloads);
  }

  boolean isEmpty() {
    return workloads.isEmpty();
  }

  int size() {
    return workloads.size();
  }

  /** {@return the next workload whose backoff is over at {@code now}, null if there is none} */
  @Nullable
  PendingWorkload due(Instant now) {
    return !workloads.isEmpty() && workloads.first().isBackoffOver(now) ? workloads.first() : null;
  }

  /** {@return the next end of a backoff, null if none ever ends by itself} */
  @Nullable
  Instant nextEnd() {
    if (workloads.isEmpty()) {
      return null;
    }
    Instant end = workloads.first().backoffEnd();
    return end.equals(Instant.MAX) ? null : end;
  }

  private void report() {
    Instant next = nextEnd();
    if (!Objects.equals(next, reported)) {
      reported = next;
      observer.nextReleaseChanged(next);
    }
  }

  void forEach(Consumer<? super PendingWorkload> action) {
    workloads.forEach(action);
  }

  /** Fills this empty instance with the counterparts of the workloads of another. */
  void fillFrom(Backoffs other, UnaryOperator<PendingWorkload> counterpart) {
    workloads.fillFrom(other.workloads, counterpart);
    report();
  }
}
