package io.kueue4j.core.resource;

/**
 * The syntax of names of Kubernetes objects (RFC 1123).
 *
 * <p>A <em>label</em> consists of up to 63 lower-case letters, digits and inner hyphens; a
 * <em>subdomain</em> consists of such labels separated by dots, up to 253 characters in all.
 *
 * @since 0.1.0
 */
public final class DnsNames {
  /** The maximum length of a label. */
  public static final int MAX_LABEL = 63;

  /** The maximum length of a subdomain. */
  public static final int MAX_SUBDOMAIN = 253;

  private DnsNames() {}

  /** {@return whether {@code name} may name a namespace or a pod set} */
  public static boolean isLabel(String name) {
    return name.length() <= MAX_LABEL && isPart(name, 0, name.length());
  }

  /** {@return whether {@code name} may name any other object} */
  public static boolean isSubdomain(String name) {
    if (name.length() > MAX_SUBDOMAIN) {
      return false;
    }
    int start = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', start)) {
      if (!isPart(name, start, dot)) {
        return false;
      }
      start = dot + 1;
    }
    return isPart(name, start, name.length());
  }

  private static boolean isPart(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      boolean inner = i > start && i < end - 1;
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (inner && c == '-'))) {
        return false;
      }
    }
    return start < end;
  }
}
