package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Defaults and validation of {@code batch/v1} Jobs. */
final class JobRules implements KindRules {
  private static final String CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
  private static final String JOB_NAME = "batch.kubernetes.io/job-name";
  private static final List<String> IMMUTABLE = List.of(
      "selector",
      "completionMode",
      "podFailurePolicy",
      "backoffLimitPerIndex",
      "managedBy",
      "successPolicy");

  private final ServerVersion version;

  JobRules(ServerVersion version) {
    this.version = version;
  }

  @Override
  public void prepareForCreate(ObjectNode job) {
    ObjectNode spec = Trees.child(job, "spec");
    if (!spec.has("parallelism") && !spec.has("completions")) {
      spec.put("completions", 1);
    }
    Trees.setDefault(spec, "parallelism", 1);
    Trees.setDefault(spec, "backoffLimit", 6);
    Trees.setDefault(spec, "completionMode", "NonIndexed");
    Trees.setDefault(spec, "suspend", false);
    Trees.setDefault(spec, "manualSelector", false);
    Trees.setDefault(
        spec,
        "podReplacementPolicy",
        spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    ObjectNode metadata = Trees.child(job, "metadata");
    PodDefaults.apply(Trees.child(spec, "template", "spec"));
    if (!spec.path("manualSelector").asBoolean()) {
      addSelector(metadata, spec);
    }
    JsonNode templateLabels = Trees.at(spec, "template", "metadata", "labels");
    if (Trees.same(metadata.get("labels"), null) && !templateLabels.isMissingNode()) {
      Trees.set(metadata, "labels", templateLabels.deepCopy());
    }
  }

  /** Adds the selector that the server creates, and labels of the template that it selects. */
  private static void addSelector(ObjectNode metadata, ObjectNode spec) {
    String uid = metadata.path("uid").asText();
    String name = metadata.path("name").asText();
    ObjectNode labels = Trees.child(spec, "template", "metadata", "labels");
    Trees.setDefault(labels, "controller-uid", uid);
    Trees.setDefault(labels, "job-name", name);
    Trees.setDefault(labels, CONTROLLER_UID, uid);
    Trees.setDefault(labels, JOB_NAME, name);
    Trees.setDefault(Trees.child(spec, "selector", "matchLabels"), CONTROLLER_UID, uid);
  }

  @Override
  public List<String> violations(ObjectNode job) {
    List<String> causes = new ArrayList<>();
    JsonNode spec = job.path("spec");
    for (String count : List.of("parallelism", "completions", "backoffLimit")) {
      if (spec.path(count).asInt() < 0) {
        causes.add("spec." + count + ": Invalid value: " + spec.path(count)
            + ": must be greater than or equal to 0");
      }
    }
    JsonNode labels = Trees.at(spec, "template", "metadata", "labels");
    spec.path("selector").path("matchLabels").properties().forEach(selected -> {
      if (!selected.getValue().equals(labels.get(selected.getKey()))) {
        causes.add("spec.template.metadata.labels: Invalid value: " + labels
            + ": `selector` does not match template `labels`");
      }
    });
    if (Trees.at(spec, "template", "spec", "restartPolicy").asText().equals("Always")) {
      causes.add("spec.template.spec.restartPolicy: Unsupported value: \"Always\": supported"
          + " values: \"OnFailure\", \"Never\"");
    }
    if (Trees.same(Trees.at(spec, "template", "spec", "containers"), null)) {
      causes.add("spec.template.spec.containers: Required value");
    }
    return causes;
  }

  @Override
  public List<String> violations(ObjectNode old, ObjectNode now) {
    List<String> causes = new ArrayList<>();
    ObjectNode oldSpec = Trees.child(old, "spec");
    ObjectNode spec = Trees.child(now, "spec");
    if (spec.path("completionMode").asText().equals("Indexed")) {
      checkScaling(oldSpec, spec, causes);
    } else if (!Trees.same(oldSpec.get("completions"), spec.get("completions"))) {
      causes.add(ApiRefusal.immutable("spec.completions", spec.path("completions")));
    }
    for (String field : IMMUTABLE) {
      if (!Trees.same(oldSpec.get(field), spec.get(field))) {
        causes.add(ApiRefusal.immutable("spec." + field, spec.path(field)));
      }
    }
    if (!Trees.same(comparable(old, spec), spec.path("template"))) {
      causes.add(ApiRefusal.immutable("spec.template", spec.path("template")));
    }
    return causes;
  }

  private static void checkScaling(JsonNode old, JsonNode now, List<String> causes) {
    JsonNode completions = now.path("completions");
    if (!completions.equals(old.path("completions"))
        && !completions.equals(now.path("parallelism"))) {
      causes.add("spec.completions: Invalid value: " + completions
          + ": can only be modified in tandem with spec.parallelism");
    }
  }

  /** The stored template with those fields of the new one that it may differ in. */
  private ObjectNode comparable(ObjectNode old, ObjectNode newSpec) {
    ObjectNode template = Trees.child(old, "spec", "template").deepCopy();
    JsonNode given = newSpec.path("template");
    if (mayChangeDirectives(old)) {
      ObjectNode podSpec = Trees.child(template, "spec");
      for (String field : List.of("nodeSelector", "tolerations", "schedulingGates")) {
        Trees.set(podSpec, field, Trees.at(given, "spec", field));
      }
      Trees.set(
          Trees.child(podSpec, "affinity"),
          "nodeAffinity",
          Trees.at(given, "spec", "affinity", "nodeAffinity"));
      for (String field : List.of("labels", "annotations")) {
        Trees.set(Trees.child(template, "metadata"), field, Trees.at(given, "metadata", field));
      }
    }
    if (mayChangeResources(old)) {
      copyResources(template, given, "initContainers");
      copyResources(template, given, "containers");
    }
    return template;
  }

  private static void copyResources(ObjectNode template, JsonNode given, String list) {
    JsonNode stored = Trees.at(template, "spec", list);
    JsonNode wanted = Trees.at(given, "spec", list);
    for (int i = 0; i < Math.min(stored.size(), wanted.size()); i++) {
      Trees.set((ObjectNode) stored.get(i), "resources", wanted.get(i).get("resources"));
    }
  }

  private boolean mayChangeDirectives(JsonNode old) {
    return suspended(old) && (!Trees.at(old, "status").has("startTime") || mayChangeResources(old));
  }

  private boolean mayChangeResources(JsonNode old) {
    return version == ServerVersion.KUBERNETES_1_36
        && suspended(old)
        && Trees.hasCondition(old, "Suspended")
        && Trees.at(old, "status", "active").asInt() == 0;
  }

  private static boolean suspended(JsonNode job) {
    return Trees.at(job, "spec", "suspend").asBoolean();
  }

  @Override
  public List<String> statusViolations(ObjectNode old, ObjectNode now) {
    return JobStatusRules.violations(old, now);
  }
}
