package io.kueue4j.k8s.kueue;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.yaml.Fields;
import io.kueue4j.k8s.yaml.Issues;
import io.kueue4j.k8s.yaml.Manifest;
import java.util.Optional;

/** Reads a core v1 Node: what of it concerns placement. Rules: T-5, T-7. */
final class NodeReader {
  private static final String READY = "Ready";

  private NodeReader() {}

  static Optional<ConfigManifest> read(Manifest manifest, Issues issues) {
    Fields object = Fields.of(manifest.content(), "", issues);
    Fields spec = object.object("spec");
    Fields status = object.object("status");
    Node.Builder node = Node.builder()
        .name(object.object("metadata").requiredText("name"))
        .putAllLabels(manifest.labels())
        .addAllTaints(FlavorReader.taints(spec, "taints"))
        .unschedulable(spec.flag("unschedulable").orElse(false))
        .ready(isReady(status));
    status
        .quantities("allocatable")
        .forEach(
            (resource, text) -> node.putAllocatable(resource, Quantity.amount(resource, text)));
    return issues.hasProblems()
        ? Optional.empty()
        : Optional.of(new ConfigManifest(
            node.build(),
            manifest,
            ImmutableMap.of(
                "", "spec",
                "name", "metadata.name",
                "labels", "metadata.labels",
                "allocatable", "status.allocatable")));
  }

  /** A node that does not say that it is ready is not. */
  private static boolean isReady(Fields status) {
    boolean ready = false;
    for (Fields condition : status.objects("conditions")) {
      ready |= condition.requiredText("type").equals(READY)
          && condition.requiredText("status").equals("True");
    }
    return ready;
  }
}
