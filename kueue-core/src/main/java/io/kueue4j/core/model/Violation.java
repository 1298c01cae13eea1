package io.kueue4j.core.model;

/**
 * One reason why an object is invalid.
 *
 * @param object the kind and name, for example {@code ClusterQueue research}
 * @param field the path of the field, for example
 *     {@code resourceGroups[0].flavors[1].resources[0].lendingLimit}
 * @param problem what was given and what was expected
 * @since 0.1.0
 */
public record Violation(String object, String field, String problem) {
  /** {@return the object, field and problem in one line} */
  @Override
  public String toString() {
    return object + ": " + (field.isEmpty() ? "" : field + ": ") + problem;
  }
}
