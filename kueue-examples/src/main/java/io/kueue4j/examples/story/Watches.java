package io.kueue4j.examples.story;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.Admission;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The expectations that hold from their step on: bounds of usage, and deadlines of starts. Not
 * thread-safe.
 */
final class Watches {
  /** The largest usage since its step of each bound. */
  private final Map<Expectation.NeverAbove, Long> peaks = new LinkedHashMap<>();

  /** When each deadline began. */
  private final Map<Expectation.StartsWithin, Instant> begun = new LinkedHashMap<>();

  /** How long each job took to start that has started. */
  private final Map<Expectation.StartsWithin, Duration> taken = new LinkedHashMap<>();

  /** Begins to watch what is expected after a step. */
  void begin(StoryStep step, Moment now) {
    for (Expectation expectation : step.expectations()) {
      if (expectation instanceof Expectation.NeverAbove bound) {
        peaks.put(bound, Long.MIN_VALUE);
      } else if (expectation instanceof Expectation.StartsWithin deadline
          && now.phase().job(deadline.name()).isPresent()) {
        begun.put(deadline, now.time());
      }
    }
    afterCycle(now.view());
    afterStep(now);
  }

  /** Notes what is used after a cycle. */
  void afterCycle(EngineView view) {
    peaks.replaceAll(
        (bound, peak) -> Math.max(peak, Moment.used(view, bound.place()).orElse(peak)));
  }

  /** Notes which jobs have started. */
  void afterStep(Moment now) {
    begun.forEach((deadline, begin) -> start(deadline, now).ifPresent(start -> {
      Duration wait = Duration.between(begin, start);
      taken.putIfAbsent(deadline, wait.isNegative() ? Duration.ZERO : wait);
    }));
  }

  private static Optional<Instant> start(Expectation.StartsWithin deadline, Moment now) {
    return now.phase()
        .job(deadline.name())
        .filter(job -> job.status() == JobStatus.ADMITTED || job.status() == JobStatus.FINISHED)
        .flatMap(JobReport::admission)
        .map(Admission::quotaReservedTime);
  }

  /** {@return whether a deadline is about a job} */
  boolean isAbout(SimulatedJob job) {
    return begun.keySet().stream().anyMatch(deadline -> job.isCalled(deadline.name()));
  }

  /** {@return the largest usage since the step of a bound} */
  long peak(Expectation.NeverAbove bound) {
    return peaks.getOrDefault(bound, Long.MIN_VALUE);
  }

  /** {@return how long a job took to start, empty if it has not} */
  Optional<Duration> taken(Expectation.StartsWithin deadline) {
    return Optional.ofNullable(taken.get(deadline));
  }

  /** {@return what was not as expected, in the end} */
  ImmutableList<StoryFailure> failures(Moment end) {
    ImmutableList.Builder<StoryFailure> failures = ImmutableList.builder();
    peaks.forEach((bound, peak) -> {
      if (peak > bound.amount()) {
        failures.add(new StoryFailure(
            bound.line(),
            bound.place() + " is used up to " + bound.place().format(peak)
                + " from here on, expected never above " + bound.place().format(bound.amount()),
            Optional.empty()));
      }
    });
    begun.forEach((deadline, begin) -> {
      Optional<Duration> wait = taken(deadline);
      if (wait.isEmpty() || wait.get().compareTo(deadline.limit()) > 0) {
        String found = wait.map(time -> " starts after " + time)
            .orElseGet(() -> " has not started at the end of the scenario, after "
                + Duration.between(begin, end.time()));
        failures.add(new StoryFailure(
            deadline.line(),
            deadline.name() + found + ", expected within " + deadline.limit(),
            end.phase().job(deadline.name())));
      }
    });
    return failures.build();
  }
}
