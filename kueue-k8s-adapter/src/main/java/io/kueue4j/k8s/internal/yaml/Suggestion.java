package io.kueue4j.k8s.internal.yaml;

import com.google.common.base.Ascii;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the known word that was probably meant by a wrong one.
 *
 * @since 0.1.0
 */
public final class Suggestion {
  private static final int MAX_LENGTH = 64;

  private Suggestion() {}

  /**
   * {@return {@code ; did you mean "…"?} if a known word is similar to {@code given}, otherwise an
   * empty text}
   */
  public static String question(String given, Stream<String> known) {
    return closest(given, known.filter(name -> isClose(given, name)))
        .map(name -> "; did you mean \"" + name + "\"?")
        .orElse("");
  }

  /**
   * {@return {@code ; is "…" a misspelling of it?} if one of the given words is similar to the
   * {@code missing} one, otherwise an empty text}
   */
  static String misspelling(String missing, Stream<String> given) {
    return closest(missing, given.filter(word -> isClose(word, missing)))
        .map(word -> "; is \"" + word + "\" a misspelling of it?")
        .orElse("");
  }

  private static Optional<String> closest(String word, Stream<String> others) {
    return others.min(Comparator.<String>comparingInt(other -> distance(word, other))
        .thenComparing(Comparator.naturalOrder()));
  }

  private static boolean isClose(String given, String name) {
    if (given.isEmpty() || name.isEmpty() || Math.max(given.length(), name.length()) > MAX_LENGTH) {
      return false;
    }
    int allowed = Math.min(2, Math.max(given.length(), name.length()) / 3);
    boolean begins = given.length() > 3 && name.startsWith(given);
    return begins || distance(given, name) <= allowed;
  }

  /**
   * {@return the edit distance: the number of letters to insert, delete, replace or swap, ignoring
   * case}
   */
  private static int distance(String given, String name) {
    String a = Ascii.toLowerCase(given);
    String b = Ascii.toLowerCase(name);
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped = i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
