package io.kueue4j.k8s.internal.kueue;

import io.kueue4j.k8s.kueue.KueueApiVersion;

/** How the versions of Kueue's API differ, beside the names of single fields. */
public final class VersionDifferences {
  private VersionDifferences() {}

  /**
   * {@return the field for the accumulated execution time of a workload, which v1beta1 misspells}
   */
  public static String pastExecutionTimeField(KueueApiVersion version) {
    return version == KueueApiVersion.V1BETA1
        ? "accumulatedPastExexcutionTimeSeconds"
        : "accumulatedPastExecutionTimeSeconds";
  }

  /** {@return whether quotas are specified per resource, as {@code min} and {@code max}} */
  static boolean hasQuotasPerResource(KueueApiVersion version) {
    return version == KueueApiVersion.V1ALPHA1 || version == KueueApiVersion.V1ALPHA2;
  }
}
