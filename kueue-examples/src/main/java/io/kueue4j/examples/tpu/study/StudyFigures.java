package io.kueue4j.examples.tpu.study;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The figures of one simulation.
 *
 * @param utilisation the share of healthy chips in use, over time
 * @param accepted the share of jobs that started; with a backlog, the share of attempts
 * @param acceptedChips the same weighted by chips
 * @param acceptedLargeChips the same for jobs of 256 chips or more; 0 if there are none
 * @param movesPerAdmission the running slices that were moved per started job
 * @param movedChipsShare the chips of moved slices per chip of started jobs
 * @param microsPerFit the time of the search for a place, including moves, in microseconds
 */
public record StudyFigures(
    double utilisation,
    double accepted,
    double acceptedChips,
    double acceptedLargeChips,
    double movesPerAdmission,
    double movedChipsShare,
    double microsPerFit) {
  /** {@return the mean of each figure} */
  static StudyFigures mean(List<StudyFigures> all) {
    return new StudyFigures(
        mean(all, StudyFigures::utilisation),
        mean(all, StudyFigures::accepted),
        mean(all, StudyFigures::acceptedChips),
        mean(all, StudyFigures::acceptedLargeChips),
        mean(all, StudyFigures::movesPerAdmission),
        mean(all, StudyFigures::movedChipsShare),
        mean(all, StudyFigures::microsPerFit));
  }

  private static double mean(List<StudyFigures> all, ToDoubleFunction<StudyFigures> figure) {
    return all.stream().mapToDouble(figure).average().orElse(0);
  }
}
