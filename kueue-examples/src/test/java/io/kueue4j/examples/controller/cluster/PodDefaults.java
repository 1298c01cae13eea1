package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults that the API server writes into pod specs. */
final class PodDefaults {
  private PodDefaults() {}

  /** Defaults of a template. */
  static void apply(ObjectNode spec) {
    Trees.setDefault(spec, "dnsPolicy", "ClusterFirst");
    Trees.setDefault(spec, "restartPolicy", "Always");
    Trees.setDefault(spec, "schedulerName", "default-scheduler");
    Trees.setDefault(spec, "terminationGracePeriodSeconds", 30);
    Trees.child(spec, "securityContext");
    containers(spec, "initContainers");
    containers(spec, "containers");
  }

  /** Defaults of a pod: missing requests are also taken from the limits. */
  static void applyToPod(ObjectNode spec) {
    apply(spec);
    Trees.setDefault(spec, "enableServiceLinks", true);
    for (String list : new String[] {"initContainers", "containers"}) {
      for (JsonNode container : spec.path(list)) {
        JsonNode limits = Trees.at(container, "resources", "limits");
        if (limits instanceof ObjectNode) {
          ObjectNode requests = Trees.child((ObjectNode) container, "resources", "requests");
          limits.properties().forEach(limit -> {
            if (!requests.has(limit.getKey())) {
              requests.set(limit.getKey(), limit.getValue());
            }
          });
        }
      }
    }
  }

  private static void containers(ObjectNode spec, String list) {
    for (JsonNode node : spec.path(list)) {
      ObjectNode container = (ObjectNode) node;
      Trees.setDefault(container, "terminationMessagePath", "/dev/termination-log");
      Trees.setDefault(container, "terminationMessagePolicy", "File");
      Trees.setDefault(
          container, "imagePullPolicy", pullPolicy(container.path("image").asText()));
      Trees.child(container, "resources");
    }
  }

  private static String pullPolicy(String image) {
    String last = image.substring(image.lastIndexOf('/') + 1);
    boolean latest = !last.contains("@") && (!last.contains(":") || last.endsWith(":latest"));
    return latest ? "Always" : "IfNotPresent";
  }
}
