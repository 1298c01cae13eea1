package io.kueue4j.examples.story;

import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.examples.simulation.Event;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.simulation.SimulatedJob;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How things are after a step.
 *
 * @param phase the jobs, and what happened in the step
 * @param view the state of the engine
 * @param cycles the number of cycles of the step
 * @param time the time
 */
record Moment(Phase phase, EngineView view, int cycles, Instant time) {
  /** {@return the name by which a scenario calls a job: with the namespace if it has to} */
  String name(SimulatedJob job) {
    boolean isAlone =
        phase.jobs().stream().filter(other -> other.job().isCalled(job.name())).count() == 1;
    return isAlone ? job.name() : job.namespace() + "/" + job.name();
  }

  /** {@return the clause that a job does not exist, and which do} */
  String missing(String job) {
    return "there is no job " + job + "; "
        + SimulatedJob.existing(phase.jobs().stream().map(JobReport::job).toList());
  }

  /** {@return the jobs that had to stop in the step, in that order} */
  List<SimulatedJob> evicted() {
    return phase.events().stream()
        .filter(event -> event.type() == Event.Type.PREEMPTED || event.type() == Event.Type.EVICTED)
        .map(Event::job)
        .toList();
  }

  /** {@return the preemptions of the step} */
  List<Event> preemptions() {
    return phase.events().stream()
        .filter(event -> event.type() == Event.Type.PREEMPTED)
        .toList();
  }

  /** {@return the name of the job that caused a preemption} */
  String preemptor(Event preemption) {
    return phase.jobs().stream()
        .map(JobReport::job)
        .filter(job -> preemption.preemptor().equals(Optional.of(job.workload().id())))
        .findFirst()
        .map(this::name)
        .orElse(preemption.by());
  }

  /** {@return what is used of a quota, empty if there is none} */
  static OptionalLong used(EngineView view, QuotaPlace place) {
    Optional<ClusterQueueView> queue = view.clusterQueue(place.owner());
    Stream<Long> used = queue.isPresent()
        ? queue.get().usage().stream()
            .filter(usage -> place.is(usage.flavor(), usage.resource()))
            .map(ClusterQueueView.QuotaUsage::used)
        : view.cohort(place.owner()).stream()
            .flatMap(cohort -> cohort.usage().stream())
            .filter(usage -> place.is(usage.flavor(), usage.resource()))
            .map(CohortView.SubtreeUsage::used);
    return used.mapToLong(Long::longValue).findFirst();
  }
}
