package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a conformance file: a cluster, what happens in it, and what Kueue decided.
 *
 * @param name the name, unique in all suites
 * @param suite the suite
 * @param config the settings
 * @param objects the configuration, as Kubernetes objects
 * @param workloads the Workload objects; one with an admission holds quota from the start
 * @param steps what happens
 * @param outcome what Kueue decided, one entry for each step
 */
record Scenario(
    @JsonProperty(required = true) String name,
    @JsonProperty(required = true) String suite,
    @JsonProperty(required = true) Config config,
    @JsonProperty(required = true) List<JsonNode> objects,
    @JsonProperty(required = true) List<JsonNode> workloads,
    @JsonProperty(required = true) List<Step> steps,
    @JsonProperty(required = true) List<StepOutcome> outcome) {

  /**
   * Settings that differ from Kueue's defaults.
   *
   * @param featureGates the feature gates
   * @param fairSharing how quota is shared fairly, absent if it is not
   */
  record Config(Map<String, Boolean> featureGates, @Nullable FairSharing fairSharing) {}

  /**
   * How quota is shared fairly.
   *
   * @param preemptionStrategies the strategies in the order in which they are tried, empty for all
   */
  record FairSharing(List<String> preemptionStrategies) {}

  /**
   * What happens between two looks at the queues, in the order of the components.
   *
   * @param advanceSeconds how much time passes first
   * @param finish workloads that finish
   * @param finishOldest how many of the workloads finish that have held quota for longest
   * @param apply objects that are changed, one after the other
   * @param submit workloads that are submitted
   * @param cycles how many cycles run at most
   */
  record Step(
      long advanceSeconds,
      List<String> finish,
      int finishOldest,
      List<JsonNode> apply,
      List<String> submit,
      int cycles) {}

  /** {@return whether Kueue preempted any workload} */
  boolean hasPreemption() {
    return outcome.stream()
        .flatMap(step -> step.cycles().stream())
        .anyMatch(cycle -> !cycle.preempted().isEmpty());
  }
}
