package io.kueue4j.core.resource;

/**
 * The names of resources that have a meaning of their own, and what a name may look like.
 *
 * <p>A resource name is a Kubernetes qualified name such as {@code cpu} or {@code nvidia.com/gpu}.
 *
 * <p>Rules: N-1, M-6.
 */
public final class ResourceNames {
  /** Processor time, counted in milli-units. */
  public static final String CPU = "cpu";

  /** Memory, counted in bytes. */
  public static final String MEMORY = "memory";

  /** Local disk, counted in bytes. */
  public static final String EPHEMERAL_STORAGE = "ephemeral-storage";

  /**
   * The number of pods; charged by the engine when a queue covers it, never requested by a
   * container.
   */
  public static final String PODS = "pods";

  private static final int MAX_NAME = 63;
  private static final int MAX_PREFIX = 253;

  private ResourceNames() {}

  /** {@return whether one unit of the resource is counted as 1,000} */
  public static boolean isCountedInMilliUnits(String resource) {
    return resource.equals(CPU);
  }

  /**
   * {@return whether {@code name} is a Kubernetes qualified name: an optional DNS prefix, a slash,
   * a name}
   */
  public static boolean isQualifiedName(String name) {
    int slash = name.indexOf('/');
    return isName(name, slash + 1, true) && (slash < 0 || isDomain(name, slash));
  }

  /** {@return whether {@code value} may be the value of a Kubernetes label} */
  public static boolean isLabelValue(String value) {
    return value.isEmpty() || isName(value, 0, true);
  }

  /** {@return whether the first {@code end} characters are a DNS subdomain} */
  private static boolean isDomain(String text, int end) {
    if (end > MAX_PREFIX) {
      return false;
    }
    int start = 0;
    for (int i = 0; i <= end; i++) {
      if (i == end || text.charAt(i) == '.') {
        if (!isName(text.substring(start, i), 0, false)) {
          return false;
        }
        start = i + 1;
      }
    }
    return true;
  }

  /**
   * {@return whether the text from {@code start} is a name; with {@code wide} upper case, dots,
   * underscores may occur}
   */
  private static boolean isName(String text, int start, boolean wide) {
    int length = text.length() - start;
    if (length < 1 || length > MAX_NAME) {
      return false;
    }
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean inner = i > start && i < text.length() - 1;
      boolean letter = (c >= 'a' && c <= 'z') || (wide && c >= 'A' && c <= 'Z');
      boolean digit = c >= '0' && c <= '9';
      boolean mark = inner && (c == '-' || (wide && (c == '_' || c == '.')));
      if (!letter && !digit && !mark) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return whether amounts of the resource are bytes, and so are written with binary suffixes}
   */
  static boolean isCountedInBytes(String resource) {
    return resource.equals(MEMORY)
        || resource.equals(EPHEMERAL_STORAGE)
        || resource.startsWith("hugepages-");
  }
}
