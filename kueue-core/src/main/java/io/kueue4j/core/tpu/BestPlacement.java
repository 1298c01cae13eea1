package io.kueue4j.core.tpu;

import java.util.Arrays;

/**
 * The best candidate found so far. Reused, so that a search allocates no objects.
 *
 * <p>Rules: TPU-F-14.
 */
final class BestPlacement {
  private long[] values = new long[32];
  private boolean found;
  private long examined;

  private int pool;
  private int mesh;
  private int host;
  private AxisOrder order = AxisOrder.XYZ;

  void clear() {
    found = false;
  }

  /** {@return the number of candidates examined since the last reset} */
  long examined() {
    return examined;
  }

  void forgetExamined() {
    examined = 0;
  }

  /** Counts candidates as examined without comparing them. */
  void skip(int candidates) {
    examined += candidates;
  }

  boolean isFound() {
    return found;
  }

  /**
   * {@return a value of the best candidate; index 0 is the number of missing rings, the values of
   * the objective follow}
   */
  long value(int index) {
    return values[index];
  }

  /** Accepts a candidate if it is better than all earlier ones. */
  boolean offer(PlacementObjective objective, PlacementCandidate candidate, int missingRings) {
    examined++;
    int size = 1 + objective.values(candidate.levels());
    if (values.length < size) {
      values = Arrays.copyOf(values, size);
    }
    boolean better = !found;
    for (int i = 0; i < size; i++) {
      long value = i == 0 ? missingRings : objective.value(i - 1, candidate);
      if (!better && value > values[i]) {
        return false;
      }
      better |= value < values[i];
      values[i] = value;
    }
    found |= better;
    return better;
  }

  void place(int atPool, int atMesh, AxisOrder turned, int atHost) {
    pool = atPool;
    mesh = atMesh;
    order = turned;
    host = atHost;
  }

  int pool() {
    return pool;
  }

  int mesh() {
    return mesh;
  }

  /** {@return the host in its mesh where the best candidate begins} */
  int host() {
    return host;
  }

  AxisOrder order() {
    return order;
  }
}
