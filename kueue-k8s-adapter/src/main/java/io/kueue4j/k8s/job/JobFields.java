package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.Ints;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.internal.yaml.Issues;
import io.kueue4j.k8s.internal.yaml.ObjectBinder;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of a job without a class of its own, and collects fields whose values have an
 * unexpected form. Absent and null fields are not problems.
 */
final class JobFields {
  private final GenericKubernetesResource job;
  private final String object;
  private final Object root;
  private final ImmutableSet.Builder<Violation> problems = ImmutableSet.builder();

  JobFields(GenericKubernetesResource job) {
    this.job = job;
    object = JobMetadata.describe(job);
    root = job.getAdditionalProperties();
  }

  GenericKubernetesResource job() {
    return job;
  }

  Object root() {
    return root;
  }

  void problem(RawPath path, String problem) {
    problems.add(new Violation(object, path.text(), problem));
  }

  List<Violation> problems() {
    return problems.build().asList();
  }

  void throwIfAny() {
    List<Violation> found = problems();
    if (!found.isEmpty()) {
      throw new InvalidConfigurationException(found);
    }
  }

  boolean isWritten(RawPath path) {
    return value(path) != null;
  }

  Optional<Boolean> bool(RawPath path) {
    Object value = value(path);
    if (value != null && !(value instanceof Boolean)) {
      wrong(path, value, "true or false");
    }
    return value instanceof Boolean given ? Optional.of(given) : Optional.empty();
  }

  Optional<String> text(RawPath path) {
    Object value = value(path);
    if (value != null && !(value instanceof String)) {
      wrong(path, value, "text, in quotes if it looks like something else");
    }
    return value instanceof String given ? Optional.of(given) : Optional.empty();
  }

  /** {@return the number at the path, such as a number of pods} */
  OptionalInt count(RawPath path) {
    Object value = value(path);
    if (value == null) {
      return OptionalInt.empty();
    }
    if (!(value instanceof Integer || value instanceof Long || value instanceof BigInteger)) {
      wrong(path, value, "a 32-bit integer");
      return OptionalInt.empty();
    }
    BigInteger number = new BigInteger(value.toString());
    if (number.bitLength() >= Integer.SIZE) {
      wrong(path, value, "a 32-bit integer");
      return OptionalInt.empty();
    }
    if (number.signum() < 0) {
      problem(path, number + "; expected 0 or more");
      return OptionalInt.empty();
    }
    return OptionalInt.of(Ints.checkedCast(number.longValueExact()));
  }

  /**
   * {@return {@code groups} times {@code pods}; an overflow is a problem of the field at
   * {@code path}}
   */
  int product(RawPath path, int groups, int pods) {
    PodCounts.problem(groups, pods).ifPresent(problem -> problem(path, problem));
    return PodCounts.product(groups, pods);
  }

  List<?> items(RawPath path) {
    Object value = value(path);
    if (value != null && !(value instanceof List<?>)) {
      wrong(path, value, "a list");
    }
    return value instanceof List<?> list ? list : List.of();
  }

  Map<String, Object> mapping(RawPath path) {
    Object value = value(path);
    if (value != null && !(value instanceof Map<?, ?>)) {
      wrong(path, value, "a mapping");
    }
    return RawTree.mapping(value);
  }

  /** {@return the entries of the mapping of texts at the path} */
  Map<String, String> texts(RawPath path) {
    Map<String, String> texts = new LinkedHashMap<>();
    mapping(path)
        .keySet()
        .forEach(key -> text(path.field(key)).ifPresent(text -> texts.put(key, text)));
    return texts;
  }

  /** {@return the pod template at the path, an empty one if there is none} */
  PodTemplateSpec template(RawPath path) {
    return object(path, PodTemplateSpec.class).orElseGet(PodTemplateSpec::new);
  }

  /** {@return the value at the path as an object of a class with Jackson annotations} */
  <T> Optional<T> object(RawPath path, Class<T> type) {
    Object value = value(path);
    return value == null ? Optional.empty() : bind(path, value, type);
  }

  /** {@return the items of the list at the path, each as an object of {@code type}} */
  <T> ImmutableList<T> objects(RawPath path, Class<T> type) {
    ImmutableList.Builder<T> objects = ImmutableList.builder();
    List<?> items = items(path);
    for (int i = 0; i < items.size(); i++) {
      Object item = items.get(i);
      if (item == null) {
        problem(path.item(i), "empty; expected an element, or none at all");
      } else {
        bind(path.item(i), item, type).ifPresent(objects::add);
      }
    }
    return objects.build();
  }

  private <T> Optional<T> bind(RawPath path, Object value, Class<T> type) {
    Issues issues = new Issues(object, 1);
    Optional<T> bound = ObjectBinder.bind(RawValues.node(value), type, path.text(), issues);
    for (ManifestIssue issue : issues.problems()) {
      problems.add(new Violation(object, issue.field(), issue.message()));
    }
    return bound;
  }

  /** {@return the value at the path; an enclosing value of another form is a problem} */
  private @Nullable Object value(RawPath path) {
    Object node = root;
    RawPath at = RawPath.ROOT;
    for (Object step : path.steps()) {
      boolean list = step instanceof Integer;
      if (node != null && !(list ? node instanceof List<?> : node instanceof Map<?, ?>)) {
        wrong(at, node, list ? "a list" : "a mapping");
        return null;
      }
      at = step instanceof Integer index ? at.item(index) : at.field((String) step);
      node = RawTree.get(root, at);
    }
    return node;
  }

  private void wrong(RawPath path, Object value, String expected) {
    problem(path, RawValues.node(value).describe() + "; expected " + expected);
  }
}
