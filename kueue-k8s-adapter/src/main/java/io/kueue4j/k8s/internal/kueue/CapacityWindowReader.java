package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.CapacityWindow.KeptAmount;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.manifest.Manifest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a capacity window, a kind that Kueue does not have.
 *
 * <p>Rules: PS-10.
 */
final class CapacityWindowReader {
  static final String GROUP = "kueue4j.io";
  static final String KIND = "CapacityWindow";
  private static final String VERSION = "v1alpha1";

  private final Map<String, String> origins = new HashMap<>(ImmutableMap.of(
      "", "spec",
      "name", "metadata.name",
      "amounts", "spec.flavors",
      "workloads", "spec.beneficiaries.workloads",
      "localQueues", "spec.beneficiaries.localQueues",
      "namespaces", "spec.beneficiaries.namespaces"));

  private CapacityWindowReader() {}

  static Optional<ConfigManifest> read(Manifest manifest, Issues issues) {
    CapacityWindowReader reader = new CapacityWindowReader();
    Fields object = Fields.of(manifest, issues);
    object.ignore("apiVersion", "kind", "status");
    if (!manifest.version().equals(VERSION)) {
      object.note(
          "apiVersion", "version " + manifest.version() + " is not known, read as " + VERSION);
    }
    Fields metadata = object.object("metadata");
    metadata.ignoreAll();
    CapacityWindow window = reader.window(metadata.requiredText("name"), object.object("spec"));
    object.noteUnknown();
    return issues.hasProblems()
        ? Optional.empty()
        : Optional.of(new ConfigManifest(window, manifest, reader.origins));
  }

  private CapacityWindow window(String name, Fields spec) {
    CapacityWindow.Builder window = CapacityWindow.builder()
        .name(name)
        .start(time(spec, "start"))
        .end(time(spec, "end"))
        .clusterQueue(spec.text("clusterQueue"))
        .nodeLabels(spec.textMap("nodeLabels"));
    int index = 0;
    for (Fields flavor : spec.objects("flavors")) {
      String flavorName = flavor.requiredText("name");
      for (Fields resource : flavor.objects("resources")) {
        String resourceName = resource.requiredText("name");
        window.addAmounts(new KeptAmount(
            flavorName, resourceName, QuotaReader.required(resource, "amount", resourceName)));
        origins.put("amounts[" + index++ + "]", resource.path());
      }
    }
    Fields beneficiaries = spec.object("beneficiaries");
    for (String workload : beneficiaries.texts("workloads")) {
      int slash = workload.indexOf('/');
      if (slash <= 0) {
        beneficiaries.problem("workloads", "\"" + workload + "\"; expected namespace/name");
      } else {
        window.addWorkloads(
            WorkloadId.of(workload.substring(0, slash), workload.substring(slash + 1)));
      }
    }
    return window
        .addAllLocalQueues(beneficiaries.texts("localQueues"))
        .addAllNamespaces(beneficiaries.texts("namespaces"))
        .build();
  }

  private static Instant time(Fields spec, String field) {
    if (!spec.has(field)) {
      spec.missing(field, "a time such as 2026-03-01T08:00:00Z");
      return Instant.EPOCH;
    }
    String text = spec.text(field).orElse("");
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      if (!text.isEmpty()) {
        spec.problem(
            field, "\"" + text + "\" is not a time; expected one such as 2026-03-01T08:00:00Z");
      }
      return Instant.EPOCH;
    }
  }
}
