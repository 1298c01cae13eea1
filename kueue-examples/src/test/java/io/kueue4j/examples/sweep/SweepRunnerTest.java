package io.kueue4j.examples.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.simulation.JobSummary;
import io.kueue4j.examples.simulation.InputException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How points of a grid are simulated at the same time. */
class SweepRunnerTest {
  private static final JobSummary NONE = JobSummary.none();
  private static final ImmutableList<Integer> POINTS =
      IntStream.range(0, 50).boxed().collect(ImmutableList.toImmutableList());

  private static PointResult result(int point) {
    return new PointResult(
        point,
        NONE,
        NONE,
        ImmutableSortedMap.of(),
        ImmutableSortedMap.of(),
        ImmutableList.of(),
        "");
  }

  @Test
  void resultsAreInTheOrderOfThePoints() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    ImmutableList<PointResult> results = new SweepRunner(2, point -> {
          if (point == 0) {
            await(second);
          } else {
            second.countDown();
          }
          return Optional.of(result(point));
        })
        .run(POINTS);
    assertThat(results).extracting(PointResult::point).isEqualTo(POINTS);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void interruptedPointsAreLeftOut() {
    assertThat(
            new SweepRunner(3, point -> point < 20 ? Optional.of(result(point)) : Optional.empty())
                .run(POINTS))
        .extracting(PointResult::point)
        .isEqualTo(POINTS.subList(0, 20));
  }

  @Test
  void theFirstFailureEndsTheSweep() {
    AtomicInteger begun = new AtomicInteger();
    assertThatThrownBy(() -> new SweepRunner(1, point -> {
              begun.incrementAndGet();
              throw new InputException("point " + point);
            })
            .run(POINTS))
        .isInstanceOf(InputException.class)
        .hasMessage("point 0");
    assertThat(begun.get()).isPositive();
  }
}
