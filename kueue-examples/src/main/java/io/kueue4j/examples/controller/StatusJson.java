package io.kueue4j.examples.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionCause;
import io.kueue4j.core.model.EvictionCount;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/** The status of a workload, as JSON with the names of Kueue's {@code Workload.status}. */
final class StatusJson {
  private StatusJson() {}

  static ObjectNode write(WorkloadStatus status) {
    ObjectNode json = Json.object();
    ArrayNode conditions = json.putArray("conditions");
    for (WorkloadCondition condition : status.conditions()) {
      conditions
          .addObject()
          .put("type", condition.type().toString())
          .put("status", condition.isTrue() ? "True" : "False")
          .put("reason", condition.reason())
          .put("message", condition.message())
          .put("lastTransitionTime", condition.lastTransitionTime().toString());
    }
    writeChecks(status, json);
    if (status.requeueCount() > 0 || status.requeueAt().isPresent()) {
      ObjectNode requeue = json.putObject("requeueState").put("count", status.requeueCount());
      status.requeueAt().ifPresent(time -> requeue.put("requeueAt", time.toString()));
    }
    if (!status.accumulatedPastExecutionTime().isZero()) {
      json.put(
          "accumulatedPastExecutionTimeSeconds",
          Math.toIntExact(status.accumulatedPastExecutionTime().toSeconds()));
    }
    if (!status.evictions().isEmpty()) {
      ArrayNode evictions = json.putArray("evictions");
      for (EvictionCount count : status.evictions()) {
        ObjectNode eviction = evictions
            .addObject()
            .put("reason", count.reason().toString())
            .put("count", count.count());
        count.cause().ifPresent(cause -> eviction.put("underlyingCause", cause.toString()));
      }
    }
    return json;
  }

  private static void writeChecks(WorkloadStatus status, ObjectNode json) {
    if (status.admissionChecks().isEmpty()) {
      return;
    }
    ArrayNode checks = json.putArray("admissionChecks");
    for (AdmissionCheckState state : status.admissionChecks()) {
      ObjectNode check = checks
          .addObject()
          .put("name", state.name())
          .put("state", state.state().toString())
          .put("message", state.message())
          .put("lastTransitionTime", state.lastTransitionTime().toString())
          .put("retryCount", state.retryCount());
      state
          .requeueAfter()
          .ifPresent(delay -> check.put("requeueAfterSeconds", Math.toIntExact(delay.toSeconds())));
    }
  }

  static WorkloadStatus read(JsonNode json) {
    WorkloadStatus.Builder status = WorkloadStatus.builder()
        .addAllConditions(Json.list(json, "conditions", StatusJson::condition))
        .addAllAdmissionChecks(Json.list(json, "admissionChecks", StatusJson::check))
        .addAllEvictions(Json.list(json, "evictions", StatusJson::eviction));
    JsonNode requeue = json.path("requeueState");
    if (requeue.isObject()) {
      status.requeueCount(Json.number(requeue, "count"));
      if (requeue.has("requeueAt")) {
        status.requeueAt(Json.time(requeue, "requeueAt"));
      }
    }
    if (json.has("accumulatedPastExecutionTimeSeconds")) {
      status.accumulatedPastExecutionTime(
          Duration.ofSeconds(Json.number(json, "accumulatedPastExecutionTimeSeconds")));
    }
    return status.build();
  }

  private static WorkloadCondition condition(JsonNode json) {
    return new WorkloadCondition(
        named(ConditionType.values(), Json.text(json, "type")),
        Json.text(json, "status").equals("True"),
        Json.text(json, "reason"),
        Json.text(json, "message"),
        Json.time(json, "lastTransitionTime"));
  }

  private static AdmissionCheckState check(JsonNode json) {
    return AdmissionCheckState.builder()
        .name(Json.text(json, "name"))
        .state(named(CheckState.values(), Json.text(json, "state")))
        .message(Json.text(json, "message"))
        .lastTransitionTime(Json.time(json, "lastTransitionTime"))
        .retryCount(Json.number(json, "retryCount"))
        .requeueAfter(
            json.has("requeueAfterSeconds")
                ? Optional.of(Duration.ofSeconds(Json.number(json, "requeueAfterSeconds")))
                : Optional.empty())
        .build();
  }

  private static EvictionCount eviction(JsonNode json) {
    return new EvictionCount(
        named(EvictionReason.values(), Json.text(json, "reason")),
        Json.optionalText(json, "underlyingCause")
            .map(cause -> named(EvictionCause.values(), cause)),
        Json.number(json, "count"));
  }

  private static <E extends Enum<E>> E named(E[] values, String text) {
    Predicate<E> isNamed = value -> value.toString().equals(text);
    return Arrays.stream(values)
        .filter(isNamed)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "\"" + text + "\"; expected one of " + Arrays.toString(values)));
  }
}
