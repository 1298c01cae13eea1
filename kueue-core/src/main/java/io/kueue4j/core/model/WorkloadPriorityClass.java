package io.kueue4j.core.model;

/**
 * A named priority. Workloads that name the class have its value; when the value changes, so does
 * the priority of waiting and running workloads.
 *
 * <p>Rules: M-21, M-23.
 *
 * @param name the name
 * @param value the priority; higher goes first
 * @since 0.1.0
 */
public record WorkloadPriorityClass(String name, int value) implements ConfigObject {
  @Override
  public String key() {
    return "WorkloadPriorityClass " + name;
  }
}
