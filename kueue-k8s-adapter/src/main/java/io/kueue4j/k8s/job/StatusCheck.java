package io.kueue4j.k8s.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A check of the status of a job without a class of its own. Immutable.
 *
 * <p>A value that is absent or has an unexpected form does not satisfy a check.
 *
 * @since 0.1.0
 */
public final class StatusCheck {
  private static final String CONDITIONS = "status.conditions";

  private final RawPath path;
  private final Predicate<Object> test;
  private final Optional<RawPath> message;
  private final boolean condition;

  private StatusCheck(
      RawPath path, Predicate<Object> test, Optional<RawPath> message, boolean condition) {
    this.path = path;
    this.test = test;
    this.message = message;
    this.condition = condition;
  }

  /** {@return a check that the condition {@code type} in {@code status.conditions} is true} */
  public static StatusCheck condition(String type) {
    return new StatusCheck(
        RawPath.of(CONDITIONS + "." + RawPath.EACH),
        item -> item instanceof Map<?, ?> map
            && type.equals(map.get("type"))
            && "True".equals(map.get("status")),
        Optional.empty(),
        true);
  }

  /**
   * {@return a check that the text at {@code path} is one of {@code values}}
   *
   * @throws IllegalArgumentException if the path is invalid, or there is no value
   */
  public static StatusCheck value(String path, String... values) {
    checkArgument(values.length > 0, "no value for %s; expected at least one", path);
    ImmutableSet<String> wanted = ImmutableSet.copyOf(values);
    return new StatusCheck(
        RawPath.of(path),
        value -> value instanceof String text && wanted.contains(text),
        Optional.empty(),
        false);
  }

  /**
   * {@return a check that a number at {@code path} is above 0}
   *
   * @param path field names separated by dots; {@code *} matches every item of a list, or every
   *     value of a mapping
   * @throws IllegalArgumentException if the path is invalid
   */
  public static StatusCheck positive(String path) {
    return new StatusCheck(
        RawPath.of(path),
        value -> value instanceof Number number && number.doubleValue() > 0,
        Optional.empty(),
        false);
  }

  /**
   * {@return this check with a message from {@code path}; the default for a condition is its own
   * message}
   *
   * @throws IllegalArgumentException if the path is invalid
   */
  public StatusCheck message(String path) {
    return new StatusCheck(this.path, test, Optional.of(RawPath.of(path)), condition);
  }

  boolean holds(Object root) {
    return RawTree.all(root, path).stream().anyMatch(test);
  }

  /**
   * {@return the job's message if the check holds, may be an empty text; empty if it does not hold}
   */
  Optional<String> find(Object root) {
    return RawTree.all(root, path).stream().filter(test).findFirst().map(found -> {
      Object words = message.isPresent()
          ? RawTree.get(root, message.get())
          : condition ? RawTree.get(found, RawPath.of("message")) : null;
      return words instanceof String text ? text : "";
    });
  }
}
