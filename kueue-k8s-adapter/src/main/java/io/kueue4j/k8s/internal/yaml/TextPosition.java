package io.kueue4j.k8s.internal.yaml;

/**
 * A position in a source.
 *
 * @param line the line
 * @param column the column
 * @since 0.1.0
 */
public record TextPosition(int line, int column) implements YamlPosition {
  /** The start of a source. */
  public static final TextPosition START = new TextPosition(1, 1);

  /** The position of objects that are not in a text. */
  static final TextPosition NONE = new TextPosition(0, 0);

  /** {@return the position after {@code text}, which starts the source} */
  public static TextPosition after(String text) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean carriageReturn = c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n');
      if (c == '\n' || carriageReturn) {
        line++;
        column = 1;
      } else if (!Character.isLowSurrogate(c)) {
        column++;
      }
    }
    return new TextPosition(line, column);
  }
}
