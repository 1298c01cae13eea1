package io.kueue4j.core.preemption;

import io.kueue4j.core.quota.QuotaHolder;
import org.jspecify.annotations.Nullable;

/**
 * Which candidate comes first below a cohort: a tournament among those that come first below each
 * of its members.
 *
 * <p>A match is a number from 1, the final, on; the winners of matches {@code 2i} and {@code 2i +
 * 1} meet in match {@code i}. The last ones are the members themselves.
 */
final class Contest {
  static final int FINAL = 1;

  private final int[] members;
  private final @Nullable QuotaHolder[] winners;

  /** Creates a contest in which nobody takes part yet. */
  Contest(int[] members) {
    this.members = members;
    this.winners = new @Nullable QuotaHolder[2 * Math.max(1, members.length)];
  }

  /** {@return the winner of a match, null if nobody took part in it} */
  @Nullable
  QuotaHolder winner(int match) {
    return winners[match];
  }

  boolean isMember(int match) {
    return match >= members.length;
  }

  /** {@return the node of a match that is a member} */
  int member(int match) {
    return members[match - members.length];
  }

  /**
   * Lets a member take part anew.
   *
   * @param index which of the members
   * @param first who comes first below it, in whatever order that is now; null if nobody does
   */
  void enter(int index, @Nullable QuotaHolder first) {
    int match = index + members.length;
    if (first == null && winners[match] == null) {
      return;
    }
    winners[match] = first;
    while (match > FINAL) {
      match /= 2;
      winners[match] = better(winners[2 * match], winners[2 * match + 1]);
    }
  }

  private static @Nullable QuotaHolder better(@Nullable QuotaHolder a, @Nullable QuotaHolder b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return CandidateOrder.OF_OTHERS.compare(a, b) <= 0 ? a : b;
  }

  /** {@return which of the two matches before {@code match} its winner comes from} */
  int before(int match) {
    QuotaHolder left = winners[2 * match];
    return left != null && left.equals(winners[match]) ? 2 * match : 2 * match + 1;
  }
}
