package io.kueue4j.examples.provisioning;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.CharMatcher;
import com.google.common.hash.Hashing;
import com.google.common.primitives.Ints;
import java.util.OptionalInt;

/** Names of ProvisioningRequests and of the templates of their pods, as Kueue gives them. */
final class ProvisioningNames {
  private static final int MAX_LENGTH = 247;
  private static final int HASH_LENGTH = 5;
  private static final CharMatcher DIGITS = CharMatcher.inRange('0', '9');

  private ProvisioningNames() {}

  /** {@return the name of the request of a check for a workload; attempts count from 1} */
  static String request(String workload, String check, int attempt) {
    return limited(workload + "-" + check + "-" + attempt);
  }

  static String podTemplate(String request, String podSet) {
    return limited("ppt-" + request + "-" + podSet);
  }

  /** {@return the attempt of a request, empty if it is not one of this check for this workload} */
  static OptionalInt attempt(String request, String workload, String check) {
    String prefix = limited(workload + "-" + check + "-");
    String number = request.startsWith(prefix) ? request.substring(prefix.length()) : "";
    Integer attempt = DIGITS.matchesAllOf(number) ? Ints.tryParse(number) : null;
    return attempt == null ? OptionalInt.empty() : OptionalInt.of(attempt);
  }

  @SuppressWarnings("deprecation") // Kueue's names have SHA-1 hashes.
  private static String limited(String name) {
    return name.length() <= MAX_LENGTH
        ? name
        : name.substring(0, MAX_LENGTH) + "-"
            + Hashing.sha1().hashString(name, UTF_8).toString().substring(0, HASH_LENGTH);
  }
}
