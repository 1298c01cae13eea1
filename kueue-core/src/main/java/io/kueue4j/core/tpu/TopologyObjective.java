package io.kueue4j.core.tpu;

/**
 * Chooses among aligned blocks as topology-aware scheduling does. Rules: TPU-F-22.
 *
 * @param counts whether the room in domains is compared; otherwise the order of domains alone
 *     decides
 */
record TopologyObjective(boolean counts) implements PlacementObjective {
  private static final int OF_POOL = 3;
  private static final int OF_LEVEL = 3;

  @Override
  public int values(int levels) {
    return OF_POOL + OF_LEVEL * levels;
  }

  @Override
  public long value(int index, PlacementCandidate candidate) {
    int level = (index - OF_POOL) / OF_LEVEL;
    return switch (index % OF_LEVEL) {
      case 0 ->
        !counts ? 0 : index < OF_POOL ? candidate.roomInPool() : candidate.roomAround(level);
      case 1 ->
        !counts
            ? 0
            : index < OF_POOL ? candidate.freeHostsInPool() : candidate.freeHostsAround(level);
      default -> index < OF_POOL ? candidate.poolIndex() : candidate.cornerAround(level);
    };
  }
}
