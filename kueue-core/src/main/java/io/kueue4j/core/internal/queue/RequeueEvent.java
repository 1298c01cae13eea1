package io.kueue4j.core.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A requeue event of one queue. Moving groups as a whole, it costs little to take back and to
 * repeat, in contrast to a copy of the queue.
 */
final class RequeueEvent implements ReversibleChange {
  private final Supplier<List<Runnable>> change;

  /** The inverses of the steps, in their order; empty while the event is taken back. */
  private List<Runnable> inverses = List.of();

  private boolean isApplied;

  /**
   * Creates an event that is not applied yet.
   *
   * @param change applies the event and returns the inverses of its steps
   */
  RequeueEvent(Supplier<List<Runnable>> change) {
    this.change = change;
  }

  void apply() {
    inverses = change.get();
    isApplied = true;
  }

  void takeBack() {
    List<Runnable> steps = new ArrayList<>(inverses);
    inverses = List.of();
    isApplied = false;
    for (int i = steps.size() - 1; i >= 0; i--) {
      steps.get(i).run();
    }
  }

  @Override
  public void runBefore(Runnable action) {
    if (!isApplied) {
      // The call that applied it has failed.
      action.run();
      return;
    }
    takeBack();
    try {
      action.run();
    } finally {
      apply();
    }
  }
}
