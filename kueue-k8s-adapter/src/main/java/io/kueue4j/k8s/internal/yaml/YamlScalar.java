package io.kueue4j.k8s.internal.yaml;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableSet;
import java.util.regex.Pattern;

/**
 * A single value with its text in the document: an unquoted {@code 1e3} is the number with the text
 * {@code 1e3}.
 *
 * @param text the text, without quotes and escapes
 * @param type the type of the value
 * @param line the line
 * @param column the column
 * @since 0.1.0
 */
public record YamlScalar(String text, Type type, int line, int column) implements YamlNode {
  /** The JSON type of a scalar. */
  public enum Type {
    /** Null. */
    NULL("nothing"),
    /** True or false. */
    BOOLEAN("a boolean"),
    /** A number without decimal point and exponent. */
    INTEGER("a number"),
    /** Any other number. */
    FLOAT("a number"),
    /** Text: quoted scalars and all others. */
    TEXT("text");

    private final String description;

    Type(String description) {
      this.description = description;
    }

    /** {@return the type in words} */
    @Override
    public String toString() {
      return description;
    }
  }

  private static final int QUOTED_LENGTH = 60;
  private static final int LONGEST_NUMBER = 64;
  private static final ImmutableSet<String> NULLS =
      ImmutableSet.of("", "~", "null", "Null", "NULL");
  private static final ImmutableSet<String> BOOLEANS =
      ImmutableSet.of("true", "True", "TRUE", "false", "False", "FALSE");
  private static final CharMatcher BEGINS_NUMBER =
      CharMatcher.inRange('0', '9').or(CharMatcher.is('-'));
  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern FLOAT =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?");

  /**
   * {@return the type of unquoted {@code text}}
   *
   * <p>The rules are JSON's with YAML's words for null and the booleans. So {@code 010},
   * {@code 0x10} and {@code +5}, which YAML readers interpret differently, are text, and so are
   * {@code yes} and {@code off}.
   */
  static Type plainType(String text) {
    if (NULLS.contains(text)) {
      return Type.NULL;
    }
    if (BOOLEANS.contains(text)) {
      return Type.BOOLEAN;
    }
    if (text.length() > LONGEST_NUMBER || !BEGINS_NUMBER.matches(text.charAt(0))) {
      return Type.TEXT;
    }
    if (INTEGER.matcher(text).matches()) {
      return Type.INTEGER;
    }
    return FLOAT.matcher(text).matches() ? Type.FLOAT : Type.TEXT;
  }

  /** {@return {@code text} in quotes, escaped for one line of a message, truncated if long} */
  public static String quote(String text) {
    String oneLine =
        CharMatcher.javaIsoControl().replaceFrom(Ascii.truncate(text, QUOTED_LENGTH, "…"), ' ');
    return '"' + oneLine + '"';
  }

  @Override
  public boolean isNull() {
    return type == Type.NULL;
  }

  @Override
  public String describe() {
    return switch (type) {
      case NULL -> "nothing";
      case TEXT -> quote(text);
      case BOOLEAN, INTEGER, FLOAT -> text + " (" + type + ")";
    };
  }
}
