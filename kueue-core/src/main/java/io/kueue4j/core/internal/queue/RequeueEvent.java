package io.kueue4j.core.internal.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A requeue event of one queue. Moving groups as a whole, it costs little to take back and to
 * repeat, in contrast to a copy of the queue.
 */
final class RequeueEvent implements ReversibleChange {
  private final Consumer<List<Runnable>> change;

  /** The inverses of the steps, in their order; empty while the event is taken back. */
  private List<Runnable> inverses = new ArrayList<>();

  private boolean isApplied;

  /**
   * Creates an event that is not applied yet.
   *
   * @param change applies the event and adds the inverse of each step before the step, so that an
   *     event that fails half-way can be taken back
   */
  RequeueEvent(Consumer<List<Runnable>> change) {
    this.change = change;
  }

  void apply() {
    change.accept(inverses);
    isApplied = true;
  }

  void takeBack() {
    List<Runnable> steps = inverses;
    inverses = new ArrayList<>();
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
