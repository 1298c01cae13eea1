package io.kueue4j.examples.tpu.study;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one simulation came to.
 *
 * @param utilisation the share of the healthy chips that had jobs, over time
 * @param accepted the share of jobs that started; of a backlog, the share of attempts
 * @param acceptedChips the same weighted by chips
 * @param acceptedLargeChips the same of jobs of 256 chips or more; 0 if there are none
 * @param movesPerAdmission running slices that were moved, for each job that started
 * @param movedChipsShare chips of slices that were moved, for each chip of jobs that started
 * @param microsPerFit time of the look for a place, and for moves, in microseconds
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
