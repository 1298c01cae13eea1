package io.kueue4j.examples.simulation;

import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.yaml.Manifest;

/**
 * A job that is to be admitted.
 *
 * @param manifest what it was read from
 * @param name its name, made up if the manifest has only a {@code generateName}
 * @param workload what is admitted for it
 */
public record SimulatedJob(Manifest manifest, String name, Workload workload) {
  /** {@return the namespace} */
  public String namespace() {
    return workload.namespace();
  }

  /** {@return whether {@code text} is its name or {@code namespace/name}} */
  public boolean isCalled(String text) {
    return text.equals(name) || text.equals(namespace() + "/" + name);
  }
}
