package io.kueue4j.k8s.internal.yaml;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.k8s.manifest.Manifest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one mapping, read by name and type.
 *
 * <p>A wrong value is recorded as a problem and treated as absent, as {@code null} is, so reading
 * continues and finds all problems. Fields that were never read are unknown; {@link #noteUnknown()}
 * reports them. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class Fields {
  private final @Nullable YamlMapping mapping;
  private final YamlPosition position;
  private final String path;
  private final Issues issues;
  private final Set<String> known = new LinkedHashSet<>();
  private final List<Fields> children = new ArrayList<>();

  private Fields(@Nullable YamlMapping mapping, YamlPosition position, String path, Issues issues) {
    this.mapping = mapping;
    this.position = position;
    this.path = path;
    this.issues = issues;
  }

  /** {@return the fields of the whole object} */
  public static Fields of(Manifest manifest, Issues issues) {
    return of(ParsedManifest.of(manifest).content(), "", issues);
  }

  /** {@return the fields of {@code mapping}, which is at {@code path} in its object} */
  public static Fields of(YamlMapping mapping, String path, Issues issues) {
    return new Fields(mapping, mapping, path, issues);
  }

  /** {@return whether the mapping is present} */
  public boolean isPresent() {
    return mapping != null;
  }

  /** {@return the mapping, empty if it is absent} */
  public Optional<YamlMapping> mapping() {
    return Optional.ofNullable(mapping);
  }

  /** {@return whether the field has a value} */
  public boolean has(String name) {
    return value(name).isPresent();
  }

  /** {@return the path of the field} */
  public String path(String name) {
    return FieldPath.field(path, name);
  }

  /** {@return the path of the mapping} */
  public String path() {
    return path;
  }

  /** {@return the value of the field, empty if it is absent or null} */
  public Optional<YamlNode> value(String name) {
    known.add(name);
    YamlField field = mapping == null ? null : mapping.fields().get(name);
    return field == null || field.value().isNull() ? Optional.empty() : Optional.of(field.value());
  }

  /** {@return the text} */
  public Optional<String> text(String name) {
    Optional<YamlNode> value = value(name);
    if (value.isPresent()
        && value.get() instanceof YamlScalar scalar
        && scalar.type() == YamlScalar.Type.TEXT) {
      return Optional.of(scalar.text());
    }
    return value.flatMap(node -> text(node, path(name)));
  }

  /** {@return the text; if it is absent or empty, records a problem and returns an empty text} */
  @CanIgnoreReturnValue
  public String requiredText(String name) {
    boolean given = has(name);
    Optional<String> text = text(name);
    if (!given) {
      missing(name, "text");
    } else if (text.isPresent() && text.get().isEmpty()) {
      problem(name, "empty; expected text");
    }
    return text.orElse("");
  }

  /** {@return the boolean} */
  public Optional<Boolean> flag(String name) {
    return scalar(
        name,
        "true or false",
        scalar -> scalar.type() == YamlScalar.Type.BOOLEAN
            ? Optional.of(scalar.isTrue())
            : Optional.empty());
  }

  /** {@return the 32-bit integer} */
  public OptionalInt integer(String name) {
    return scalar(
            name,
            "a 32-bit integer",
            scalar -> scalar.type() == YamlScalar.Type.INTEGER
                ? Optional.ofNullable(Ints.tryParse(scalar.text()))
                : Optional.empty())
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  /** {@return the 64-bit integer} */
  public OptionalLong wholeNumber(String name) {
    return scalar(
            name,
            "an integer",
            scalar -> scalar.type() == YamlScalar.Type.INTEGER
                ? Optional.ofNullable(Longs.tryParse(scalar.text()))
                : Optional.empty())
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  /** {@return the text of the quantity, which {@link Quantity#parse} accepts} */
  public Optional<String> quantity(String name) {
    return value(name).flatMap(node -> quantity(node, path(name)));
  }

  /** {@return the constant whose {@code toString()} equals the text of the field} */
  public <E extends Enum<E>> Optional<E> choice(String name, Iterable<E> allowed) {
    ImmutableMap.Builder<String, E> byText = ImmutableMap.builder();
    allowed.forEach(constant -> byText.put(constant.toString(), constant));
    return choice(name, byText.buildOrThrow());
  }

  /** {@return the value in {@code allowed} for the text of the field} */
  public <T> Optional<T> choice(String name, Map<String, T> allowed) {
    Optional<String> text = text(name);
    Optional<T> choice = text.flatMap(value -> Optional.ofNullable(allowed.get(value)));
    if (text.isPresent() && choice.isEmpty()) {
      problem(
          name,
          YamlScalar.quote(text.get())
              + "; expected one of "
              + Joiner.on(", ").join(allowed.keySet())
              + Suggestion.question(text.get(), allowed.keySet().stream()));
    }
    return choice;
  }

  /** {@return the fields of the mapping in the field, without any if it is absent} */
  public Fields object(String name) {
    String at = path(name);
    Optional<YamlMapping> object = value(name).flatMap(node -> mapping(node, at));
    return child(object.orElse(null), place(name), at);
  }

  /** {@return the fields of each mapping in the list} */
  public List<Fields> objects(String name) {
    return items(name, (node, at) -> mapping(node, at).map(item -> child(item, item, at)));
  }

  /** {@return the texts in the list} */
  public List<String> texts(String name) {
    return items(name, this::text);
  }

  /** {@return the texts by key} */
  public Map<String, String> textMap(String name) {
    return map(name, this::text);
  }

  /** {@return the quantities by key, each accepted by {@link Quantity#parse}} */
  public Map<String, String> quantities(String name) {
    return map(name, this::quantity);
  }

  /** Marks fields as known that do not matter. */
  public void ignore(String... names) {
    known.addAll(List.of(names));
  }

  /** Marks every field as known, because other code checks them. */
  public void ignoreAll() {
    if (mapping != null) {
      known.addAll(mapping.fields().keySet());
    }
  }

  /** Marks fields as known that would matter, and notes that they are ignored. */
  public void passOver(String... names) {
    for (String name : names) {
      if (has(name)) {
        note(name, "passed over: not taken into account yet");
      }
    }
  }

  /** Adds a problem with the field, or with the mapping if the field is absent. */
  public void problem(String name, String message) {
    issues.problem(place(name), path(name), message);
  }

  /**
   * Adds the problem that the field is missing, and names a field that is probably a misspelling of
   * it.
   *
   * @param expected what the value of the field should be
   */
  public void missing(String name, String expected) {
    Stream<String> others = mapping == null
        ? Stream.empty()
        : mapping.fields().keySet().stream().filter(field -> !known.contains(field));
    problem(name, "missing; expected " + expected + Suggestion.misspelling(name, others));
  }

  /** Adds a note on the field. */
  public void note(String name, String message) {
    issues.note(place(name), path(name), message);
  }

  /** Adds a note for each unknown field of this mapping and of all mappings read from it. */
  public void noteUnknown() {
    children.forEach(Fields::noteUnknown);
    if (mapping == null) {
      return;
    }
    for (String name : mapping.fields().keySet()) {
      if (!known.contains(name)) {
        note(name, unknown(name, known.stream()));
      }
    }
  }

  /** {@return the message about a field that is not among {@code known}} */
  static String unknown(String name, Stream<String> known) {
    return "unknown field" + Suggestion.question(name, known);
  }

  private Fields child(@Nullable YamlMapping object, YamlPosition at, String childPath) {
    Fields child = new Fields(object, at, childPath, issues);
    children.add(child);
    return child;
  }

  private YamlPosition place(String name) {
    YamlField field = mapping == null ? null : mapping.fields().get(name);
    return field == null ? position : field.place();
  }

  private <T> Optional<T> scalar(
      String name, String expected, Function<YamlScalar, Optional<T>> reading) {
    Optional<YamlNode> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    Optional<T> result =
        value.get() instanceof YamlScalar scalar ? reading.apply(scalar) : Optional.empty();
    if (result.isEmpty()) {
      problem(name, value.get().describe() + "; expected " + expected);
    }
    return result;
  }

  private Optional<String> text(YamlNode node, String at) {
    if (node instanceof YamlScalar scalar && scalar.type() == YamlScalar.Type.TEXT) {
      return Optional.of(scalar.text());
    }
    String advice = node instanceof YamlScalar && !node.isNull() ? ", put it in quotes" : "";
    issues.problem(node, at, node.describe() + "; expected text" + advice);
    return Optional.empty();
  }

  private Optional<String> quantity(YamlNode node, String at) {
    Optional<String> problem = quantityProblem(node);
    problem.ifPresent(message -> issues.problem(node, at, message));
    return problem.isEmpty() && node instanceof YamlScalar scalar
        ? Optional.of(scalar.text())
        : Optional.empty();
  }

  /** {@return why {@code node} is not a quantity, empty if it is one} */
  static Optional<String> quantityProblem(YamlNode node) {
    if (!(node instanceof YamlScalar scalar)
        || scalar.isNull()
        || scalar.type() == YamlScalar.Type.BOOLEAN) {
      return Optional.of(node.describe() + "; expected a quantity such as 2, 500m or 10Gi");
    }
    return quantityProblem(scalar.text());
  }

  /** {@return why {@code text} is not a quantity, empty if it is one} */
  static Optional<String> quantityProblem(String text) {
    try {
      BigDecimal unused = Quantity.parse(text);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Optional<YamlMapping> mapping(YamlNode node, String at) {
    if (node instanceof YamlMapping found) {
      return Optional.of(found);
    }
    issues.problem(node, at, node.describe() + "; expected a mapping");
    return Optional.empty();
  }

  private interface Reading<T> {
    Optional<T> read(YamlNode node, String path);
  }

  private <T> ImmutableList<T> items(String name, Reading<T> reading) {
    Optional<YamlNode> value = value(name);
    if (value.isEmpty()) {
      return ImmutableList.of();
    }
    if (!(value.get() instanceof YamlSequence sequence)) {
      problem(name, value.get().describe() + "; expected a list");
      return ImmutableList.of();
    }
    ImmutableList.Builder<T> items = ImmutableList.builder();
    for (int i = 0; i < sequence.items().size(); i++) {
      reading.read(sequence.items().get(i), FieldPath.item(path(name), i)).ifPresent(items::add);
    }
    return items.build();
  }

  private <T> ImmutableMap<String, T> map(String name, Reading<T> reading) {
    Optional<YamlMapping> object = value(name).flatMap(node -> mapping(node, path(name)));
    if (object.isEmpty()) {
      return ImmutableMap.of();
    }
    ImmutableMap.Builder<String, T> entries = ImmutableMap.builder();
    object
        .get()
        .fields()
        .forEach((key, field) -> reading
            .read(field.value(), FieldPath.field(path(name), key))
            .ifPresent(value -> entries.put(key, value)));
    return entries.buildOrThrow();
  }
}
