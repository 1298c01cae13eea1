package io.kueue4j.k8s;

import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Optional;

/** The ConfigMap in which Kueue's manager finds its Configuration: {@code kueue-manager-config}. */
final class ManagerConfigMap {
  static final String KIND = "ConfigMap";

  private static final String FILE = "controller_manager_config.yaml";

  private ManagerConfigMap() {}

  /** {@return the file with the Configuration, absent if {@code manifest} has no such file} */
  static Optional<ManifestSource> configuration(Manifest manifest) {
    return manifest.is("", KIND)
        ? Fields.of(manifest, Issues.of(manifest))
            .object("data")
            .text(FILE)
            .map(text -> ManifestSource.of(manifest + ", data[" + FILE + "]", text))
        : Optional.empty();
  }
}
