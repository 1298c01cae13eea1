package io.kueue4j.examples.controller;

import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.Workers;
import java.time.InstantSource;
import java.util.Optional;

/** A loop with several threads that write concurrently, for tests in other packages. */
public final class ConcurrentLoop implements AutoCloseable {
  private final ControllerLoop loop;
  private final Workers workers;

  private ConcurrentLoop(ControllerLoop loop, Workers workers) {
    this.loop = loop;
    this.workers = workers;
  }

  /**
   * {@return a loop without any objects}
   *
   * @param writers the maximum number of concurrent writes; with one, the calling thread writes
   */
  public static ConcurrentLoop create(
      ControllerOptions options, ClusterWrites writes, InstantSource clock, int writers) {
    Workers workers = Workers.of(writers);
    return new ConcurrentLoop(
        new ControllerLoop(options, writes, clock, Optional.empty(), workers), workers);
  }

  /** {@return the loop} */
  public ControllerLoop loop() {
    return loop;
  }

  @Override
  public void close() {
    workers.close();
  }
}
