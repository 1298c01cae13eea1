package io.kueue4j.core.testkit.text;

import com.google.common.collect.ImmutableList;

/** Reads {@link Term}s. */
final class TermParser {
  private static final int HEX = 16;
  private static final int HEX_DIGITS = 4;

  private final String text;
  private int at;

  TermParser(String text) {
    this.text = text;
  }

  ImmutableList<Term> parseAll() {
    ImmutableList<Term> terms = terms();
    if (at < text.length()) {
      throw wrong("a term");
    }
    return terms;
  }

  private ImmutableList<Term> terms() {
    ImmutableList.Builder<Term> terms = ImmutableList.builder();
    skipSpace();
    while (at < text.length() && text.charAt(at) != ')') {
      terms.add(term());
      skipSpace();
    }
    return terms.build();
  }

  private Term term() {
    String word = text.charAt(at) == '"' ? quoted() : bare();
    if (at >= text.length() || text.charAt(at) != '(') {
      return new Term(word, ImmutableList.of());
    }
    at++;
    ImmutableList<Term> below = terms();
    if (at >= text.length()) {
      throw wrong("a closing parenthesis");
    }
    at++;
    return new Term(word, below);
  }

  private String bare() {
    int start = at;
    while (at < text.length() && Term.BARE.matches(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw wrong("a word");
    }
    return text.substring(start, at);
  }

  private String quoted() {
    StringBuilder word = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      word.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
      at++;
    }
    if (at >= text.length()) {
      throw wrong("a closing quotation mark");
    }
    at++;
    return word.toString();
  }

  /** Reads an escape and stops at its last character. */
  private char escaped() {
    at++;
    if (at < text.length() && text.charAt(at) == 'u' && at + HEX_DIGITS < text.length()) {
      String digits = text.substring(at + 1, at + 1 + HEX_DIGITS);
      at += HEX_DIGITS;
      try {
        return (char) Integer.parseInt(digits, HEX);
      } catch (NumberFormatException e) {
        throw wrong("four hexadecimal digits");
      }
    }
    if (at < text.length()) {
      return text.charAt(at);
    }
    throw wrong("an escaped character");
  }

  private void skipSpace() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private IllegalArgumentException wrong(String expected) {
    return new IllegalArgumentException("cannot read the text of a scenario at index " + at
        + ", before \"" + text.substring(at, Math.min(text.length(), at + 20)) + "\"; expected "
        + expected);
  }
}
