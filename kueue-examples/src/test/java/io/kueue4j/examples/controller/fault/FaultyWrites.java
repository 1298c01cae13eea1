package io.kueue4j.examples.controller.fault;

import io.kueue4j.examples.controller.InterceptedWrites;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** The writes of one controller process, some of which fail. */
final class FaultyWrites extends InterceptedWrites {
  private final Random random;
  private final Supplier<Faults> faults;
  private final List<Runnable> late;

  /**
   * Creates the writes of a process.
   *
   * @param faults the current rates of faults
   * @param late receives the writes that the test will make later
   */
  FaultyWrites(ClusterWrites cluster, Random random, Supplier<Faults> faults, List<Runnable> late) {
    super(cluster);
    this.random = random;
    this.faults = faults;
    this.late = late;
  }

  @Override
  protected <T> T intercept(Supplier<T> write) {
    Faults now = faults.get();
    if (Faults.happens(random, now.killBefore())) {
      throw new ControllerKilled();
    }
    if (Faults.happens(random, now.unavailable())) {
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "no connection");
    }
    if (Faults.happens(random, now.late())) {
      late.add(() -> ignoringRefusal(write));
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "no answer in time");
    }
    if (Faults.happens(random, now.refused())) {
      throw new WriteException(WriteException.Reason.REFUSED, "a webhook said no");
    }
    if (Faults.happens(random, now.killAfter())) {
      ignoringRefusal(write);
      throw new ControllerKilled();
    }
    if (Faults.happens(random, now.unanswered())) {
      ignoringRefusal(write);
      throw new WriteException(WriteException.Reason.UNAVAILABLE, "the connection was closed");
    }
    return write.get();
  }

  private static void ignoringRefusal(Supplier<?> write) {
    try {
      Object unused = write.get();
    } catch (WriteException e) {
      // The caller is not notified.
    }
  }
}
