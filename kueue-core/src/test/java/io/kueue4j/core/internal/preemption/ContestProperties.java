package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.fairness.Contest;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

class ContestProperties {
  private static List<QuotaHolder> holders(int count, Choices choices) {
    PreemptionFixture fixture = new PreemptionFixture();
    fixture.cohorts.with(queue("q", "c", 1));
    return IntStream.range(0, count)
        .mapToObj(i -> {
          fixture.running("w" + i, "q", 1, choices.nextInt(5));
          return fixture.holder("w" + i);
        })
        .toList();
  }

  @Provide
  Arbitrary<Run> theFirstOfAllMembersWinsRuns() {
    return Run.of(choices -> {
      int size = 1 + choices.nextInt(20);
      List<QuotaHolder> holders = holders(30, choices);
      Contest<QuotaHolder> contest =
          new Contest<>(BinaryOperator.minBy(CandidateOrder.BY_PRIORITY));
      Map<Integer, Integer> added = new HashMap<>();
      @Nullable QuotaHolder[] entered = new @Nullable QuotaHolder[size];
      choices.repeat(40, number -> {
        int index = choices.nextInt(size);
        entered[index] = choices.oneIn(3) ? null : free(holders, entered, choices);
        contest.enter(
            added.computeIfAbsent(index, unused -> contest.add(100 + index)), entered[index]);
        @Nullable QuotaHolder member = entered[index];
        choices.note(
            "%s of %s: %s",
            index, size, member == null ? "none" : member.workload().source().name());

        assertThat(contest.winner(Contest.FINAL))
            .isSameAs(Arrays.stream(entered)
                .filter(Objects::nonNull)
                .min(CandidateOrder.BY_PRIORITY)
                .orElse(null));
        assertThat(wayOfTheWinner(contest)).isEqualTo(place(contest, entered));
      });
    });
  }

  @Property(tries = 100)
  void theFirstOfAllMembersWins(@ForAll("theFirstOfAllMembersWinsRuns") Run run) {
    run.check();
  }

  private static QuotaHolder free(
      List<QuotaHolder> holders, @Nullable QuotaHolder[] entered, Choices choices) {
    List<QuotaHolder> left = new ArrayList<>(holders);
    left.removeAll(Arrays.asList(entered));
    return choices.of(left);
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
