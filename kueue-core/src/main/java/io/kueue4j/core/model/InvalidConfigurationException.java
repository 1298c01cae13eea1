package io.kueue4j.core.model;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;

/**
 * Thrown when configuration breaks rules. Nothing of the call that it came from has taken effect.
 */
public final class InvalidConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient ImmutableList<Violation> violations;

  /** Creates the exception for all {@code violations} found, at least one. */
  public InvalidConfigurationException(ImmutableList<Violation> violations) {
    super(Joiner.on('\n').join(violations));
    this.violations = violations;
  }

  /** {@return every violation found} */
  public ImmutableList<Violation> violations() {
    return violations;
  }
}
