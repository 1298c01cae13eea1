package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What the API server checks of objects of one kind; each list has the causes, as Kubernetes words
 * them, and is empty if the write may be done.
 */
interface KindRules {
  /** Of kinds of which nothing is checked. */
  KindRules NONE = new KindRules() {};

  /** Writes defaults into an object that already has its metadata. */
  default void prepareForCreate(ObjectNode object) {}

  /** {@return what is wrong about an object by itself} */
  default List<String> violations(ObjectNode object) {
    return List.of();
  }

  /** {@return what was changed that must not be, by a write that has the status of {@code old}} */
  default List<String> violations(ObjectNode old, ObjectNode now) {
    return List.of();
  }

  /** {@return what was changed that must not be, by a write of the status} */
  default List<String> statusViolations(ObjectNode old, ObjectNode now) {
    return List.of();
  }
}
