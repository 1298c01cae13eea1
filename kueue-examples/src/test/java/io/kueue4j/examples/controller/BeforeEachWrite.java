package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Writes with an action before each of them. */
record BeforeEachWrite(ClusterWrites writes, Runnable happens) implements ClusterWrites {
  @Override
  public <T extends HasMetadata> T replace(T object) {
    happens.run();
    return writes.replace(object);
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    happens.run();
    return writes.replaceStatus(object);
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    happens.run();
    return writes.create(object);
  }

  @Override
  public GenericKubernetesResource applyStatus(GenericKubernetesResource configuration) {
    happens.run();
    return writes.applyStatus(configuration);
  }

  @Override
  public void delete(HasMetadata object) {
    happens.run();
    writes.delete(object);
  }

  @Override
  public void record(Event event) {
    writes.record(event);
  }
}
