package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.YamlNode;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.internal.yaml.YamlSequence;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A field with one number or a list of them.
 *
 * @param fields the mapping
 * @param name the name of the field
 * @param items the values, empty if the field is absent
 */
record Scalars(Fields fields, String name, ImmutableList<YamlNode> items) {
  private static final BigDecimal LEAST_FACTOR = new BigDecimal("0.001");
  private static final BigDecimal GREATEST_FACTOR = new BigDecimal("1000");

  /** {@return the values of a field} */
  static Scalars of(Fields fields, String name) {
    Optional<YamlNode> value = fields.value(name);
    List<YamlNode> items = value
        .map(node -> node instanceof YamlSequence list ? list.items() : List.of(node))
        .orElse(List.of());
    return new Scalars(fields, name, ImmutableList.copyOf(items));
  }

  /** {@return the whole numbers; others are problems} */
  ImmutableList<Long> longs() {
    return all("whole numbers", text -> Optional.ofNullable(Longs.tryParse(text)));
  }

  /** {@return the factors; others are problems} */
  ImmutableList<BigDecimal> factors() {
    return all("numbers between 0.001 and 1000, such as 1.5", Scalars::factor);
  }

  private static Optional<BigDecimal> factor(String text) {
    try {
      BigDecimal factor = new BigDecimal(text).stripTrailingZeros();
      return factor.compareTo(LEAST_FACTOR) < 0 || factor.compareTo(GREATEST_FACTOR) > 0
          ? Optional.empty()
          : Optional.of(factor);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * {@return the values}
   *
   * @param expected what they should be
   * @param reading reads one, empty if it is wrong
   */
  <T> ImmutableList<T> all(String expected, Function<String, Optional<T>> reading) {
    return items.stream()
        .map(item -> {
          Optional<T> value = item instanceof YamlScalar scalar && !scalar.isNull()
              ? reading.apply(scalar.text())
              : Optional.empty();
          if (value.isEmpty()) {
            String given =
                item instanceof YamlScalar scalar ? "'" + scalar.text() + "'" : item.describe();
            fields.problem(name, given + "; expected " + expected);
          }
          return value;
        })
        .flatMap(Optional::stream)
        .collect(toImmutableList());
  }
}
