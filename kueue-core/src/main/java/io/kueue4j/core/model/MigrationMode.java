package io.kueue4j.core.model;

/**
 * What happens to a workload that was admitted on one flavor when it could be on another.
 *
 * <p>Kueue: {@code ClusterQueue.spec.concurrentAdmissionPolicy.migration.mode}. Rules: CA-1, CA-4.
 */
public enum MigrationMode {
  /** It is moved to a better one, as soon as that has room. */
  TRY_PREFERRED_FLAVORS("TryPreferredFlavors"),
  /** It stays where it was admitted first. */
  RETAIN_FIRST_ADMISSION("RetainFirstAdmission");

  private final String text;

  MigrationMode(String text) {
    this.text = text;
  }

  /** {@return the mode as it stands in manifests} */
  @Override
  public String toString() {
    return text;
  }
}
