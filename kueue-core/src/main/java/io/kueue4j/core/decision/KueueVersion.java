package io.kueue4j.core.decision;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of Kueue whose decisions an engine makes. It sets the defaults of the
 * {@link FeatureGate}s and which {@link KueueFix}es hold.
 *
 * <pre>{@code
 * Settings settings = Settings.builder().kueueVersion(KueueVersion.V0_19).build();
 * }</pre>
 *
 * <p>Rules: section 14 of the rule index.
 *
 * @since 0.1.0
 */
public enum KueueVersion {
  /** Kueue 0.19.0 to 0.19.2, and its commit {@code ff69552e}. */
  V0_19("0.19"),
  /** Kueue 0.19.7: 0.19 with the fixes of its patch releases. */
  V0_19_7("0.19.7"),
  /** Kueue 0.20. */
  V0_20("0.20");

  private static final Pattern RELEASE =
      Pattern.compile("v?(\\d{1,6})\\.(\\d{1,6})(?:\\.(\\d{1,6}))?(?:[-+].+)?");
  private static final int FIRST_MINOR = 19;
  private static final int FIRST_FIXED_PATCH = 3;

  private final String text;

  KueueVersion(String text) {
    this.text = text;
  }

  /** {@return the version of Kueue as installed, unless another one is set} */
  public static KueueVersion defaultVersion() {
    return V0_20;
  }

  /**
   * {@return the version that decides as a release of Kueue does, or comes nearest to it; absent if
   * the text is not a release}
   *
   * <p>Releases before 0.19 are read as {@link #V0_19}, the patches 0.19.3 and later as
   * {@link #V0_19_7}, and all later releases as {@link #V0_20}.
   *
   * @param release a release such as {@code 0.19}, {@code v0.19.7} or {@code 0.20.0-rc.1}
   */
  public static Optional<KueueVersion> ofRelease(String release) {
    Matcher matcher = RELEASE.matcher(release);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int minor = Integer.parseInt(matcher.group(2));
    int patch = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
    if (Integer.parseInt(matcher.group(1)) > 0 || minor > FIRST_MINOR) {
      return Optional.of(V0_20);
    }
    return Optional.of(minor == FIRST_MINOR && patch >= FIRST_FIXED_PATCH ? V0_19_7 : V0_19);
  }

  /** {@return whether this is {@code version} or a later one} */
  public boolean isAtLeast(KueueVersion version) {
    return compareTo(version) >= 0;
  }

  /** {@return the name, such as {@code 0.20}} */
  @Override
  public String toString() {
    return text;
  }
}
