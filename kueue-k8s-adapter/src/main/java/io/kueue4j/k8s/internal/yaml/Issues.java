package io.kueue4j.k8s.internal.yaml;

import com.google.common.collect.ImmutableList;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Collects the problems and notes of one document.
 *
 * @since 0.1.0
 */
public final class Issues {
  private static final Comparator<ManifestIssue> BY_PLACE =
      Comparator.comparingInt(ManifestIssue::line).thenComparingInt(ManifestIssue::column);

  private final String source;
  private final int document;
  private final List<ManifestIssue> problems = new ArrayList<>();
  private final List<ManifestIssue> notes = new ArrayList<>();

  /** {@return a collector of issues of the document that {@code manifest} is in} */
  public static Issues of(Manifest manifest) {
    return new Issues(manifest.source(), manifest.document());
  }

  /** Creates the collector of a document. */
  public Issues(String source, int document) {
    this.source = source;
    this.document = document;
  }

  /** Adds a problem that makes the document unusable. */
  public void problem(YamlPosition at, String field, String message) {
    problems.add(issue(at, field, message));
  }

  /** Adds a note, which does not make the document unusable. */
  public void note(YamlPosition at, String field, String message) {
    notes.add(issue(at, field, message));
  }

  /** {@return whether there are problems} */
  public boolean hasProblems() {
    return !problems.isEmpty();
  }

  /** {@return the number of problems so far} */
  int problemCount() {
    return problems.size();
  }

  /** {@return the problems so far, in the order of the source} */
  public List<ManifestIssue> problems() {
    return ImmutableList.sortedCopyOf(BY_PLACE, problems);
  }

  /** {@return the notes so far, in the order of the source} */
  public List<ManifestIssue> notes() {
    return ImmutableList.sortedCopyOf(BY_PLACE, notes);
  }

  /**
   * Throws if there are problems.
   *
   * @throws ManifestException with all problems if there are any
   */
  public void throwProblems() {
    if (hasProblems()) {
      throw new ManifestException(problems());
    }
  }

  private ManifestIssue issue(YamlPosition at, String field, String message) {
    return new ManifestIssue(source, document, at.line(), at.column(), field, message);
  }
}
