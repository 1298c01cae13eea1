package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of an object, at most one of each type. Conditions that are not set keep their
 * content.
 *
 * <p>Rules: L-14a, J-21.
 */
final class ConditionList {
  private final Map<String, Map<String, Object>> byType = new LinkedHashMap<>();
  private final long generation;

  private ConditionList(long generation) {
    this.generation = generation;
  }

  /** {@return the conditions of {@code object}} */
  static ConditionList of(GenericKubernetesResource object) {
    ConditionList list = new ConditionList(ObjectStatus.generation(object));
    for (Object item : ObjectStatus.items(ObjectStatus.of(object).get("conditions"))) {
      Map<String, Object> condition = ObjectStatus.mapping(item);
      list.byType.putIfAbsent(String.valueOf(condition.get("type")), condition);
    }
    return list;
  }

  /**
   * Sets a condition.
   *
   * @param since the time of its last transition
   */
  void put(String type, boolean isTrue, String reason, String message, Instant since) {
    Map<String, Object> condition = new LinkedHashMap<>();
    condition.put("type", type);
    condition.put("status", isTrue ? "True" : "False");
    if (generation > 0) {
      condition.put("observedGeneration", ObjectStatus.number(generation));
    }
    condition.put("lastTransitionTime", ObjectStatus.time(since));
    condition.put("reason", reason);
    condition.put("message", MessageText.ofCondition(message));
    byType.put(type, condition);
  }

  /** Sets a condition, with the current time as its transition time if its status changes. */
  void set(String type, boolean isTrue, String reason, String message, Instant now) {
    put(type, isTrue, reason, message, since(type, isTrue).orElse(now));
  }

  void remove(String type) {
    byType.remove(type);
  }

  /** {@return whether the condition of that type exists and is true} */
  boolean isTrue(String type) {
    return "True".equals(field(type, "status"));
  }

  /**
   * {@return the time since when the condition has that status; empty if it has another status or
   * no time}
   */
  Optional<Instant> since(String type, boolean isTrue) {
    return (isTrue ? "True" : "False").equals(field(type, "status"))
        ? time(field(type, "lastTransitionTime"))
        : Optional.empty();
  }

  /** {@return the condition of that type, empty if there is none} */
  Optional<Condition> find(String type) {
    return Optional.ofNullable(byType.get(type))
        .map(unused -> new ConditionBuilder()
            .withType(type)
            .withStatus(text(type, "status"))
            .withReason(text(type, "reason"))
            .withMessage(text(type, "message"))
            .withLastTransitionTime(text(type, "lastTransitionTime"))
            .withObservedGeneration(
                field(type, "observedGeneration") instanceof Number number
                    ? number.longValue()
                    : null)
            .build());
  }

  private @Nullable String text(String type, String name) {
    return field(type, name) instanceof String text ? text : null;
  }

  /** {@return a field of the condition of that type, null if there is none} */
  @Nullable
  Object field(String type, String name) {
    Map<String, Object> condition = byType.get(type);
    return condition == null ? null : condition.get(name);
  }

  private static Optional<Instant> time(@Nullable Object text) {
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text.toString()).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** {@return the conditions; new ones follow existing ones} */
  List<Object> toList() {
    return ImmutableList.copyOf(byType.values());
  }
}
