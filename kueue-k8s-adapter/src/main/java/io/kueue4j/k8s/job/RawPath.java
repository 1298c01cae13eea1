package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.internal.yaml.FieldPath;

/**
 * The path of a field in an object without a class of its own.
 *
 * @param text the path in Kubernetes' notation, for example {@code spec.groups[0].template}
 * @param steps the names of fields and, as integers, the indexes in lists that lead to it
 */
record RawPath(String text, ImmutableList<Object> steps) {
  /** The object itself. */
  static final RawPath ROOT = new RawPath("", ImmutableList.of());

  /** In a declaration: every item of a list, or every value of a mapping. */
  static final String EACH = "*";

  private static final Splitter DOT = Splitter.on('.');

  /**
   * {@return the path {@code text}, which consists of field names separated by dots}
   *
   * @throws IllegalArgumentException if a name is empty
   */
  static RawPath of(String text) {
    return ROOT.fields(text);
  }

  /**
   * {@return the path of a field below this one}
   *
   * @param names field names separated by dots
   */
  RawPath fields(String names) {
    RawPath path = this;
    for (String name : DOT.split(names)) {
      checkArgument(
          !name.isEmpty() && name.indexOf('[') < 0,
          "the path \"%s\" is no list of field names; expected names with dots between them, such"
              + " as spec.template",
          names);
      path = path.field(name);
    }
    return path;
  }

  RawPath field(String name) {
    return new RawPath(FieldPath.field(text, name), plus(name));
  }

  RawPath item(int index) {
    return new RawPath(FieldPath.item(text, index), plus(index));
  }

  boolean isRoot() {
    return steps.isEmpty();
  }

  /** {@return the path of the parent; of the root, the root} */
  RawPath parent() {
    RawPath parent = ROOT;
    for (Object step : steps.subList(0, Math.max(steps.size() - 1, 0))) {
      parent = step instanceof Integer index ? parent.item(index) : parent.field((String) step);
    }
    return parent;
  }

  private ImmutableList<Object> plus(Object step) {
    return ImmutableList.builder().addAll(steps).add(step).build();
  }

  @Override
  public String toString() {
    return text;
  }
}
