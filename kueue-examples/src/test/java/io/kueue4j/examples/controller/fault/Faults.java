package io.kueue4j.examples.controller.fault;

import java.util.Random;

/**
 * How often what goes wrong in a run, each in percent of the writes or of the events.
 *
 * @param killBefore the process ends before a write
 * @param killAfter it ends after the write was made, which it never learns
 * @param unavailable the outcome is reported as unknown; the write failed
 * @param unanswered the outcome is reported as unknown; the write succeeded
 * @param late the outcome is reported as unknown; the write will be made later
 * @param refused a webhook does not want the write this time
 * @param repeated an event comes again after others
 * @param reordered events of different objects come in any order
 * @param relisted the watch breaks; a list takes its place
 */
record Faults(
    int killBefore,
    int killAfter,
    int unavailable,
    int unanswered,
    int late,
    int refused,
    int repeated,
    int reordered,
    int relisted) {
  static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** {@return the rates of a run: for each kind of fault zero, low or high} */
  static Faults of(Random random) {
    return new Faults(
        some(random, 4),
        some(random, 4),
        some(random, 8),
        some(random, 8),
        some(random, 6),
        some(random, 3),
        some(random, 15),
        some(random, 100),
        some(random, 5));
  }

  private static int some(Random random, int many) {
    return switch (random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> Math.max(1, many / 3);
      default -> many;
    };
  }

  static boolean happens(Random random, int percent) {
    return percent > 0 && random.nextInt(100) < percent;
  }
}
