package io.kueue4j.examples.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.math.LongMath;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.examples.controller.object.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * What an administrator wants of ProvisioningRequests: an object {@code ProvisioningRequestConfig}.
 *
 * @param className the provisioning class
 * @param parameters the parameters of requests
 * @param managedResources the resources that the autoscaler provides, empty for all
 * @param backoffLimitCount the number of requests that may fail
 * @param backoffBase the wait after the first failure; it doubles with each
 * @param backoffMax the maximum wait
 * @param nodeSelector the node labels that pods select, by the detail of the provisioning class
 *     that has the value
 * @param mergePolicy which pod sets are requested as one
 */
record ProvisioningConfig(
    String className,
    ImmutableMap<String, String> parameters,
    ImmutableSet<String> managedResources,
    int backoffLimitCount,
    Duration backoffBase,
    Duration backoffMax,
    ImmutableMap<String, String> nodeSelector,
    Optional<MergePolicy> mergePolicy) {
  private static final int BACKOFF_LIMIT_COUNT = 3;
  private static final int BACKOFF_BASE_SECONDS = 60;
  private static final int BACKOFF_MAX_SECONDS = 1800;

  /** Which pod sets are requested as one. */
  enum MergePolicy {
    /** Those whose templates are equal. */
    IDENTICAL_POD_TEMPLATES("IdenticalPodTemplates"),
    /** Those whose pods fit on the same nodes. */
    IDENTICAL_SCHEDULING_REQUIREMENTS("IdenticalWorkloadSchedulingRequirements");

    private final String text;

    MergePolicy(String text) {
      this.text = text;
    }

    private static Optional<MergePolicy> read(String text) {
      return Arrays.stream(values()).filter(policy -> policy.text.equals(text)).findFirst();
    }
  }

  static ProvisioningConfig read(GenericKubernetesResource object) {
    JsonNode spec = Json.tree(object).path("spec");
    JsonNode retry = spec.path("retryStrategy");
    ImmutableMap.Builder<String, String> selector = ImmutableMap.builder();
    spec.path("podSetUpdates")
        .path("nodeSelector")
        .forEach(entry -> selector.put(
            entry.path("key").asText(),
            entry.path("valueFromProvisioningClassDetail").asText()));
    return new ProvisioningConfig(
        spec.path("provisioningClassName").asText(),
        Json.map(spec, "parameters", JsonNode::asText),
        ImmutableSet.copyOf(Json.list(spec, "managedResources", JsonNode::asText)),
        retry.path("backoffLimitCount").asInt(BACKOFF_LIMIT_COUNT),
        Duration.ofSeconds(retry.path("backoffBaseSeconds").asInt(BACKOFF_BASE_SECONDS)),
        Duration.ofSeconds(retry.path("backoffMaxSeconds").asInt(BACKOFF_MAX_SECONDS)),
        selector.buildOrThrow(),
        MergePolicy.read(spec.path("podSetMergePolicy").asText()));
  }

  /** {@return the wait after that many failures} */
  Duration backoff(int failures) {
    long seconds = LongMath.saturatedMultiply(
        backoffBase.toSeconds(), LongMath.saturatedPow(2, Math.max(0, failures - 1)));
    return Duration.ofSeconds(Math.min(seconds, backoffMax.toSeconds()));
  }
}
