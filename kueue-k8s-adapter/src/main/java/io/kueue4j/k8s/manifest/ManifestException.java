package io.kueue4j.k8s.manifest;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * Thrown when manifests cannot be read. The message has one line for each problem, with file,
 * document, line, column and field.
 *
 * @since 0.1.0
 */
public final class ManifestException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<ManifestIssue> problems;

  /** Creates the exception for all {@code problems} found, at least one. */
  public ManifestException(Iterable<ManifestIssue> problems) {
    super(Joiner.on('\n').join(problems));
    this.problems = ImmutableList.copyOf(problems);
  }

  /** {@return every problem found} */
  public List<ManifestIssue> problems() {
    return problems;
  }
}
