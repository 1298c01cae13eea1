package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.ClusterWrites;
import io.kueue4j.examples.controller.WriteException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** The writes of one controller process, some of which fail. */
final class FaultyWrites implements ClusterWrites {
  private final ClusterWrites cluster;
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
    this.cluster = cluster;
    this.random = random;
    this.faults = faults;
    this.late = late;
  }

  @Override
  public <T extends HasMetadata> T replace(T object) {
    return write(() -> cluster.replace(object));
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    return write(() -> cluster.replaceStatus(object));
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return write(() -> cluster.create(object));
  }

  @Override
  public GenericKubernetesResource applyStatus(GenericKubernetesResource configuration) {
    return write(() -> cluster.applyStatus(configuration));
  }

  @Override
  public void delete(HasMetadata object) {
    write(() -> {
      cluster.delete(object);
      return object;
    });
  }

  @Override
  public void record(Event event) {
    cluster.record(event);
  }

  private <T> T write(Supplier<T> write) {
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
