package io.kueue4j.examples.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.controller.object.Json;
import java.util.Optional;

/**
 * A ProvisioningRequest as the autoscaler has answered it.
 *
 * @param name its name
 * @param className its provisioning class
 * @param parameters its parameters
 * @param templates the names of the templates of its pods
 * @param conditions the messages of the conditions that are true, by type
 * @param plannedMessage the message of the condition Provisioned, whatever its status
 * @param details details of the provisioning class
 */
record NodeRequest(
    String name,
    String className,
    ImmutableMap<String, String> parameters,
    ImmutableList<String> templates,
    ImmutableMap<String, String> conditions,
    Optional<String> plannedMessage,
    ImmutableMap<String, String> details) {
  static final String GROUP = "autoscaling.x-k8s.io";
  static final String VERSION = "v1";
  static final String KIND = "ProvisioningRequest";

  private static final String PROVISIONED = "Provisioned";

  static NodeRequest read(GenericKubernetesResource object) {
    JsonNode spec = Json.tree(object).path("spec");
    JsonNode status = Json.tree(object).path("status");
    ImmutableMap.Builder<String, String> conditions = ImmutableMap.builder();
    Optional<String> planned = Optional.empty();
    for (JsonNode condition : status.path("conditions")) {
      String type = condition.path("type").asText();
      if (condition.path("status").asText().equals("True")) {
        conditions.put(type, condition.path("message").asText());
      }
      if (type.equals(PROVISIONED)) {
        planned = Optional.of(condition.path("message").asText());
      }
    }
    return new NodeRequest(
        object.getMetadata().getName(),
        spec.path("provisioningClassName").asText(),
        Json.map(spec, "parameters", JsonNode::asText),
        Json.list(
            spec,
            "podSets",
            podSet -> podSet.path("podTemplateRef").path("name").asText()),
        conditions.buildKeepingLast(),
        planned,
        Json.map(status, "provisioningClassDetails", JsonNode::asText));
  }

  boolean is(String condition) {
    return conditions.containsKey(condition);
  }

  String message(String condition) {
    return conditions.getOrDefault(condition, "");
  }

  /** {@return whether the request asks for what the configuration wants now} */
  boolean matches(ProvisioningConfig config) {
    return className.equals(config.className())
        && parameters.entrySet().containsAll(config.parameters().entrySet());
  }
}
