package io.kueue4j.core.model;

/**
 * Whether an admitted workload moves to a better flavor.
 *
 * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy.migration.mode}. Rules: CA-1, CA-4.
 *
 * @since 0.1.0
 */
public enum MigrationMode {
  /** The workload moves to a better flavor as soon as it fits there. */
  TRY_PREFERRED_FLAVORS("TryPreferredFlavors"),
  /** The workload stays on the flavor on which it was admitted first. */
  RETAIN_FIRST_ADMISSION("RetainFirstAdmission");

  private final String text;

  MigrationMode(String text) {
    this.text = text;
  }

  /** {@return the name in Kubernetes manifests} */
  @Override
  public String toString() {
    return text;
  }
}
