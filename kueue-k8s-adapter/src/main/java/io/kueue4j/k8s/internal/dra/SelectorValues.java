package io.kueue4j.k8s.internal.dra;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.resource.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The operations on the values of a {@link SelectorNode}. */
final class SelectorValues {
  private static final int MAX_PATTERN = 256;

  /** More than any sensible pattern needs for an attribute, which has at most 64 characters. */
  private static final int MAX_STEPS = 100_000;

  /** The number of arguments by method. */
  private static final ImmutableMap<String, Integer> METHODS =
      ImmutableMap.<String, Integer>builder()
          .put("startsWith", 1)
          .put("endsWith", 1)
          .put("contains", 1)
          .put("matches", 1)
          .put("lowerAscii", 0)
          .put("upperAscii", 0)
          .put("size", 0)
          .put("compareTo", 1)
          .put("isGreaterThan", 1)
          .put("isLessThan", 1)
          .buildOrThrow();

  private SelectorValues() {}

  static boolean flag(Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw new SelectorException("uses " + describe(value) + " as a condition");
  }

  static boolean has(Object target, String field) {
    return target instanceof Map<?, ?> map && map.containsKey(field);
  }

  static boolean contains(Object container, Object item) {
    if (container instanceof List<?> list) {
      return list.contains(item);
    }
    if (container instanceof Map<?, ?> map) {
      return map.containsKey(item);
    }
    if (container instanceof Device.Domains domains) {
      return domains.byDomain().containsKey(item);
    }
    throw new SelectorException("looks for an item in " + describe(container));
  }

  static Object get(Object target, Object key) {
    if (target instanceof Device device) {
      return device.part(String.valueOf(key));
    }
    if (target instanceof Device.Domains domains) {
      return domains.get(key);
    }
    Object value = target instanceof Map<?, ?> map ? map.get(key) : null;
    if (value == null) {
      throw new SelectorException("no such key: " + key);
    }
    return value;
  }

  static int compare(Object left, Object right) {
    if (left instanceof Long a && right instanceof Long b) {
      return a.compareTo(b);
    }
    if (left instanceof String a && right instanceof String b) {
      return a.compareTo(b);
    }
    throw new SelectorException("compares " + describe(left) + " with " + describe(right));
  }

  static BigDecimal quantity(Object text) {
    try {
      return Quantity.parse(text(text)).stripTrailingZeros();
    } catch (IllegalArgumentException e) {
      throw new SelectorException(String.valueOf(e.getMessage()));
    }
  }

  static DeviceVersion version(Object text) {
    return DeviceVersion.parse(text(text));
  }

  static long size(Object value) {
    if (value instanceof String text) {
      return text.codePointCount(0, text.length());
    }
    if (value instanceof List<?> list) {
      return list.size();
    }
    if (value instanceof Map<?, ?> map) {
      return map.size();
    }
    throw new SelectorException("asks for the size of " + describe(value));
  }

  static void checkMethod(String method, int arguments) {
    Integer expected = METHODS.get(method);
    if (expected == null || expected != arguments) {
      throw new SelectorException(
          "uses " + method + " with " + arguments + " arguments, which is not supported");
    }
  }

  static Object call(String method, Object target, List<Object> arguments) {
    return switch (method) {
      case "startsWith" -> text(target).startsWith(text(arguments.get(0)));
      case "endsWith" -> text(target).endsWith(text(arguments.get(0)));
      case "contains" -> text(target).contains(text(arguments.get(0)));
      case "matches" -> matches(text(target), text(arguments.get(0)));
      case "lowerAscii" -> Ascii.toLowerCase(text(target));
      case "upperAscii" -> Ascii.toUpperCase(text(target));
      case "size" -> size(target);
      case "isGreaterThan" -> order(target, arguments.get(0)) > 0;
      case "isLessThan" -> order(target, arguments.get(0)) < 0;
      default -> (long) Integer.signum(order(target, arguments.get(0)));
    };
  }

  private static int order(Object left, Object right) {
    if (left instanceof BigDecimal a && right instanceof BigDecimal b) {
      return a.compareTo(b);
    }
    if (left instanceof DeviceVersion a && right instanceof DeviceVersion b) {
      return a.compareTo(b);
    }
    throw new SelectorException("compares " + describe(left) + " with " + describe(right));
  }

  private static boolean matches(String text, String pattern) {
    if (pattern.length() > MAX_PATTERN) {
      throw new SelectorException(
          "has a pattern of " + pattern.length() + " characters; expected at most " + MAX_PATTERN);
    }
    try {
      return Pattern.compile(pattern)
          .matcher(new CountedText(text, new AtomicInteger()))
          .find();
    } catch (PatternSyntaxException e) {
      throw new SelectorException("has an invalid pattern: " + e.getDescription());
    }
  }

  /** A text that may be read a limited number of times, since a pattern may need very many. */
  private record CountedText(String text, AtomicInteger reads) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (reads.incrementAndGet() > MAX_STEPS) {
        throw new SelectorException("has a pattern that takes too long");
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static String text(Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new SelectorException("uses " + describe(value) + " as a text");
  }

  private static String describe(Object value) {
    if (value instanceof Device || value instanceof Device.Domains || value instanceof Map<?, ?>) {
      return "an object";
    }
    return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
  }
}
