package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.simulation.JobSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The search for the smallest amount that meets a goal. */
class GoalSearchTest {
  private static final int AMOUNTS = 40;
  private static final int JOBS = 10;
  private static final ImmutableList<Axis> AXES = ImmutableList.of(
      new Axis("policy", false, ImmutableList.of("a", "b")),
      new Axis(
          "GPUs",
          true,
          IntStream.range(0, AMOUNTS)
              .mapToObj(String::valueOf)
              .collect(ImmutableList.toImmutableList())),
      new Axis(Axis.SEED, false, ImmutableList.of("1", "2")));

  private final GoalSearch search = new GoalSearch(AXES, Goal.parse("p95=PT1M"), Optional.empty());
  private final Set<Integer> simulated = new HashSet<>();

  private ImmutableList<PointResult> results(
      List<Integer> points, IntUnaryOperator wait, IntUnaryOperator unfinished) {
    return points.stream()
        .map(point -> {
          assertThat(simulated.add(point)).as("point %s", point).isTrue();
          Duration waited = Duration.ofSeconds(wait.applyAsInt(point));
          JobSummary jobs = JobSummary.builder()
              .from(JobSummary.none())
              .jobs(JOBS)
              .started(JOBS)
              .finished(JOBS - unfinished.applyAsInt(point))
              .p95Wait(waited)
              .build();
          return new PointResult(
              point,
              jobs,
              JobSummary.none(),
              ImmutableSortedMap.of(),
              ImmutableSortedMap.of(),
              ImmutableList.of(),
              "");
        })
        .collect(ImmutableList.toImmutableList());
  }

  /** The policy, the amount and the seed of a point. */
  private static int policy(int point) {
    return point / 2 / AMOUNTS;
  }

  private static int amount(int point) {
    return point / 2 % AMOUNTS;
  }

  private static int seed(int point) {
    return point % 2;
  }

  private static List<Integer> all() {
    return IntStream.range(0, 4 * AMOUNTS).boxed().toList();
  }

  @Test
  void everySeedMustMeetTheGoal() {
    IntUnaryOperator wait =
        point -> amount(point) >= 7 + 20 * policy(point) + 3 * seed(point) ? 60 : 61;
    List<GoalSearch.Answer> expected = search.answers(results(all(), wait, point -> 0));
    assertThat(expected)
        .extracting(answer -> answer.amount().orElse(""))
        .containsExactly("10", "30");
    assertThat(expected).allMatch(GoalSearch.Answer::isMonotone);
    simulated.clear();
    assertThat(search.answers(search.bisect(points -> results(points, wait, point -> 0))))
        .isEqualTo(expected);
    assertThat(simulated).hasSizeLessThanOrEqualTo(2 * 2 * 7);
  }

  @Test
  void bisectionFindsEverySmallestAmount() {
    for (int smallest = 0; smallest <= AMOUNTS; smallest++) {
      int from = smallest;
      simulated.clear();
      List<PointResult> found = search.bisect(
          points -> results(points, point -> amount(point) >= from ? 0 : 99, point -> 0));
      assertThat(search.answers(found).get(0).amount())
          .isEqualTo(from == AMOUNTS ? Optional.empty() : Optional.of(String.valueOf(from)));
    }
  }

  @Test
  void itSaysIfMoreHarms() {
    List<GoalSearch.Answer> answers = search.answers(results(
        all(),
        point -> amount(point) >= 7 && (policy(point) == 0 || amount(point) != 20) ? 0 : 99,
        point -> 0));
    assertThat(answers).extracting(GoalSearch.Answer::isMonotone).containsExactly(true, false);
    assertThat(answers).extracting(answer -> answer.amount().orElse("")).containsExactly("7", "7");
  }

  @Test
  void jobsThatNeverFitDoNotCount() {
    IntUnaryOperator unfinished = point -> amount(point) >= 12 ? 2 : 3;
    assertThat(search.answers(results(all(), point -> 0, unfinished)))
        .extracting(answer -> answer.amount().orElse("") + " " + answer.unfinished())
        .containsExactly("12 2", "12 2");
  }

  @Test
  void anInterruptedBisectionAnswersByWhatThereIs() {
    List<List<Integer>> rounds = new ArrayList<>();
    List<PointResult> found = search.bisect(points -> {
      rounds.add(points);
      return rounds.size() < 3 ? results(points, point -> 0, point -> 0) : ImmutableList.of();
    });
    assertThat(rounds).hasSize(3);
    assertThat(search.answers(found).get(0).amount()).contains("19");
  }
}
