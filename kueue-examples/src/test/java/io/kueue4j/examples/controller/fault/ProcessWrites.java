package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.api.model.Event;
import io.kueue4j.examples.controller.InterceptedWrites;
import io.kueue4j.examples.controller.write.ClusterWrites;
import java.util.function.Supplier;

/**
 * The writes of one process, for any number of threads: the cluster receives one after the other,
 * and none after the process was killed.
 */
final class ProcessWrites extends InterceptedWrites {
  private boolean killed;

  ProcessWrites(ClusterWrites cluster) {
    super(cluster);
  }

  @Override
  protected synchronized <T> T intercept(Supplier<T> write) {
    if (killed) {
      throw new ControllerKilled();
    }
    try {
      return write.get();
    } catch (ControllerKilled e) {
      killed = true;
      throw e;
    }
  }

  @Override
  public synchronized void record(Event event) {
    super.record(event);
  }
}
