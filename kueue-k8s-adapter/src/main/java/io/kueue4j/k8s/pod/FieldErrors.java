package io.kueue4j.k8s.pod;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Violation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads fields of one object and collects their problems. */
final class FieldErrors {
  private final String object;
  private final ImmutableList.Builder<Violation> found = ImmutableList.builder();

  FieldErrors(String object) {
    this.object = object;
  }

  void add(String field, String problem) {
    found.add(new Violation(object, field, problem));
  }

  List<Violation> found() {
    return found.build();
  }

  void throwIfAny() {
    List<Violation> violations = found.build();
    if (!violations.isEmpty()) {
      throw new InvalidConfigurationException(violations);
    }
  }

  /** Reads the elements of a list, each with its field; empty elements are reported and skipped. */
  <T> void forEach(
      String field, @Nullable List<? extends @Nullable T> elements, BiConsumer<T, String> reader) {
    for (int i = 0; elements != null && i < elements.size(); i++) {
      String at = field + "[" + i + "]";
      T element = elements.get(i);
      if (element == null) {
        add(at, "empty; expected an element, or none at all");
      } else {
        reader.accept(element, at);
      }
    }
  }

  /** Reads quantities; invalid ones are reported and skipped. */
  ResourceList quantities(String field, @Nullable Map<String, Quantity> quantities) {
    if (quantities == null || quantities.isEmpty()) {
      return ResourceList.EMPTY;
    }
    Map<String, BigDecimal> amounts = new TreeMap<>();
    quantities.forEach((resource, quantity) -> {
      try {
        amounts.put(resource, io.kueue4j.core.resource.Quantity.parse(text(quantity)));
      } catch (IllegalArgumentException e) {
        add(field + "[" + resource + "]", Strings.nullToEmpty(e.getMessage()));
      }
    });
    return ResourceList.of(amounts);
  }

  /** {@return the text of the quantity, which the model stores in two parts} */
  private static String text(@Nullable Quantity quantity) {
    return quantity == null
        ? ""
        : Strings.nullToEmpty(quantity.getAmount()) + Strings.nullToEmpty(quantity.getFormat());
  }
}
