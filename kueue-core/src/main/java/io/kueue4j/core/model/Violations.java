package io.kueue4j.core.model;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** Collects the violations of one object. */
final class Violations {
  private final String object;
  private final ImmutableList.Builder<Violation> found = ImmutableList.builder();

  Violations(String object) {
    this.object = object;
  }

  void add(String field, String problem) {
    found.add(new Violation(object, field, problem));
  }

  @FormatMethod
  void check(boolean valid, String field, @FormatString String problem, Object... arguments) {
    if (!valid) {
      add(field, String.format(java.util.Locale.ROOT, problem, arguments));
    }
  }

  void checkName(String field, String name) {
    check(!Strings.isNullOrEmpty(name), field, "empty; expected a name");
  }

  void checkSize(String field, int size, int limit) {
    check(size <= limit, field, "%d entries; expected at most %d", size, limit);
  }

  ImmutableList<Violation> found() {
    return found.build();
  }
}
