package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The states of admission checks for the quota of a job, as written to the job by the controllers
 * of the checks: {@code {"budget": "Ready", "nodes": {"state": "Retry", "message": "none free",
 * "requeueAfterSeconds": 60}}}.
 */
final class CheckStates {
  private static final ImmutableSet<String> FIELDS =
      ImmutableSet.of("state", "message", "requeueAfterSeconds");

  private CheckStates() {}

  /**
   * {@return the states that are written to a job, empty if there are none}
   *
   * @throws IllegalArgumentException if they are malformed; says why
   */
  static ImmutableList<AdmissionCheckState> of(HasMetadata job) {
    String text = JobAnnotations.get(job, JobAnnotations.CHECKS);
    if (text.isEmpty()) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<AdmissionCheckState> states = ImmutableList.builder();
    for (Map.Entry<String, JsonNode> entry : Json.parse(text).properties()) {
      states.add(state(entry.getKey(), entry.getValue()));
    }
    return states.build();
  }

  private static AdmissionCheckState state(String name, JsonNode written) {
    if (!written.isObject()) {
      return AdmissionCheckState.of(name, state(name, written.asText()));
    }
    Set<String> unknown = Sets.difference(
        written.properties().stream().map(Map.Entry::getKey).collect(ImmutableSet.toImmutableSet()),
        FIELDS);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(name + " has " + unknown + "; expected of " + FIELDS);
    }
    return AdmissionCheckState.builder()
        .name(name)
        .state(state(name, Json.text(written, "state")))
        .message(Json.optionalText(written, "message").orElse(""))
        .requeueAfter(
            written.has("requeueAfterSeconds")
                ? Optional.of(Duration.ofSeconds(Json.number(written, "requeueAfterSeconds")))
                : Optional.empty())
        .build();
  }

  private static CheckState state(String name, String text) {
    return Arrays.stream(CheckState.values())
        .filter(state -> state.toString().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " is \"" + text
            + "\"; expected one of " + Arrays.toString(CheckState.values())));
  }
}
