package io.kueue4j.k8s.kueue;

import com.google.common.base.Ascii;
import java.util.Optional;

/**
 * The versions of Kueue's API group. All can be read; {@link #V1BETA1} and {@link #V1BETA2} can be
 * written.
 *
 * <p>Rules: M-33.
 *
 * @since 0.1.0
 */
public enum KueueApiVersion {
  /** 2022; later the version of Cohort and Topology for some releases. */
  V1ALPHA1,
  /** 2022. */
  V1ALPHA2,
  /** Since 2023. */
  V1BETA1,
  /** Since 2025. */
  V1BETA2;

  /** Kueue's API group. */
  public static final String GROUP = "kueue.x-k8s.io";

  private final String text = Ascii.toLowerCase(name());

  /**
   * {@return the version with the name {@code text}, such as {@code v1beta2}; empty if it is
   * unknown}
   */
  public static Optional<KueueApiVersion> of(String text) {
    for (KueueApiVersion version : values()) {
      if (version.text.equals(text)) {
        return Optional.of(version);
      }
    }
    return Optional.empty();
  }

  /**
   * {@return the version of a Kueue object to be written}
   *
   * @param apiVersion group and version, such as {@code kueue.x-k8s.io/v1beta2}
   * @throws IllegalArgumentException if it is neither v1beta1 nor v1beta2 of that group
   */
  public static KueueApiVersion ofWritten(String apiVersion) {
    String prefix = GROUP + "/";
    return Optional.of(apiVersion)
        .filter(text -> text.startsWith(prefix))
        .flatMap(text -> of(text.substring(prefix.length())))
        .filter(version -> version == V1BETA1 || version == V1BETA2)
        .orElseThrow(() -> new IllegalArgumentException("given an object of " + apiVersion
            + "; expected one of " + V1BETA1.apiVersion() + " or " + V1BETA2.apiVersion()));
  }

  /**
   * {@return this version}
   *
   * @throws IllegalArgumentException if this version cannot be written
   */
  public KueueApiVersion requireWritable() {
    return ofWritten(apiVersion());
  }

  /** {@return group and version, such as {@code kueue.x-k8s.io/v1beta2}} */
  public String apiVersion() {
    return GROUP + "/" + this;
  }

  /** {@return the name in manifests} */
  @Override
  public String toString() {
    return text;
  }
}
