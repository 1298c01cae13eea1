package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableTable;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.model.PodSetAssignment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How two phases of one history differ: in running jobs, their assignments, and usage. Unused
 * quotas make no difference.
 *
 * @param jobs the jobs with another status or assignment, in the order of their creation
 * @param clusterQueues the ClusterQueues with other workloads or usage, by name
 */
public record PhaseDifference(
    ImmutableList<JobChange> jobs, ImmutableList<QueueChange> clusterQueues) {
  /**
   * A job before and after.
   *
   * @param before the job before
   * @param after the job after
   * @param reasons why it is pending or was stopped, in sentences; empty if it runs and can
   *     continue
   */
  public record JobChange(JobReport before, JobReport after, List<String> reasons) {}

  /**
   * A ClusterQueue before and after, at least one of them.
   *
   * @param before the queue before, empty if it did not exist
   * @param after the queue after, empty if it does not exist
   */
  public record QueueChange(Optional<ClusterQueueView> before, Optional<ClusterQueueView> after) {
    /** {@return the name} */
    public String name() {
      return before.or(() -> after).orElseThrow().name();
    }
  }

  /**
   * {@return how {@code after} differs from {@code before}}
   *
   * @param before a phase
   * @param after a later phase of the same jobs
   */
  public static PhaseDifference between(Phase before, Phase after) {
    ImmutableList.Builder<JobChange> jobs = ImmutableList.builder();
    for (int i = 0; i < before.jobs().size(); i++) {
      JobReport old = before.jobs().get(i);
      JobReport now = after.jobs().get(i);
      if (old.status() != now.status()
          || !place(old).equals(place(now))
          || !obstacles(old).equals(obstacles(now))) {
        jobs.add(new JobChange(old, now, reasons(now, after)));
      }
    }
    ImmutableSortedMap<String, ClusterQueueView> old = byName(before);
    ImmutableSortedMap<String, ClusterQueueView> now = byName(after);
    return new PhaseDifference(
        jobs.build(),
        Stream.concat(old.keySet().stream(), now.keySet().stream())
            .sorted()
            .distinct()
            .map(name -> new QueueChange(
                Optional.ofNullable(old.get(name)), Optional.ofNullable(now.get(name))))
            .filter(PhaseDifference::isOne)
            .collect(toImmutableList()));
  }

  /** {@return whether the phases do not differ} */
  public boolean isEmpty() {
    return jobs.isEmpty() && clusterQueues.isEmpty();
  }

  private static ImmutableSortedMap<String, ClusterQueueView> byName(Phase phase) {
    return phase.clusterQueues().stream()
        .collect(ImmutableSortedMap.toImmutableSortedMap(
            Comparator.naturalOrder(), ClusterQueueView::name, queue -> queue));
  }

  /** The assignment of a job. */
  private record Place(String clusterQueue, ImmutableList<PodSetAssignment> podSets) {}

  /** {@return the assignment of the job, empty if it does not run} */
  private static Optional<Place> place(JobReport report) {
    return report
        .admission()
        .filter(unused -> report.status() == JobStatus.ADMITTED)
        .map(admission -> new Place(
            admission.clusterQueue(), ImmutableList.copyOf(admission.podSetAssignments())));
  }

  private static List<String> reasons(JobReport job, Phase after) {
    if (job.status() != JobStatus.PENDING) {
      return obstacles(job);
    }
    Stream<String> preemptions = after.events().stream()
        .filter(event -> event.type() == Event.Type.PREEMPTED && event.job().equals(job.job()))
        .map(event -> "preempted for " + after.jobOf(event.by()) + " (" + event.reason() + ")");
    return Stream.concat(preemptions, job.reasons().stream()).collect(toImmutableList());
  }

  /** {@return why a running job cannot continue} */
  private static List<String> obstacles(JobReport job) {
    return job.status() == JobStatus.ADMITTED ? job.reasons() : ImmutableList.of();
  }

  private static boolean isOne(QueueChange change) {
    return waiting(change.before) != waiting(change.after)
        || admitted(change.before) != admitted(change.after)
        || !used(change.before).equals(used(change.after));
  }

  private static int waiting(Optional<ClusterQueueView> queue) {
    return queue.map(ClusterQueueView::waitingCount).orElse(0);
  }

  private static int admitted(Optional<ClusterQueueView> queue) {
    return queue.map(PhaseDifference::admitted).orElse(0);
  }

  /** {@return the number of admitted workloads, as Kueue counts them in the status of the queue} */
  public static int admitted(ClusterQueueView queue) {
    return queue.holders().size() - queue.reserving().size();
  }

  /** {@return the usage, by flavor and resource; unused ones are absent} */
  private static ImmutableTable<String, String, Long> used(Optional<ClusterQueueView> queue) {
    return queue.stream()
        .flatMap(view -> view.usage().stream())
        .filter(usage -> usage.used() != 0)
        .collect(ImmutableTable.toImmutableTable(
            QuotaUsage::flavor, QuotaUsage::resource, QuotaUsage::used));
  }
}
