package io.kueue4j.core.simulation;

import com.google.common.base.CharMatcher;

/** What the names of jobs that were created from one template have in common. */
final class JobNames {
  private static final CharMatcher DIGIT = CharMatcher.inRange('0', '9');

  /** The characters of which Kubernetes makes the suffixes of generated names. */
  private static final CharMatcher GENERATED = CharMatcher.anyOf("bcdfghjklmnpqrstvwxz2456789");

  private static final int GENERATED_LENGTH = 5;

  private JobNames() {}

  /** {@return a name without the parts at its end that have digits or look generated} */
  static String stem(String name) {
    int end = name.length();
    int dash = name.lastIndexOf('-');
    while (dash > 0 && isSuffix(name.substring(dash + 1, end))) {
      end = dash;
      dash = name.lastIndexOf('-', end - 1);
    }
    return DIGIT.trimTrailingFrom(name.substring(0, end));
  }

  private static boolean isSuffix(String part) {
    return DIGIT.matchesAnyOf(part)
        || (part.length() == GENERATED_LENGTH && GENERATED.matchesAllOf(part));
  }
}
