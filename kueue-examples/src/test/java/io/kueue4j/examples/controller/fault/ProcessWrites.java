package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.ClusterWrites;
import java.util.function.Supplier;

/**
 * The writes of one process, for any number of threads: the cluster receives one after the other,
 * and none after the process was killed.
 */
final class ProcessWrites implements ClusterWrites {
  private final ClusterWrites cluster;
  private boolean killed;

  ProcessWrites(ClusterWrites cluster) {
    this.cluster = cluster;
  }

  private synchronized <T> T write(Supplier<T> write) {
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
  public synchronized void record(Event event) {
    cluster.record(event);
  }
}
