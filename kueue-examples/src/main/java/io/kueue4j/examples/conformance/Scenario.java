package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a conformance file: a cluster, the steps of a history, and Kueue's decisions.
 *
 * @param name the name, unique in all suites
 * @param suite the suite
 * @param config the settings
 * @param objects the configuration, as Kubernetes objects
 * @param workloads the Workload objects; those with an admission hold quota from the start
 * @param steps the steps
 * @param outcome Kueue's decisions, one entry for each step
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
   * @param fairSharing the fair sharing settings, null if it is off
   */
  record Config(Map<String, Boolean> featureGates, @Nullable FairSharing fairSharing) {}

  /**
   * Fair sharing settings.
   *
   * @param preemptionStrategies the strategies in the order in which they are tried, empty for all
   */
  record FairSharing(List<String> preemptionStrategies) {}

  /**
   * One step, whose parts are executed in the order of the components.
   *
   * @param advanceSeconds the time that passes first
   * @param finish workloads that finish
   * @param finishOldest the number of workloads to finish, those that have held quota for longest
   * @param apply objects to apply, one after the other
   * @param submit workloads to submit
   * @param cycles the maximum number of cycles to run
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
