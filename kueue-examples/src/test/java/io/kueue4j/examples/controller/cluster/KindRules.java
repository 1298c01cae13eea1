package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The checks of the API server for objects of one kind; each list contains the causes, as worded by
 * Kubernetes, and is empty if the write is valid.
 */
interface KindRules {
  /** For kinds without checks. */
  KindRules NONE = new KindRules() {};

  /** Writes defaults into an object that already has its metadata. */
  default void prepareForCreate(ObjectNode object) {}

  /** {@return the causes in an object itself} */
  default List<String> violations(ObjectNode object) {
    return List.of();
  }

  /**
   * {@return the causes for immutable fields changed by a write that has the status of {@code old}}
   */
  default List<String> violations(ObjectNode old, ObjectNode now) {
    return List.of();
  }

  /** {@return the causes for immutable fields changed by a write of the status} */
  default List<String> statusViolations(ObjectNode old, ObjectNode now) {
    return List.of();
  }
}
