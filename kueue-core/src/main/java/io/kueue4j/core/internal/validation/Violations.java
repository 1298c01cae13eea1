package io.kueue4j.core.internal.validation;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.core.resource.ResourceNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the violations of one object. Paths of fields are built only for violations, so checking
 * valid objects is cheap.
 *
 * @param kind the kind of the object
 * @param name its name
 * @param found the violations so far
 * @param whole the collector for what this part is in, null for the collector of the object
 * @param list the list or map that this part is in
 * @param key its place there
 */
record Violations(
    String kind,
    Object name,
    List<Violation> found,
    @Nullable Violations whole,
    String list,
    Object key) {
  /** Creates a collector for an object with a kind, which ends in a space, and a name. */
  Violations(String kind, Object name) {
    this(kind, name, new ArrayList<>(0), null, "", "");
  }

  /** {@return a collector for a part of the object; paths of fields are relative to that part} */
  Violations at(String list, Object key) {
    return new Violations(kind, name, found, this, list, key);
  }

  /** Passes each element of a list of the object to {@code validation}, with a collector for it. */
  <T> void forEach(String list, List<T> elements, BiConsumer<Violations, T> validation) {
    for (int i = 0; i < elements.size(); i++) {
      validation.accept(at(list, i), elements.get(i));
    }
  }

  private String path() {
    return whole == null ? "" : whole.path() + list + "[" + key + "]";
  }

  void add(String field, String problem) {
    found.add(new Violation(kind + name, path() + field, problem));
  }

  @FormatMethod
  void check(boolean valid, String field, @FormatString String problem, Object... arguments) {
    if (!valid) {
      add(field, String.format(Locale.ROOT, problem, arguments));
    }
  }

  /** Checks the name of an object other than a namespace: a DNS subdomain. */
  void checkName(String field, String name) {
    if (!DnsNames.isSubdomain(name)) {
      addName(field, name, "lower-case letters, digits, '-' and '.', at most 253 characters");
    }
  }

  /** Checks the name of a namespace or pod set: a DNS label. */
  void checkLabel(String field, String name) {
    if (!DnsNames.isLabel(name)) {
      addName(field, name, "lower-case letters, digits and '-', at most 63 characters");
    }
  }

  /** Checks the key of a label or the like: a qualified name. */
  void checkKey(String field, String key) {
    check(ResourceNames.isQualifiedName(key), field, "\"%s\" is not a label key", key);
  }

  /** Checks the value of a label. */
  void checkValue(String field, String value) {
    check(ResourceNames.isLabelValue(value), field, "\"%s\" is not a label value", value);
  }

  /** Checks labels by key. */
  void checkLabels(String field, Map<String, String> labels) {
    labels.forEach((key, value) -> {
      checkKey(field, key);
      checkValue(field + "[" + key + "]", value);
    });
  }

  private void addName(String field, String name, String expected) {
    add(
        field,
        name.isEmpty()
            ? "empty; expected a name"
            : "\"" + name + "\"; expected a name of " + expected
                + ", with a letter or digit first and last");
  }

  /** Checks that an element of a list is not among those before it, and adds it to these. */
  void checkNew(Set<Object> before, Object element) {
    check(before.add(element), "", "\"%s\" a second time; keep one", element);
  }

  void checkSize(String field, int size, int limit) {
    if (size > limit) {
      add(field, size + " entries; expected at most " + limit);
    }
  }

  /** {@return the violations so far} */
  @Override
  public List<Violation> found() {
    return ImmutableList.copyOf(found);
  }
}
