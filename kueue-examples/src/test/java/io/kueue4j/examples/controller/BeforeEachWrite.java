package io.kueue4j.examples.controller;

import io.kueue4j.examples.controller.write.ClusterWrites;
import java.util.function.Supplier;

/** Writes with an action before each of them. */
final class BeforeEachWrite extends InterceptedWrites {
  private final Runnable happens;

  BeforeEachWrite(ClusterWrites writes, Runnable happens) {
    super(writes);
    this.happens = happens;
  }

  @Override
  protected <T> T intercept(Supplier<T> write) {
    happens.run();
    return write.get();
  }
}
