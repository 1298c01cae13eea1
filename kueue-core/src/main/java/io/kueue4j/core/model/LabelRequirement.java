package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One condition on the labels of a namespace or node.
 *
 * <p>A requirement may be invalid, such as {@link Operator#IN} without values; {@link #problem()}
 * says why. An invalid requirement matches nothing.
 *
 * <p>Rules: F-11, F-12.
 *
 * @param key the label key
 * @param operator the relation
 * @param values the values that the label is compared with
 * @since 0.1.0
 */
public record LabelRequirement(String key, Operator operator, List<String> values) {
  /** Copies what it is given. */
  public LabelRequirement {
    values = ImmutableList.copyOf(values);
  }

  /** The relation of a label to the values of a requirement; named as in Kubernetes. */
  public enum Operator {
    /** The label is present with one of the values. */
    IN("In"),
    /** The label is absent or has none of the values. */
    NOT_IN("NotIn"),
    /** The label is present. */
    EXISTS("Exists"),
    /** The label is absent. */
    DOES_NOT_EXIST("DoesNotExist"),
    /** The label is an integer greater than the single value. */
    GREATER_THAN("Gt"),
    /** The label is an integer less than the single value. */
    LESS_THAN("Lt");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** {@return the name in Kubernetes manifests} */
    @Override
    public String toString() {
      return text;
    }
  }

  /** {@return the requirement that {@code key} has one of {@code values}} */
  public static LabelRequirement in(String key, String... values) {
    return new LabelRequirement(key, Operator.IN, ImmutableList.copyOf(values));
  }

  /** {@return why this requirement is invalid, empty if it is valid} */
  public Optional<String> problem() {
    return switch (operator) {
      case IN, NOT_IN ->
        values.isEmpty() ? Optional.of("operator " + operator + " needs values") : Optional.empty();
      case EXISTS, DOES_NOT_EXIST ->
        values.isEmpty()
            ? Optional.empty()
            : Optional.of("operator " + operator + " takes no values, given " + values);
      case GREATER_THAN, LESS_THAN ->
        values.size() == 1 && Longs.tryParse(values.get(0)) != null
            ? Optional.empty()
            : Optional.of("operator " + operator + " needs one integer, given " + values);
    };
  }

  /** {@return whether {@code labels} meet this requirement} */
  public boolean matches(Map<String, String> labels) {
    if (problem().isPresent()) {
      return false;
    }
    String label = labels.get(key);
    return switch (operator) {
      case IN -> label != null && values.contains(label);
      case NOT_IN -> label == null || !values.contains(label);
      case EXISTS -> label != null;
      case DOES_NOT_EXIST -> label == null;
      case GREATER_THAN, LESS_THAN -> label != null && compares(label);
    };
  }

  private boolean compares(String label) {
    Long actual = Longs.tryParse(label);
    if (actual == null) {
      return false;
    }
    long bound = Long.parseLong(values.get(0));
    return operator == Operator.GREATER_THAN ? actual > bound : actual < bound;
  }
}
