package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.Node;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.k8s.internal.topology.NodeConverter;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ParsedManifest;
import io.kueue4j.k8s.manifest.Manifest;
import java.util.Optional;

/** Reads the fields of a core v1 Node that matter for placement. Rules: T-5, T-7. */
final class NodeReader {
  private static final ImmutableMap<String, String> ORIGINS = ImmutableMap.of(
      "", "spec",
      "name", "metadata.name",
      "labels", "metadata.labels",
      "allocatable", "status.allocatable");

  private NodeReader() {}

  static Optional<ConfigManifest> read(Manifest manifest, Issues issues) {
    if (issues.hasProblems()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ConfigManifest(NodeConverter.convert(manifest.as(Node.class)), manifest, ORIGINS));
    } catch (InvalidConfigurationException e) {
      e.violations()
          .forEach(violation -> issues.problem(
              ParsedManifest.of(manifest).locate(violation.field()),
              violation.field(),
              violation.problem()));
      return Optional.empty();
    }
  }
}
