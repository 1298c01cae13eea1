package io.kueue4j.core.internal.fairness;

import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the first of the entries of some nodes: a tournament tree, in which a change of an
 * entry takes logarithmic time.
 *
 * <p>Matches are numbered from 1, the final; the winners of matches {@code 2i} and {@code 2i + 1}
 * meet in match {@code i}. The last matches are the members themselves.
 *
 * @param <T> the type of entries, which are compared by identity
 */
public final class Contest<T> {
  /** The match whose winner is the first of all entries. */
  public static final int FINAL = 1;

  private final int[] members;
  private final BinaryOperator<T> play;
  private final @Nullable Object[] winners;

  /**
   * Creates a contest without entries.
   *
   * @param members the nodes that may have an entry
   * @param play returns the winner of a match for the winners of the two matches before it
   */
  public Contest(int[] members, BinaryOperator<T> play) {
    this.members = members;
    this.play = play;
    this.winners = new @Nullable Object[2 * Math.max(1, members.length)];
  }

  /** {@return the winner of a match, null if it has no entries} */
  @SuppressWarnings("unchecked") // only entries are stored
  public @Nullable T winner(int match) {
    return (T) winners[match];
  }

  /** {@return whether a match is a member} */
  public boolean isMember(int match) {
    return match >= members.length;
  }

  /** {@return the node of a match that is a member} */
  public int member(int match) {
    return members[match - members.length];
  }

  /**
   * Replaces the entry of a member.
   *
   * @param index the index of the member
   * @param entry the entry, null for none
   */
  public void enter(int index, @Nullable T entry) {
    int match = index + members.length;
    if (entry == null && winners[match] == null) {
      return;
    }
    winners[match] = entry;
    while (match > FINAL) {
      match /= 2;
      winners[match] = first(winner(2 * match), winner(2 * match + 1));
    }
  }

  private @Nullable T first(@Nullable T a, @Nullable T b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return play.apply(a, b);
  }

  /** {@return the one of the two matches before {@code match} from which its winner comes} */
  public int before(int match) {
    T left = winner(2 * match);
    return left != null && left.equals(winners[match]) ? 2 * match : 2 * match + 1;
  }
}
