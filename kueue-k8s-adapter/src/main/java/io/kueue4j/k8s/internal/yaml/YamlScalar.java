package io.kueue4j.k8s.internal.yaml;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.math.BigInteger;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A single value with its text: an unquoted {@code 1e3} is the number with the text {@code 1e3}.
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
  private static final ImmutableSet<String> TRUE =
      ImmutableSet.of("true", "True", "TRUE", "yes", "Yes", "YES", "y", "Y", "on", "On", "ON");
  private static final ImmutableSet<String> FALSE =
      ImmutableSet.of("false", "False", "FALSE", "no", "No", "NO", "n", "N", "off", "Off", "OFF");
  private static final CharMatcher BEGINS_NUMBER =
      CharMatcher.inRange('0', '9').or(CharMatcher.anyOf("-+"));
  private static final CharMatcher SEPARATOR = CharMatcher.is('_');
  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern FLOAT =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?");
  private static final ImmutableMap<Integer, Pattern> OTHER_INTEGERS = ImmutableMap.of(
      8, Pattern.compile("([-+]?)0[oO]?([0-7]+)"),
      10, Pattern.compile("\\+()([1-9][0-9]*)"),
      16, Pattern.compile("([-+]?)0[xX]([0-9a-fA-F]+)"),
      2, Pattern.compile("([-+]?)0[bB]([01]+)"));

  /**
   * {@return the value of unquoted text}
   *
   * <p>Numbers are read as kubectl reads them, and have the text that they have in JSON:
   * {@code 0400} is 256, {@code 0x10} is 16 and {@code 1_000} is 1000. The words {@code yes},
   * {@code no}, {@code on}, {@code off}, {@code y} and {@code n} are booleans, also as kubectl
   * reads them.
   */
  static YamlScalar plain(String text, int line, int column) {
    if (NULLS.contains(text)) {
      return new YamlScalar(text, Type.NULL, line, column);
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return new YamlScalar(text, Type.BOOLEAN, line, column);
    }
    if (text.length() > LONGEST_NUMBER || !BEGINS_NUMBER.matches(text.charAt(0))) {
      return new YamlScalar(text, Type.TEXT, line, column);
    }
    String number = SEPARATOR.removeFrom(text);
    if (INTEGER.matcher(number).matches()) {
      return new YamlScalar(number, Type.INTEGER, line, column);
    }
    if (FLOAT.matcher(number).matches()) {
      return new YamlScalar(number, Type.FLOAT, line, column);
    }
    for (Map.Entry<Integer, Pattern> form : OTHER_INTEGERS.entrySet()) {
      Matcher matcher = form.getValue().matcher(number);
      if (matcher.matches()) {
        BigInteger value = new BigInteger(matcher.group(1) + matcher.group(2), form.getKey());
        return new YamlScalar(value.toString(), Type.INTEGER, line, column);
      }
    }
    return new YamlScalar(text, Type.TEXT, line, column);
  }

  /** {@return whether a boolean is true} */
  boolean isTrue() {
    return TRUE.contains(text);
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
