package io.kueue4j.examples.tpu.study;

/** The counters of one simulation, and the figures derived from them. */
final class StudyCounts {
  /** Four cubes: slices of at least this size are also counted separately, as they suffer most. */
  private static final int LARGE_CHIPS = 256;

  private final long chips;
  private boolean counting;
  private double time;
  private double busyChipTime;
  private long offered;
  private long admitted;
  private long offeredChips;
  private long admittedChips;
  private long offeredLargeChips;
  private long admittedLargeChips;
  private long nanos;
  private int moves;
  private long movedChips;

  StudyCounts(long chips) {
    this.chips = chips;
  }

  void begin(StudyPlacer placer) {
    counting = true;
    moves = -placer.moves();
    movedChips = -placer.movedChips();
  }

  void finish(StudyPlacer placer) {
    moves += placer.moves();
    movedChips += placer.movedChips();
  }

  void passed(double duration, long busyChips) {
    if (counting) {
      time += duration;
      busyChipTime += duration * busyChips;
    }
  }

  void offered(int jobChips, boolean placed, long nanosNeeded) {
    if (!counting) {
      return;
    }
    boolean large = jobChips >= LARGE_CHIPS;
    offered++;
    offeredChips += jobChips;
    offeredLargeChips += large ? jobChips : 0;
    nanos += nanosNeeded;
    if (placed) {
      admitted++;
      admittedChips += jobChips;
      admittedLargeChips += large ? jobChips : 0;
    }
  }

  StudyFigures figures() {
    return new StudyFigures(
        ratio(busyChipTime, time * chips),
        ratio(admitted, offered),
        ratio(admittedChips, offeredChips),
        ratio(admittedLargeChips, offeredLargeChips),
        ratio(moves, admitted),
        ratio(movedChips, admittedChips),
        ratio(nanos, offered) / 1_000);
  }

  private static double ratio(long part, long whole) {
    return ratio((double) part, (double) whole);
  }

  private static double ratio(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
