package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.write.ClusterWrites;
import java.util.function.Supplier;

/** Writes to a cluster, which a subclass makes, refuses, or follows by something else. */
public abstract class InterceptedWrites implements ClusterWrites {
  private final ClusterWrites writes;

  /** Creates writes that reach the cluster through {@code writes}. */
  protected InterceptedWrites(ClusterWrites writes) {
    this.writes = writes;
  }

  /** {@return the result of a write, which {@code write} makes; not called for events} */
  protected <T> T intercept(Supplier<T> write) {
    return write.get();
  }

  @Override
  public <T extends HasMetadata> T replace(T object) {
    return intercept(() -> writes.replace(object));
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    return intercept(() -> writes.replaceStatus(object));
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return intercept(() -> writes.create(object));
  }

  @Override
  public final void delete(HasMetadata object) {
    HasMetadata unused = intercept(() -> {
      writes.delete(object);
      return object;
    });
  }

  @Override
  public void record(Event event) {
    writes.record(event);
  }
}
