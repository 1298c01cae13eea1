package io.kueue4j.core.tpu;

/**
 * Which of all possible places a slice takes: the one whose values are smallest, compared one after
 * the other; if all are equal, the first by pool id, cube, way to turn it, and host.
 *
 * <p>An objective must depend on the candidate alone. Values are asked for in ascending order, and
 * later ones only as far as a candidate is not decided by earlier ones.
 *
 * <p>Rules: TPU-F-14, TPU-F-15.
 */
public interface PlacementObjective {
  /** {@return the number of values of each candidate of a generation with so many levels} */
  int values(int levels);

  /** {@return a value of a candidate; smaller is better} */
  long value(int index, PlacementCandidate candidate);

  /** The first place there is. */
  PlacementObjective FIRST_FIT = new PlacementObjective() {
    @Override
    public int values(int levels) {
      return 0;
    }

    @Override
    public long value(int index, PlacementCandidate candidate) {
      return 0;
    }
  };

  /**
   * The default: damaged cubes first, then what is in use already, then so that the fewest free
   * aligned blocks are broken, the largest shapes first, then the tightest free block, then the
   * fewest free neighbours.
   */
  PlacementObjective KEEP_BLOCKS = new PlacementObjective() {
    @Override
    public int values(int levels) {
      return levels + 4;
    }

    @Override
    public long value(int index, PlacementCandidate candidate) {
      int level = index - 2;
      if (level >= 0 && level < candidate.levels()) {
        return candidate.alignedLoss(level);
      }
      return switch (level - Math.max(0, level >= 0 ? candidate.levels() : 0)) {
        case -2 -> candidate.isInDamagedCube() ? 0 : 1;
        case -1 -> candidate.isFirstInside() ? 1 : 0;
        case 0 -> candidate.tightestBlockHosts();
        default -> candidate.freeNeighbours();
      };
    }
  };
}
