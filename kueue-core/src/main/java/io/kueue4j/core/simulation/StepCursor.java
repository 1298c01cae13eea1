package io.kueue4j.core.simulation;

/** A position in a step function, which moves forward in time. */
final class StepCursor {
  /** The time of the next step if there is none. */
  static final long NONE = Long.MAX_VALUE;

  private final StepFunction function;
  private int next;

  StepCursor(StepFunction function) {
    this.function = function;
  }

  /** {@return the earliest next step of any cursor} */
  static long first(StepCursor... cursors) {
    long first = NONE;
    for (StepCursor cursor : cursors) {
      first = Math.min(first, cursor.nextTime());
    }
    return first;
  }

  long nextTime() {
    return next < function.size() ? function.timeMillis(next) : NONE;
  }

  void moveTo(long time) {
    while (nextTime() <= time && next < function.size()) {
      next++;
    }
  }

  long value() {
    return next == 0 ? 0 : function.value(next - 1);
  }
}
