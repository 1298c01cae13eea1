package io.kueue4j.k8s.job;

import java.util.regex.Pattern;

/** The forms of names in Kubernetes (RFC 1123). */
final class DnsNames {
  private static final int MAX_LABEL = 63;
  private static final int MAX_SUBDOMAIN = 253;
  private static final String LABEL_TEXT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN_TEXT = LABEL_TEXT + "(\\." + LABEL_TEXT + ")*";
  private static final Pattern LABEL = Pattern.compile(LABEL_TEXT);
  private static final Pattern SUBDOMAIN = Pattern.compile(SUBDOMAIN_TEXT);
  private static final Pattern DOMAIN_PREFIXED_PATH =
      Pattern.compile(SUBDOMAIN_TEXT + "/[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+");

  private DnsNames() {}

  static boolean isLabel(String name) {
    return name.length() <= MAX_LABEL && LABEL.matcher(name).matches();
  }

  static boolean isSubdomain(String name) {
    return name.length() <= MAX_SUBDOMAIN && SUBDOMAIN.matcher(name).matches();
  }

  static boolean isDomainPrefixedPath(String name) {
    return name.length() <= MAX_LABEL && DOMAIN_PREFIXED_PATH.matcher(name).matches();
  }
}
