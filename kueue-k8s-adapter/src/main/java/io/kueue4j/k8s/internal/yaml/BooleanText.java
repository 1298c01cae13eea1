package io.kueue4j.k8s.internal.yaml;

import com.google.common.collect.ImmutableSet;
import java.util.Optional;

/**
 * Parses the texts that Kueue accepts as true and false in the values of annotations, which are
 * always text.
 *
 * @since 0.1.0
 */
public final class BooleanText {
  private static final ImmutableSet<String> TRUE =
      ImmutableSet.of("1", "t", "T", "true", "TRUE", "True");
  private static final ImmutableSet<String> FALSE =
      ImmutableSet.of("0", "f", "F", "false", "FALSE", "False");

  private BooleanText() {}

  /** {@return the value of {@code text}, empty if it is neither true nor false} */
  public static Optional<Boolean> parse(String text) {
    if (TRUE.contains(text)) {
      return Optional.of(true);
    }
    return FALSE.contains(text) ? Optional.of(false) : Optional.empty();
  }
}
