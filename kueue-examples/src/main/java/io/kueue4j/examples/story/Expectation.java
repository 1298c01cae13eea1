package io.kueue4j.examples.story;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One thing that is expected after a step. Immutable. */
sealed interface Expectation {
  /** {@return its line} */
  int line();

  /** {@return the name of the job that it is about, empty if it is about none} */
  default Optional<String> job() {
    return Optional.empty();
  }

  /** {@return what is, and what was expected; empty if they agree} */
  Optional<String> difference(Moment now);

  /** An expectation on one job. */
  sealed interface OfJob extends Expectation {
    /** {@return the name of the job} */
    String name();

    @Override
    default Optional<String> job() {
      return Optional.of(name());
    }

    /** {@return what differs in a job that exists} */
    Optional<String> difference(JobReport job, Moment now);

    @Override
    default Optional<String> difference(Moment now) {
      return now.phase()
          .job(name())
          .map(job -> difference(job, now))
          .orElseGet(() -> Optional.of(now.missing(name())));
    }
  }

  /**
   * A job has a status.
   *
   * @param because the code of a reason or a part of its text; empty for any
   */
  record HasStatus(int line, String name, JobStatus status, String because) implements OfJob {
    @Override
    public Optional<String> difference(JobReport job, Moment now) {
      if (job.status() != status) {
        return Optional.of(name + " is " + job.status() + ", expected " + status);
      }
      boolean isSaid = job.reasons().stream().anyMatch(reason -> reason.contains(because))
          || job.explanation().stream()
              .flatMap(explanation -> explanation.reasons().stream())
              .anyMatch(reason -> reason.code().name().equals(because));
      return because.isEmpty() || isSaid
          ? Optional.empty()
          : Optional.of(
              name + " is " + status + " for another reason, expected \"" + because + "\"");
    }
  }

  /**
   * A flavor that a part of a job has.
   *
   * @param part the name of a pod set or of a resource; empty for the whole job
   * @param resource the resource of the pod set; empty for all
   */
  record FlavorOf(String part, String resource, String flavor) {
    /** {@return whether an assignment has this flavor where it is expected} */
    private boolean isIn(PodSetAssignment assignment, boolean isPodSet) {
      if (isPodSet && !part.equals(assignment.name())) {
        return true;
      }
      String only = isPodSet ? resource : part;
      return assignment.flavors().entrySet().stream()
          .filter(entry -> only.isEmpty() || only.equals(entry.getKey()))
          .allMatch(entry -> flavor.equals(entry.getValue()));
    }

    private boolean isIn(List<PodSetAssignment> assignments) {
      boolean isPodSet = assignments.stream().anyMatch(each -> each.name().equals(part));
      boolean exists = part.isEmpty()
          || isPodSet
          || assignments.stream().anyMatch(each -> each.flavors().containsKey(part));
      return exists && assignments.stream().allMatch(each -> isIn(each, isPodSet));
    }

    @Override
    public String toString() {
      return String.join(
          " ",
          ImmutableList.of(part, resource, flavor).stream()
              .filter(s -> !s.isEmpty())
              .toList());
    }
  }

  /** A job runs on flavors. */
  record RunsOn(int line, String name, ImmutableList<FlavorOf> flavors) implements OfJob {
    @Override
    public Optional<String> difference(JobReport job, Moment now) {
      if (job.status() != JobStatus.ADMITTED) {
        return Optional.of(name + " is " + job.status() + ", expected " + JobStatus.ADMITTED);
      }
      List<PodSetAssignment> assignments = job.podSets();
      return flavors.stream()
          .filter(flavor -> !flavor.isIn(assignments))
          .findFirst()
          .map(flavor ->
              name + " is admitted on " + Happened.flavors(assignments) + ", expected " + flavor);
    }
  }

  /** A job has preempted others in the step, and no more. */
  record Preempts(int line, String name, ImmutableList<String> victims) implements OfJob {
    @Override
    public Optional<String> difference(JobReport job, Moment now) {
      String preemptor = now.name(job.job());
      List<String> found = now.preemptions().stream()
          .filter(event -> now.preemptor(event).equals(preemptor))
          .map(event -> now.name(event.job()))
          .sorted()
          .toList();
      return victims.stream().sorted().toList().equals(found)
          ? Optional.empty()
          : Optional.of(name + " preempts " + found + ", expected " + victims);
    }
  }

  /** These jobs had to stop in the step, in this order, and no more. */
  record Evicted(int line, ImmutableList<String> jobs) implements Expectation {
    @Override
    public Optional<String> difference(Moment now) {
      List<String> found = now.evicted().stream().map(now::name).toList();
      return jobs.equals(found)
          ? Optional.empty()
          : Optional.of("evicted in this step: " + found + ", expected " + jobs);
    }
  }

  /** So much of a quota is used. */
  record Uses(int line, QuotaPlace place, long amount) implements Expectation {
    @Override
    public Optional<String> difference(Moment now) {
      OptionalLong used = Moment.used(now.view(), place);
      return used.isPresent() && used.getAsLong() == amount
          ? Optional.empty()
          : Optional.of(
              used.isPresent()
                  ? place + " is used up to " + place.format(used.getAsLong()) + ", expected "
                      + place.format(amount)
                  : "there is no quota of " + place);
    }
  }

  /** From here on, at most so much of a quota is used after any cycle; see {@link Watches}. */
  record NeverAbove(int line, QuotaPlace place, long amount) implements Expectation {
    @Override
    public Optional<String> difference(Moment now) {
      return Moment.used(now.view(), place).isPresent()
          ? Optional.empty()
          : Optional.of("there is no quota of " + place);
    }
  }

  /** A job starts before so much time has passed since the step; see {@link Watches}. */
  record StartsWithin(int line, String name, Duration limit) implements OfJob {
    @Override
    public Optional<String> difference(JobReport job, Moment now) {
      return Optional.empty();
    }
  }

  /** The step needs at most so many cycles. */
  record StableWithin(int line, int cycles) implements Expectation {
    @Override
    public Optional<String> difference(Moment now) {
      return now.cycles() <= cycles
          ? Optional.empty()
          : Optional.of("stable after " + now.cycles() + " cycles, expected at most " + cycles);
    }
  }
}
