package io.kueue4j.k8s.manifest;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;

/**
 * A problem that makes an object unusable, or a note on it, with its place.
 *
 * <p>The place is a position in a text, or a field of a live object. Immutable.
 *
 * @param source the name of the text, such as a file; of a live object its kind, namespace and
 *     name, such as {@code Job team-a/train}
 * @param document the document in the text, from 1; 0 for a live object
 * @param line the line in the text, from 1; 0 for a live object
 * @param column the column in the line, from 1; 0 for a live object
 * @param field the path of the field in its object, such as
 *     {@code spec.template.spec.containers[0].image}; empty if it concerns no field
 * @param message what was given, what was expected and what to do
 * @since 0.1.0
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
    String place = document == 0
        ? source
        : source + ": document " + document + ", line " + line + ", column " + column;
    String of = field.isEmpty() ? "" : Ascii.truncate(field, LONGEST_FIELD, "…") + ": ";
    return oneLine(place + ": " + of + message);
  }

  private static String oneLine(String text) {
    return CharMatcher.javaIsoControl().collapseFrom(text, ' ');
  }
}
