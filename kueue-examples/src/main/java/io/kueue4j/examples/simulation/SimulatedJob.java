package io.kueue4j.examples.simulation;

import io.kueue4j.core.model.Workload;
import io.kueue4j.k8s.yaml.Manifest;

/**
 * A job to be admitted.
 *
 * @param manifest its manifest
 * @param name its name, generated if the manifest has only a {@code generateName}
 * @param workload its workload
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
