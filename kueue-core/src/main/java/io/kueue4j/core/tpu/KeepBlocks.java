package io.kueue4j.core.tpu;

/** The default objective. Rules: TPU-F-14. */
final class KeepBlocks implements PlacementObjective {
  private static final int BEFORE_LEVELS = 2;
  private static final int AFTER_LEVELS = 3;

  @Override
  public int values(int levels) {
    return BEFORE_LEVELS + levels + AFTER_LEVELS;
  }

  @Override
  public long value(int index, PlacementCandidate candidate) {
    int level = index - BEFORE_LEVELS;
    if (level >= 0 && level < candidate.levels()) {
      return candidate.alignedLoss(level);
    }
    return switch (level < 0 ? level : level - candidate.levels()) {
      case -BEFORE_LEVELS -> candidate.isInDamagedCube() ? 0 : 1;
      case -1 -> candidate.isFirstInside() ? 1 : 0;
      case 0 -> candidate.tightestBlockHosts();
      case 1 -> candidate.freeNeighbours();
      default -> candidate.endDistance();
    };
  }
}
