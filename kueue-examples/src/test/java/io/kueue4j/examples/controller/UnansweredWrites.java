package io.kueue4j.examples.controller;

import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The writes of a controller, some of which are not made, and others not answered; and sometimes
 * the controller crashes.
 */
final class UnansweredWrites extends InterceptedWrites {
  private final Random random;

  UnansweredWrites(ClusterWrites writes, Random random) {
    super(writes);
    this.random = random;
  }

  @Override
  protected <T> T intercept(Supplier<T> write) {
    int fate = random.nextInt(20);
    if (fate == 0) {
      throw new MortalWrites.Death();
    }
    if (fate == 1 || fate == 2) {
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "no connection");
    }
    T stored = write.get();
    if (fate == 3 || fate == 4) {
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "the connection was closed");
    }
    return stored;
  }
}
