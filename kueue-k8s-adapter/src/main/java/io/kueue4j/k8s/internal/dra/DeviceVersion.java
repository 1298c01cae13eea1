package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.Comparators;
import com.google.common.collect.ImmutableList;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A semantic version; what follows a plus does not count. Immutable. */
record DeviceVersion(
    BigInteger major, BigInteger minor, BigInteger patch, ImmutableList<String> preRelease)
    implements Comparable<DeviceVersion> {
  private static final int MAX_LENGTH = 64;
  private static final Pattern VERSION =
      Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)(?:-([0-9A-Za-z.-]+))?(?:\\+[0-9A-Za-z.-]+)?");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private static final Comparator<String> IDENTIFIERS = Comparator.<String, Boolean>comparing(
          DeviceVersion::isText)
      .thenComparing(
          identifier -> isText(identifier) ? BigInteger.ZERO : new BigInteger(identifier))
      .thenComparing(identifier -> isText(identifier) ? identifier : "");

  // A release comes after all its pre-releases.
  private static final Comparator<DeviceVersion> ORDER = Comparator.comparing(DeviceVersion::major)
      .thenComparing(DeviceVersion::minor)
      .thenComparing(DeviceVersion::patch)
      .thenComparing(version -> version.preRelease().isEmpty())
      .thenComparing(DeviceVersion::preRelease, Comparators.lexicographical(IDENTIFIERS));

  /**
   * {@return the version}
   *
   * @throws SelectorException if {@code text} is no semantic version
   */
  static DeviceVersion parse(String text) {
    Matcher matcher = VERSION.matcher(text);
    if (text.length() > MAX_LENGTH || !matcher.matches()) {
      throw new SelectorException(
          "\"" + text + "\" is no semantic version; expected for example 1.2.3");
    }
    String identifiers = matcher.group(4);
    return new DeviceVersion(
        new BigInteger(matcher.group(1)),
        new BigInteger(matcher.group(2)),
        new BigInteger(matcher.group(3)),
        identifiers == null ? ImmutableList.of() : ImmutableList.copyOf(identifiers.split("\\.")));
  }

  @Override
  public int compareTo(DeviceVersion other) {
    return ORDER.compare(this, other);
  }

  private static boolean isText(String identifier) {
    return !NUMBER.matcher(identifier).matches();
  }
}
