package io.kueue4j.k8s.yaml;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;

/**
 * Something to say about a place in a source: a problem that makes it unusable, or a note.
 *
 * @param source the name of the source, such as a file
 * @param document the document in the source, from 1
 * @param line the line in the source, from 1
 * @param column the column in the line, from 1
 * @param field the path of the field in its object, such as
 *     {@code spec.template.spec.containers[0].image}; empty if it concerns no field
 * @param message what was given, what was expected and what to do
 */
public record ManifestIssue(
    String source, int document, int line, int column, String field, String message) {
  private static final int LONGEST_FIELD = 300;

  /** Creates an issue; control characters in the message become spaces. */
  public ManifestIssue {
    message = oneLine(message);
  }

  /** {@return place, field and message in one line} */
  @Override
  public String toString() {
    String place = source + ": document " + document + ", line " + line + ", column " + column;
    String of = field.isEmpty() ? "" : Ascii.truncate(field, LONGEST_FIELD, "…") + ": ";
    return oneLine(place + ": " + of + message);
  }

  private static String oneLine(String text) {
    return CharMatcher.javaIsoControl().collapseFrom(text, ' ');
  }
}
