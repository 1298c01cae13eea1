package io.kueue4j.k8s.internal.dra;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

/** Splits an expression into tokens. Not thread-safe. */
final class SelectorLexer {
  /** What a token is. */
  enum Kind {
    STRING,
    NUMBER,
    NAME,
    SIGN,
    END
  }

  /**
   * A token.
   *
   * @param text the value of a string, otherwise the text
   * @param at the position of its first character, from 1
   */
  record Token(Kind kind, String text, int at) {}

  /** As the API server bounds the length of a selector. */
  private static final int MAX_LENGTH = 10 * 1024;

  private static final CharMatcher DIGIT = CharMatcher.inRange('0', '9');
  private static final CharMatcher NAME_START =
      CharMatcher.inRange('a', 'z').or(CharMatcher.inRange('A', 'Z')).or(CharMatcher.is('_'));
  private static final CharMatcher NAME = NAME_START.or(DIGIT);
  private static final ImmutableList<String> SIGNS = ImmutableList.of(
      "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "-", "(", ")", "[", "]", ".", ",", "?",
      ":");
  private static final ImmutableMap<Character, Character> ESCAPES =
      ImmutableMap.of('\\', '\\', '\'', '\'', '"', '"', 'n', '\n', 't', '\t');

  private final String text;
  private int at;

  private SelectorLexer(String text) {
    this.text = text;
  }

  /**
   * {@return the tokens of {@code text}, the last of which is the end}
   *
   * @throws SelectorException if the text is too long or contains what is no token
   */
  static ImmutableList<Token> tokens(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new SelectorException(
          "has " + text.length() + " characters; expected at most " + MAX_LENGTH);
    }
    SelectorLexer lexer = new SelectorLexer(text);
    ImmutableList.Builder<Token> tokens = ImmutableList.builder();
    Token token;
    do {
      token = lexer.next();
      tokens.add(token);
    } while (token.kind() != Kind.END);
    return tokens.build();
  }

  private Token next() {
    while (at < text.length() && CharMatcher.whitespace().matches(text.charAt(at))) {
      at++;
    }
    int start = at;
    if (start == text.length()) {
      return new Token(Kind.END, "the end", start + 1);
    }
    char first = text.charAt(start);
    boolean raw = (first == 'r' || first == 'R')
        && start + 1 < text.length()
        && isQuote(text.charAt(start + 1));
    if (raw || isQuote(first)) {
      return new Token(Kind.STRING, string(raw), start + 1);
    }
    if (DIGIT.matches(first)) {
      return new Token(Kind.NUMBER, run(DIGIT), start + 1);
    }
    if (NAME_START.matches(first)) {
      return new Token(Kind.NAME, run(NAME), start + 1);
    }
    for (String sign : SIGNS) {
      if (text.startsWith(sign, start)) {
        at += sign.length();
        return new Token(Kind.SIGN, sign, start + 1);
      }
    }
    throw new SelectorException(
        "has \"" + first + "\" at character " + (start + 1) + ", which is not supported");
  }

  private String run(CharMatcher matcher) {
    int start = at;
    while (at < text.length() && matcher.matches(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private String string(boolean raw) {
    int start = at;
    at += raw ? 1 : 0;
    char quote = text.charAt(at++);
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next == quote) {
        return value.toString();
      }
      value.append(next == '\\' && !raw ? escaped() : next);
    }
    throw new SelectorException("has a text without an end at character " + (start + 1));
  }

  private char escaped() {
    Character value = at < text.length() ? ESCAPES.get(text.charAt(at)) : null;
    if (value == null) {
      throw new SelectorException("has an escape at character " + at + " that is not supported");
    }
    at++;
    return value;
  }

  private static boolean isQuote(char character) {
    return character == '"' || character == '\'';
  }
}
