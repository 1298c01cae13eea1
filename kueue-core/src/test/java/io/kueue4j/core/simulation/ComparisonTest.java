package io.kueue4j.core.simulation;

import static io.kueue4j.core.simulation.Jobs.at;
import static io.kueue4j.core.simulation.Jobs.id;
import static io.kueue4j.core.simulation.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.simulation.Comparison.Divergence;
import io.kueue4j.core.simulation.SimulationResult.QuotaSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final ImmutableList<SimulationJob> TRACE = ImmutableList.of(
      job("a", "q", 2, 0, 100).user("ada").build(),
      job("b", "q", 1, 10, 50).user("bob").build(),
      job("c", "q", 2, 20, 50).user("bob").build(),
      job("d", "q", 1, 30, 200).user("eve").build());

  private static final Simulation SIMULATION =
      Simulation.builder().configuration(Jobs.queue("q", 4)).trace(TRACE).build();

  private final SimulationResult base = SIMULATION.run();
  private final SimulationResult other =
      SIMULATION.with(Jobs.clusterQueue("q", 5).build()).run();
  private final Comparison comparison = Comparison.of(base, other);

  @Test
  void oneMoreCoreIsFoundWithItsReason() {
    Divergence divergence = comparison.firstDivergence().orElseThrow();

    assertThat(divergence.time()).isEqualTo(at(20));
    assertThat(divergence.job()).contains(id("c"));
    assertThat(divergence.event()).isEqualTo("admitted on default");
    assertThat(divergence.inBase()).isFalse();
    assertThat(divergence.reasons()).singleElement().satisfies(reason -> {
      assertThat(reason.code()).isEqualTo(ReasonCode.NO_PREEMPTION_CANDIDATES);
      assertThat(reason.asked()).hasValue(2000);
      assertThat(reason.available()).hasValue(1000);
    });
    assertThat(divergence)
        .asString()
        .startsWith("at 2026-01-01T00:00:20Z job ns/c was admitted on default only in the other"
            + " simulation; it waited: ");
  }

  @Test
  void theSameDifferenceIsFoundTheOtherWayRound() {
    assertThat(Comparison.of(/* base= */ other, /* other= */ base)
            .firstDivergence()
            .orElseThrow())
        .isEqualTo(new Divergence(
            at(20),
            comparison.firstDivergence().orElseThrow().job(),
            "admitted on default",
            true,
            comparison.firstDivergence().orElseThrow().reasons()));
  }

  @Test
  void equalSimulationsHaveNoDifference() {
    Comparison equal = Comparison.of(base, SIMULATION.run());

    assertThat(equal.firstDivergence()).isEmpty();
    assertThat(equal.changedJobs()).isEmpty();
    assertThat(comparison.firstDivergence()).isPresent();
  }

  @Test
  void jobsAndUsersAreComparedOneByOne() {
    assertThat(comparison.changedJobs())
        .extracting(pair -> pair.base().job().id().name())
        .containsExactly("c", "d");
    assertThat(Jobs.valueOf("bob", comparison.by(JobResult::user)))
        .returns(Duration.ofSeconds(80), pair -> pair.base().maxWait())
        .returns(Duration.ZERO, pair -> pair.other().maxWait());
    assertThat(comparison.by(JobResult::clusterQueue)).containsEntry("q", comparison.total());
  }

  /** Job c starts after 20 seconds in the other simulation only. */
  @Test
  void aLabelOfOneResultOnlyIsCompared() {
    Function<JobResult, Optional<String>> start = job -> job.started().map(Instant::toString);
    String early = at(20).toString();

    assertThat(base.by(start)).doesNotContainKey(early);
    assertThat(Jobs.valueOf(early, comparison.by(start)))
        .returns(0, pair -> pair.base().jobs())
        .returns(1, pair -> pair.other().jobs());
    assertThat(Comparison.of(/* base= */ other, /* other= */ base).by(start))
        .containsOnlyKeys(comparison.by(start).keySet());
  }

  @Test
  void quotaAndUsageOfBothCanBeCompared() {
    long start = at(0).toEpochMilli();
    long end = base.endTime().toEpochMilli();
    QuotaSeries before = base.quotas().get(0);
    QuotaSeries after = other.quotas().get(0);

    assertThat(before.clusterQueue()).isEqualTo("q");
    assertThat(before.nominal().mean(start, end)).isEqualTo(4000);
    assertThat(after.nominal().mean(start, end)).isEqualTo(5000);
    // 2 x 100 s + 1 x 50 s + 2 x 50 s + 1 x 200 s of cores, until d ends.
    double seconds = Duration.between(at(0), base.endTime()).toSeconds();
    assertThat(before.used().mean(start, end)).isEqualTo(550_000 / seconds);
  }

  @Test
  void differentTracesAreRejected() {
    SimulationResult shorter = Simulation.builder()
        .configuration(Jobs.queue("q", 4))
        .trace(TRACE.subList(0, 2))
        .build()
        .run();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.of(base, shorter))
        .withMessageContaining("4 and 2 jobs");
  }
}
