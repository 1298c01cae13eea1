package io.kueue4j.core.internal.fairness;

import java.util.Arrays;
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

  private final BinaryOperator<T> play;
  private int[] members = new int[1];
  private int size;
  private @Nullable Object[] winners = new @Nullable Object[2];

  /**
   * Creates a contest without members.
   *
   * @param play returns the winner of a match for the winners of the two matches before it
   */
  public Contest(BinaryOperator<T> play) {
    this.play = play;
  }

  /**
   * Adds a member, still without an entry.
   *
   * @param node the node that may have an entry
   * @return the index of the member
   */
  public int add(int node) {
    if (size == members.length) {
      members = Arrays.copyOf(members, 2 * size);
      @Nullable Object[] before = winners;
      winners = new @Nullable Object[2 * members.length];
      for (int index = 0; index < size; index++) {
        enter(index, entry(before[size + index]));
      }
    }
    members[size] = node;
    return size++;
  }

  @SuppressWarnings("unchecked") // only entries are stored
  private @Nullable T entry(@Nullable Object stored) {
    return (T) stored;
  }

  /** {@return the winner of a match, null if it has no entries} */
  public @Nullable T winner(int match) {
    return entry(winners[match]);
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
