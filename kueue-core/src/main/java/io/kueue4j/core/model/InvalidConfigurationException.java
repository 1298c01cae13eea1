package io.kueue4j.core.model;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * Thrown when applied configuration is invalid. The failed call has changed nothing.
 *
 * @since 0.1.0
 */
public final class InvalidConfigurationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient ImmutableList<Violation> violations;

  /** Creates the exception for all {@code violations}, at least one. */
  public InvalidConfigurationException(List<Violation> violations) {
    super(Joiner.on('\n').join(violations));
    this.violations = ImmutableList.copyOf(violations);
  }

  /** {@return all violations found, at least one} */
  public List<Violation> violations() {
    return violations;
  }
}
