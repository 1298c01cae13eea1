package io.kueue4j.core.model;

/**
 * A named priority. Workloads that name it have its value, also when it changes while they wait or
 * run.
 *
 * <p>Rules: M-21, M-23.
 *
 * @param name the name
 * @param value the priority; higher goes first
 */
public record WorkloadPriorityClass(String name, int value) implements ConfigObject {
  @Override
  public String key() {
    return "WorkloadPriorityClass " + name;
  }
}
