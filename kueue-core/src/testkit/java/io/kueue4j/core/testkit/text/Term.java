package io.kueue4j.core.testkit.text;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/**
 * A word with terms below it, written {@code word} or {@code word(term term …)}. A word with
 * characters other than letters, digits and {@code _./:+*=-} is quoted.
 *
 * @param word the word
 * @param terms the terms below it
 */
public record Term(String word, List<Term> terms) {
  /** Copies what it is given. */
  public Term {
    terms = ImmutableList.copyOf(terms);
  }

  static final CharMatcher BARE = CharMatcher.inRange('a', 'z')
      .or(CharMatcher.inRange('A', 'Z'))
      .or(CharMatcher.inRange('0', '9'))
      .or(CharMatcher.anyOf("_./:+*=-"))
      .precomputed();

  /** {@return a term with words below it} */
  public static Term of(String word, Object... words) {
    ImmutableList.Builder<Term> terms = ImmutableList.builder();
    for (Object below : words) {
      terms.add(below instanceof Term term ? term : new Term(below.toString(), ImmutableList.of()));
    }
    return new Term(word, terms.build());
  }

  /** {@return a term with {@code terms} below it} */
  public static Term of(String word, List<Term> terms) {
    return new Term(word, ImmutableList.copyOf(terms));
  }

  /** {@return the word of the term at {@code index}} */
  public String word(int index) {
    return term(index).word;
  }

  /** {@return the term at {@code index}} */
  public Term term(int index) {
    if (index >= terms.size()) {
      throw new IllegalArgumentException(
          "cannot read " + this + "; expected at least " + (index + 1) + " terms in it");
    }
    return terms.get(index);
  }

  /** {@return the words of the terms below from {@code index} on} */
  public List<String> words(int index) {
    return terms.stream().skip(index).map(Term::word).collect(ImmutableList.toImmutableList());
  }

  /** {@return the terms below from {@code index} on} */
  public List<Term> termsFrom(int index) {
    return terms.subList(Math.min(index, terms.size()), terms.size());
  }

  /** {@return the integer at {@code index}} */
  public long number(int index) {
    String word = word(index);
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "cannot read " + this + "; expected an integer instead of " + word, e);
    }
  }

  /** {@return the 32-bit integer at {@code index}} */
  public int smallNumber(int index) {
    long number = number(index);
    if (number != (int) number) {
      throw new IllegalArgumentException(
          "cannot read " + this + "; expected a 32-bit integer instead of " + number);
    }
    return (int) number;
  }

  /** {@return an exception for an unexpected term} */
  public IllegalArgumentException unknown(String expected) {
    return new IllegalArgumentException("cannot read " + this + "; expected " + expected);
  }

  /** {@return one of {@code values} by its name in Kubernetes} */
  public static <T extends Enum<T>> T named(String name, T[] values) {
    for (T value : values) {
      if (value.toString().equals(name)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "cannot read " + name + "; expected one of " + List.of(values));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    print(text);
    return text.toString();
  }

  private void print(StringBuilder text) {
    if (!word.isEmpty() && BARE.matchesAllOf(word)) {
      text.append(word);
    } else {
      quote(word, text);
    }
    if (!terms.isEmpty()) {
      String separator = "(";
      for (Term term : terms) {
        text.append(separator);
        term.print(text);
        separator = " ";
      }
      text.append(')');
    }
  }

  private static void quote(String word, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c == '\u0085' || c == '\u2028' || c == '\u2029') {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  /**
   * {@return the terms in {@code text}}
   *
   * @throws IllegalArgumentException if it is not a sequence of terms; the message names the
   *     position
   */
  public static List<Term> parseAll(String text) {
    return new TermParser(text).parseAll();
  }

  /** {@return the concatenation of several lists} */
  @SafeVarargs
  public static List<Term> all(List<Term>... lists) {
    List<Term> all = new ArrayList<>();
    for (List<Term> list : lists) {
      all.addAll(list);
    }
    return all;
  }
}
