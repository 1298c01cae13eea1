package io.kueue4j.core.model;

/**
 * A rule that an object breaks.
 *
 * @param object kind and name, for example {@code ClusterQueue research}
 * @param field the path of the field, for example
 *     {@code resourceGroups[0].flavors[1].resources[0].lendingLimit}
 * @param problem what was given, what was expected and what to do
 */
public record Violation(String object, String field, String problem) {
  /** {@return object, field and problem in one line} */
  @Override
  public String toString() {
    return object + ": " + (field.isEmpty() ? "" : field + ": ") + problem;
  }
}
