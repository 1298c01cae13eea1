package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.quota.QuotaHolder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;

class ContestProperties {
  private static List<QuotaHolder> holders(int count, Random random) {
    PreemptionFixture fixture = new PreemptionFixture();
    fixture.cohorts.with(queue("q", "c", 1));
    return IntStream.range(0, count)
        .mapToObj(i -> {
          fixture.running("w" + i, "q", 1, random.nextInt(5));
          return fixture.holder("w" + i);
        })
        .toList();
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void theFirstOfAllMembersWins(@ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int size) {
    Random random = new Random(seed);
    List<QuotaHolder> holders = holders(30, random);
    Contest<QuotaHolder> contest =
        new Contest<>(IntStream.range(100, 100 + size).toArray(), CandidateOrder.OF_OTHERS);
    @Nullable QuotaHolder[] entered = new @Nullable QuotaHolder[size];
    for (int i = 0; i < 40; i++) {
      int index = random.nextInt(size);
      entered[index] = random.nextInt(3) == 0 ? null : free(holders, entered, random);
      contest.enter(index, entered[index]);

      assertThat(contest.winner(Contest.FINAL))
          .isSameAs(Arrays.stream(entered)
              .filter(Objects::nonNull)
              .min(CandidateOrder.OF_OTHERS)
              .orElse(null));
      assertThat(wayOfTheWinner(contest)).isEqualTo(place(contest, entered));
    }
  }

  private static QuotaHolder free(
      List<QuotaHolder> holders, @Nullable QuotaHolder[] entered, Random random) {
    List<QuotaHolder> left = new ArrayList<>(holders);
    left.removeAll(Arrays.asList(entered));
    return left.get(random.nextInt(left.size()));
  }

  /** {@return the node of the winner, negative if there is none} */
  private static int wayOfTheWinner(Contest<QuotaHolder> contest) {
    if (contest.winner(Contest.FINAL) == null) {
      return -1;
    }
    int match = Contest.FINAL;
    while (!contest.isMember(match)) {
      match = contest.before(match);
    }
    return contest.member(match);
  }

  private static int place(Contest<QuotaHolder> contest, @Nullable QuotaHolder[] entered) {
    QuotaHolder winner = contest.winner(Contest.FINAL);
    return winner == null ? -1 : 100 + Arrays.asList(entered).indexOf(winner);
  }
}
