package io.kueue4j.k8s.internal.pod;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Violation;
import java.util.List;

/** Collects what is wrong with the annotations of one object. */
final class AnnotationErrors {
  private final String object;
  private final ImmutableList.Builder<Violation> found = ImmutableList.builder();

  AnnotationErrors(String object) {
    this.object = object;
  }

  void add(String field, String problem) {
    found.add(new Violation(object, field, problem));
  }

  List<Violation> found() {
    return found.build();
  }
}
