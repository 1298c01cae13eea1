package io.kueue4j.core.resource;

import java.util.regex.Pattern;

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

  private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
  private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
  private static final Pattern QUALIFIED_NAME =
      Pattern.compile("((?=.{1,253}/)" + LABEL + "(\\." + LABEL + ")*/)?" + NAME);

  private static final Pattern LABEL_VALUE = Pattern.compile(NAME);

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
    return QUALIFIED_NAME.matcher(name).matches();
  }

  /** {@return whether {@code value} may be the value of a Kubernetes label} */
  public static boolean isLabelValue(String value) {
    return value.isEmpty() || LABEL_VALUE.matcher(value).matches();
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
