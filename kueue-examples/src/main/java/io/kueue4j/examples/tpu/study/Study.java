package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which simulations are run.
 *
 * @param scenarios what machines and loads
 * @param policies the names of the ways to place; empty for all
 * @param seeds one simulation for each
 * @param jobs jobs of each simulation; absent for as many as the scenario says
 */
public record Study(
    ImmutableList<StudyScenario> scenarios,
    ImmutableList<String> policies,
    ImmutableList<Long> seeds,
    Optional<Integer> jobs) {

  /**
   * One scenario with what came of it.
   *
   * @param scenario the scenario
   * @param jobs the jobs of each simulation
   * @param rows a row for each way to place
   */
  public record Result(StudyScenario scenario, int jobs, ImmutableList<Row> rows) {}

  /**
   * What came of one way to place.
   *
   * @param policy the way
   * @param bySeed the figures, in the order of the seeds
   */
  public record Row(StudyPolicy policy, ImmutableList<StudyFigures> bySeed) {
    /** {@return the mean of all seeds} */
    public StudyFigures mean() {
      return StudyFigures.mean(bySeed);
    }
  }

  /** Runs all simulations; tells of each scenario as soon as it is done. */
  public void run(Consumer<Result> done) {
    for (StudyScenario scenario : scenarios) {
      int count = jobs.orElse(scenario.jobs());
      ImmutableList.Builder<Row> rows = ImmutableList.builder();
      for (StudyPolicy policy : scenario.policies()) {
        if (policies.isEmpty() || policies.contains(policy.name())) {
          rows.add(new Row(
              policy,
              seeds.stream()
                  .map(seed -> scenario.play(policy, count, seed))
                  .collect(ImmutableList.toImmutableList())));
        }
      }
      done.accept(new Result(scenario, count, rows.build()));
    }
  }
}
