package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.k8s.yaml.ManifestIssue;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What is said about manifests that can be used: warnings, which may count as errors, and advice.
 */
final class Notes {
  /** The queue is taken from there, so nothing is lost. */
  private static final String LEGACY_QUEUE_NAME = "metadata.annotations[kueue.x-k8s.io/queue-name]";

  private final boolean strict;
  private final PrintWriter err;

  /** A file that is given twice has all its notes twice. */
  private final Set<ManifestIssue> said = new LinkedHashSet<>();

  private final Set<ManifestIssue> errors = new LinkedHashSet<>();

  Notes(boolean strict, PrintWriter err) {
    this.strict = strict;
    this.err = err;
  }

  /** Adds a note of the reader of manifests. */
  void add(ManifestIssue note) {
    if (!note.field().equals(LEGACY_QUEUE_NAME)) {
      addWarning(note);
    } else if (said.add(note)) {
      err.println("note: " + note);
    }
  }

  /** Adds a warning. */
  void addWarning(ManifestIssue warning) {
    if (strict) {
      errors.add(warning);
    } else if (said.add(warning)) {
      err.println("warning: " + warning);
    }
  }

  /**
   * Ends the matter if warnings count as errors and there are any.
   *
   * @throws InputException with the warnings
   */
  void throwWarnings() {
    if (!errors.isEmpty()) {
      throw new InputException(Joiner.on('\n').join(errors));
    }
  }
}
