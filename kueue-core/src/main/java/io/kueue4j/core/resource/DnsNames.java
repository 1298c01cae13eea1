package io.kueue4j.core.resource;

/**
 * The forms of names of Kubernetes objects (RFC 1123).
 *
 * <p>A <em>label</em> is up to 63 lower-case letters, digits and inner hyphens; a
 * <em>subdomain</em> is such texts with dots between them, up to 253 characters in all.
 */
public final class DnsNames {
  /** The number of characters that a label has at most. */
  public static final int MAX_LABEL = 63;

  /** The number of characters that a subdomain has at most. */
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
