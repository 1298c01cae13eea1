package io.kueue4j.k8s.kueue;

import com.google.common.base.Ascii;
import java.util.Optional;

/** The versions of Kueue's API group. */
enum KueueVersion {
  /** 2022; later the version of Cohort and Topology for some releases. */
  V1ALPHA1,
  /** 2022. */
  V1ALPHA2,
  /** Since 2023. */
  V1BETA1,
  /** Since 2025. */
  V1BETA2;

  /** {@return the version called {@code text}, empty if it is unknown} */
  static Optional<KueueVersion> of(String text) {
    for (KueueVersion version : values()) {
      if (version.toString().equals(text)) {
        return Optional.of(version);
      }
    }
    return Optional.empty();
  }

  /** {@return whether quotas are given per resource, as {@code min} and {@code max}} */
  boolean hasQuotasPerResource() {
    return this == V1ALPHA1 || this == V1ALPHA2;
  }

  /** {@return the name in manifests} */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
