package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** The writes of a controller that crashes after some of them. */
final class MortalWrites implements ClusterWrites {
  private final ClusterWrites writes;
  private int left;

  MortalWrites(ClusterWrites writes, int left) {
    this.writes = writes;
    this.left = left;
  }

  static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void count() {
    left--;
    if (left < 0) {
      throw new Death();
    }
  }

  @Override
  public <T extends HasMetadata> T replace(T object) {
    count();
    return writes.replace(object);
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    count();
    return writes.replaceStatus(object);
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    count();
    return writes.create(object);
  }

  @Override
  public GenericKubernetesResource applyStatus(GenericKubernetesResource configuration) {
    count();
    return writes.applyStatus(configuration);
  }

  @Override
  public void delete(HasMetadata object) {
    count();
    writes.delete(object);
  }

  @Override
  public void record(Event event) {
    writes.record(event);
  }
}
