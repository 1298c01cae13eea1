package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A set of simulations.
 *
 * @param scenarios the machines and loads
 * @param policies the names of the placement strategies; empty for all
 * @param seeds one simulation for each
 * @param jobs the number of jobs of each simulation; empty for the default of the scenario
 */
public record Study(
    ImmutableList<StudyScenario> scenarios,
    ImmutableList<String> policies,
    ImmutableList<Long> seeds,
    Optional<Integer> jobs) {

  /**
   * The result of one scenario.
   *
   * @param scenario the scenario
   * @param jobs the number of jobs of each simulation
   * @param rows a row for each placement strategy
   */
  public record Result(StudyScenario scenario, int jobs, ImmutableList<Row> rows) {}

  /**
   * The result of one placement strategy.
   *
   * @param policy the strategy
   * @param bySeed the figures, in the order of the seeds
   */
  public record Row(StudyPolicy policy, ImmutableList<StudyFigures> bySeed) {
    /** {@return the mean of all seeds} */
    public StudyFigures mean() {
      return StudyFigures.mean(bySeed);
    }
  }

  /** {@return the number of jobs of all simulations} */
  public long jobCount() {
    return scenarios.stream()
        .mapToLong(scenario -> (long) jobs.orElse(scenario.jobs())
            * seeds.size()
            * scenario.policies().stream().filter(this::isChosen).count())
        .sum();
  }

  private boolean isChosen(StudyPolicy policy) {
    return policies.isEmpty() || policies.contains(policy.name());
  }

  /**
   * Runs all simulations; reports each scenario as soon as it is complete.
   *
   * @param progress receives the number of jobs of each simulation when it is complete
   * @param done receives the results
   */
  public void run(LongConsumer progress, Consumer<Result> done) {
    for (StudyScenario scenario : scenarios) {
      int count = jobs.orElse(scenario.jobs());
      ImmutableList.Builder<Row> rows = ImmutableList.builder();
      for (StudyPolicy policy : scenario.policies()) {
        if (isChosen(policy)) {
          rows.add(new Row(
              policy,
              seeds.stream()
                  .map(seed -> {
                    StudyFigures figures = scenario.play(policy, count, seed);
                    progress.accept(count);
                    return figures;
                  })
                  .collect(ImmutableList.toImmutableList())));
        }
      }
      done.accept(new Result(scenario, count, rows.build()));
    }
  }
}
