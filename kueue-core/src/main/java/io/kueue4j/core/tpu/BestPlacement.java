package io.kueue4j.core.tpu;

import java.util.Arrays;

/**
 * The best candidate so far. Reused, so that a search makes no objects.
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

  /** {@return the candidates looked at since they were forgotten} */
  long examined() {
    return examined;
  }

  void forgetExamined() {
    examined = 0;
  }

  /** Counts candidates that need not be offered. */
  void skip(int candidates) {
    examined += candidates;
  }

  boolean isFound() {
    return found;
  }

  /** {@return a value of the best candidate; 0 for its missing rings, then those of the goal} */
  long value(int index) {
    return values[index];
  }

  /** Takes a candidate if it is better than all before it. */
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

  /** {@return the host in the mesh} */
  int host() {
    return host;
  }

  AxisOrder order() {
    return order;
  }
}
