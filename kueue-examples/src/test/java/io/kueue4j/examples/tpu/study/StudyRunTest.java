package io.kueue4j.examples.tpu.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import org.junit.jupiter.api.Test;

/** Simulations small enough to follow by head: a machine of 16 chips. */
final class StudyRunTest {
  private static final TpuFleet FLEET =
      TpuFleet.of(TpuPool.grid("pod", TpuGeneration.V6E, SliceShape.of(4, 4), 4));

  private static StudyJob job(int number, double arrival, double duration, String shape) {
    return new StudyJob(number, arrival, duration, SliceShape.parse(shape));
  }

  @Test
  void jobsAreLostThatCannotStart() {
    // 8 chips from 0 to 4; 16 do not fit at 1; 8 from 2 to 4; all is free again at 4; then 16.
    StudyFigures figures = StudyRun.lossSystem(
            new CountPlacer(FLEET),
            ImmutableList.of(
                job(0, 0, 4, "2x4"),
                job(1, 1, 1, "4x4"),
                job(2, 2, 2, "2x4"),
                job(3, 4, 1, "4x4"),
                job(4, 6, 1, "2x2")),
            16)
        .figures();

    assertThat(figures.accepted()).isEqualTo(4.0 / 5);
    assertThat(figures.acceptedChips()).isEqualTo((8 + 8 + 16 + 4.0) / (8 + 16 + 8 + 16 + 4));
    // 8 chips for 2, 16 for 2, 16 for 1, none for 1, of 16 for 6.
    assertThat(figures.utilisation()).isCloseTo((16 + 32 + 16) / 96.0, within(1e-12));
    assertThat(figures.movesPerAdmission()).isZero();
  }

  @Test
  void aJobThatFitsInTheWindowStarts() {
    ImmutableList<StudyJob> jobs = ImmutableList.of(
        job(0, 0, 2, "2x4"), job(1, 0, 1, "4x4"), job(2, 0, 2, "2x4"), job(3, 0, 5, "2x2"));

    StudyFigures two = StudyRun.backlog(new CountPlacer(FLEET), jobs, 2, 16).figures();
    StudyFigures one = StudyRun.backlog(new CountPlacer(FLEET), jobs, 1, 16).figures();

    // Jobs 0 and 2 start side by side, 1 and 3 do not fit; then no job is left.
    assertThat(two.accepted()).isEqualTo(2.0 / 4);
    // Job 1 lets no job pass: 8 chips for 2, 16 for 1, then all have begun.
    assertThat(one.utilisation()).isCloseTo((16 + 16) / 48.0, within(1e-12));
    assertThat(one.accepted()).isEqualTo(4.0 / 6);
  }

  @Test
  void equalSeedsGiveEqualJobs() {
    ImmutableList<StudyJob> jobs = StudyJob.stream(JobMix.GRID, 10, 2_000, 7);

    assertThat(StudyJob.stream(JobMix.GRID, 10, 2_000, 7)).isEqualTo(jobs);
    assertThat(StudyJob.stream(JobMix.GRID, 10, 2_000, 8)).isNotEqualTo(jobs);
  }

  @Test
  void jobsAreWhatTheMixSays() {
    ImmutableList<StudyJob> jobs = StudyJob.stream(JobMix.GRID, 10, 40_000, 1);

    double work = jobs.stream()
        .mapToDouble(each -> each.duration() * each.shape().chips())
        .sum();
    assertThat(work / jobs.get(jobs.size() - 1).arrival()).isCloseTo(10, within(1e-9));
    assertThat(jobs.stream().mapToDouble(StudyJob::duration).average().orElseThrow())
        .isCloseTo(1, within(0.05));
    assertThat(jobs.stream().mapToInt(each -> each.shape().chips()).average().orElseThrow())
        .isCloseTo(4 * 5.9, within(0.4));
    assertThat(jobs.stream()
            .filter(each -> each.shape().equals(SliceShape.parse("2x4")))
            .count())
        .isBetween(7_700L, 8_300L);
  }

  @Test
  void sharesSumToAHundred() {
    for (JobMix mix : ImmutableList.of(JobMix.GRID, JobMix.CUBES, JobMix.INFERENCE)) {
      assertThat(mix.shares().stream().mapToInt(JobMix.Share::percent).sum()).isEqualTo(100);
    }
  }

  @Test
  void badHostsAreOthersForAnotherSeed() {
    StudyScenario scenario = StudyScenario.ALL.stream()
        .filter(each -> each.name().equals("pods-bad-hosts"))
        .findFirst()
        .orElseThrow();

    assertThat(scenario.fleet(1)).isEqualTo(scenario.fleet(1)).isNotEqualTo(scenario.fleet(2));
    assertThat(CountPlacer.healthyChips(scenario.fleet(1))).isEqualTo(8 * (64 - 3) * 4);
  }
}
