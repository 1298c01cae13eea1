package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Defaults and validation of JobSets, by their webhook and their CRD.
 *
 * <p>Templates may change while the JobSet is suspended, and by the write that suspends it; whether
 * it has started does not count. Affinity is not among what may change.
 */
final class JobSetRules implements KindRules {
  @Override
  public void prepareForCreate(ObjectNode jobSet) {
    ObjectNode spec = Trees.child(jobSet, "spec");
    Trees.setDefault(Trees.child(spec, "network"), "enableDNSHostnames", true);
    Trees.setDefault(Trees.child(spec, "network"), "publishNotReadyAddresses", true);
    Trees.setDefault(Trees.child(spec, "successPolicy"), "operator", "All");
    Trees.setDefault(Trees.child(spec, "startupPolicy"), "startupPolicyOrder", "AnyOrder");
    for (JsonNode node : spec.path("replicatedJobs")) {
      ObjectNode replicated = (ObjectNode) node;
      Trees.setDefault(replicated, "replicas", 1);
      Trees.setDefault(replicated, "groupName", "default");
      ObjectNode jobSpec = Trees.child(replicated, "template", "spec");
      Trees.setDefault(jobSpec, "completionMode", "Indexed");
      ObjectNode podSpec = Trees.child(jobSpec, "template", "spec");
      Trees.setDefault(podSpec, "restartPolicy", "OnFailure");
    }
  }

  @Override
  public List<String> violations(ObjectNode old, ObjectNode now) {
    List<String> causes = new ArrayList<>();
    JsonNode given = Trees.at(now, "spec", "replicatedJobs");
    JsonNode expected = Trees.at(old, "spec", "replicatedJobs");
    if (suspended(old) || suspended(now)) {
      expected = expected.deepCopy();
      for (JsonNode stored : expected) {
        for (JsonNode replicated : given) {
          if (replicated.path("name").equals(stored.path("name"))) {
            copyDirectives((ObjectNode) stored, replicated);
          }
        }
      }
    }
    if (!Trees.same(expected, given)) {
      causes.add(ApiRefusal.immutable("spec.replicatedJobs", given));
    }
    for (String field : List.of("managedBy", "network", "successPolicy", "failurePolicy")) {
      if (!Trees.same(Trees.at(old, "spec", field), Trees.at(now, "spec", field))) {
        causes.add(ApiRefusal.immutable("spec." + field, Trees.at(now, "spec", field)));
      }
    }
    return causes;
  }

  private static void copyDirectives(ObjectNode stored, JsonNode given) {
    ObjectNode template = Trees.child(stored, "template", "spec", "template");
    JsonNode wanted = Trees.at(given, "template", "spec", "template");
    for (String field : List.of("labels", "annotations")) {
      Trees.set(Trees.child(template, "metadata"), field, Trees.at(wanted, "metadata", field));
    }
    for (String field : List.of("nodeSelector", "tolerations", "schedulingGates")) {
      Trees.set(Trees.child(template, "spec"), field, Trees.at(wanted, "spec", field));
    }
  }

  private static boolean suspended(JsonNode jobSet) {
    return Trees.at(jobSet, "spec", "suspend").asBoolean();
  }
}
