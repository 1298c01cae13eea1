package io.kueue4j.core.resource;

/**
 * The resource names with a special meaning, and the syntax of resource names, label keys and label
 * values.
 *
 * <p>A resource name is a Kubernetes qualified name such as {@code cpu} or {@code nvidia.com/gpu}.
 *
 * <p>Rules: N-1, M-6.
 *
 * @since 0.1.0
 */
public final class ResourceNames {
  /** Processor time, counted in milli-units. */
  public static final String CPU = "cpu";

  /** Memory, counted in bytes. */
  public static final String MEMORY = "memory";

  /** Local disk, counted in bytes. */
  public static final String EPHEMERAL_STORAGE = "ephemeral-storage";

  /**
   * The number of pods. The engine charges it when a queue covers it; containers never request it.
   */
  public static final String PODS = "pods";

  /** TPU chips. */
  public static final String TPU = "google.com/tpu";

  private static final int MAX_NAME = 63;

  private ResourceNames() {}

  /** {@return whether amounts of the resource are counted in thousandths of a unit} */
  public static boolean isCountedInMilliUnits(String resource) {
    return resource.equals(CPU);
  }

  /**
   * {@return whether {@code name} is a Kubernetes qualified name: an optional DNS prefix and slash,
   * then a name}
   */
  public static boolean isQualifiedName(String name) {
    int slash = name.indexOf('/');
    return isName(name, slash + 1) && (slash < 0 || DnsNames.isSubdomain(name.substring(0, slash)));
  }

  /** {@return whether {@code value} is a valid value of a Kubernetes label} */
  public static boolean isLabelValue(String value) {
    return value.isEmpty() || isName(value, 0);
  }

  /**
   * {@return whether {@code text} from {@code start} on is the part of a qualified name after the
   * slash}
   */
  private static boolean isName(String text, int start) {
    int length = text.length() - start;
    if (length < 1 || length > MAX_NAME) {
      return false;
    }
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean inner = i > start && i < text.length() - 1;
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean digit = c >= '0' && c <= '9';
      boolean mark = inner && (c == '-' || c == '_' || c == '.');
      if (!letter && !digit && !mark) {
        return false;
      }
    }
    return true;
  }

  /** {@return whether amounts of the resource are bytes and are formatted with binary suffixes} */
  static boolean isCountedInBytes(String resource) {
    return resource.equals(MEMORY)
        || resource.equals(EPHEMERAL_STORAGE)
        || resource.startsWith("hugepages-");
  }
}
