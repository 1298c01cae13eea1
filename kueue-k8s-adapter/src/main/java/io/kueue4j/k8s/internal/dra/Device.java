package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.resource.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A device that a ResourceSlice publishes.
 *
 * @param name its name in its pool
 * @param driver its driver
 * @param attributes its attributes
 * @param capacity its capacities, as quantities
 * @param counters the greatest amount of each counter that it consumes of any counter set
 */
record Device(
    String name,
    String driver,
    Domains attributes,
    Domains capacity,
    ImmutableMap<String, BigDecimal> counters) {

  /** Values by domain and name. */
  record Domains(ImmutableMap<String, ImmutableMap<String, Object>> byDomain) {
    /** {@return the values of a domain, empty for an unknown one} */
    ImmutableMap<String, Object> get(Object domain) {
      return byDomain.getOrDefault(domain, ImmutableMap.of());
    }
  }

  /**
   * Reads a device of a ResourceSlice. A value that the API server would not have accepted is
   * passed over.
   *
   * @param content an element of {@code spec.devices}; before v1beta2 its contents are in the field
   *     {@code basic}
   */
  static Device read(String driver, Map<?, ?> content) {
    Map<?, ?> fields = content.get("basic") instanceof Map<?, ?> basic ? basic : content;
    return new Device(
        String.valueOf(content.get("name")),
        driver,
        domains(driver, fields.get("attributes"), Device::attribute),
        domains(driver, fields.get("capacity"), value -> quantity(value).map(it -> it)),
        counters(fields.get("consumesCounters")));
  }

  /**
   * {@return what an expression calls {@code device.<name>}}
   *
   * @throws SelectorException if that is not supported
   */
  Object part(String part) {
    return switch (part) {
      case "driver" -> driver;
      case "attributes" -> attributes;
      case "capacity" -> capacity;
      default -> throw new SelectorException("uses device." + part + ", which is not supported");
    };
  }

  private static Domains domains(
      String driver, @Nullable Object given, Function<Object, Optional<Object>> reader) {
    Map<String, Map<String, Object>> domains = new HashMap<>();
    if (given instanceof Map<?, ?> values) {
      values.forEach((key, value) -> {
        String name = String.valueOf(key);
        int slash = name.indexOf('/');
        String domain = slash < 0 ? driver : name.substring(0, slash);
        if (value != null) {
          reader
              .apply(value)
              .ifPresent(read -> domains
                  .computeIfAbsent(domain, unused -> new HashMap<>())
                  .put(name.substring(slash + 1), read));
        }
      });
    }
    ImmutableMap.Builder<String, ImmutableMap<String, Object>> copy = ImmutableMap.builder();
    domains.forEach((domain, values) -> copy.put(domain, ImmutableMap.copyOf(values)));
    return new Domains(copy.buildOrThrow());
  }

  private static Optional<Object> attribute(Object given) {
    if (!(given instanceof Map<?, ?> typed)) {
      return Optional.empty();
    }
    if (typed.get("version") instanceof String version) {
      try {
        return Optional.of(DeviceVersion.parse(version));
      } catch (SelectorException e) {
        return Optional.empty();
      }
    }
    if (typed.get("int") instanceof Number number) {
      return Optional.of(number.longValue());
    }
    Object text = typed.get("string");
    return Optional.ofNullable(text == null ? typed.get("bool") : text);
  }

  private static ImmutableMap<String, BigDecimal> counters(@Nullable Object given) {
    Map<String, BigDecimal> greatest = new HashMap<>();
    if (given instanceof List<?> sets) {
      for (Object set : sets) {
        if (set instanceof Map<?, ?> fields && fields.get("counters") instanceof Map<?, ?> all) {
          all.forEach((name, value) -> quantity(value)
              .ifPresent(amount -> greatest.merge(String.valueOf(name), amount, BigDecimal::max)));
        }
      }
    }
    return ImmutableMap.copyOf(greatest);
  }

  private static Optional<BigDecimal> quantity(@Nullable Object given) {
    Object text = given instanceof Map<?, ?> fields ? fields.get("value") : given;
    try {
      return Optional.ofNullable(text)
          .map(value -> Quantity.parse(String.valueOf(value)).stripTrailingZeros());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
