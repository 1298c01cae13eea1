package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The writes of a controller, some of which are not made, and others not answered; and sometimes
 * the controller crashes.
 */
final class UnansweredWrites implements ClusterWrites {
  private final ClusterWrites writes;
  private final Random random;

  UnansweredWrites(ClusterWrites writes, Random random) {
    this.writes = writes;
    this.random = random;
  }

  private <T> T write(Supplier<T> write) {
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

  @Override
  public <T extends HasMetadata> T replace(T object) {
    return write(() -> writes.replace(object));
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    return write(() -> writes.replaceStatus(object));
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return write(() -> writes.create(object));
  }

  @Override
  public GenericKubernetesResource applyStatus(GenericKubernetesResource configuration) {
    return write(() -> writes.applyStatus(configuration));
  }

  @Override
  public void delete(HasMetadata object) {
    write(() -> {
      writes.delete(object);
      return object;
    });
  }

  @Override
  public void record(Event event) {
    writes.record(event);
  }
}
