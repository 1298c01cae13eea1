package io.kueue4j.examples.controller;

import io.kueue4j.examples.controller.write.ClusterWrites;
import java.util.function.Supplier;

/** The writes of a controller that crashes after some of them. */
final class MortalWrites extends InterceptedWrites {
  private int left;

  MortalWrites(ClusterWrites writes, int left) {
    super(writes);
    this.left = left;
  }

  static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Override
  protected <T> T intercept(Supplier<T> write) {
    left--;
    if (left < 0) {
      throw new Death();
    }
    return write.get();
  }
}
