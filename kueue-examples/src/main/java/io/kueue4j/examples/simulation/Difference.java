package io.kueue4j.examples.simulation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableTable;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.QuotaUsage;
import io.kueue4j.core.model.PodSetAssignment;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How two phases of one history differ: in what runs, on what, and in what is used. Quotas that
 * nobody uses make no difference.
 *
 * @param jobs the jobs that stand elsewhere or run on something else, in the order of their
 *     creation
 * @param clusterQueues the ClusterQueues that hold other workloads or amounts, by name
 */
public record Difference(ImmutableList<JobChange> jobs, ImmutableList<QueueChange> clusterQueues) {
  /**
   * A job before and after.
   *
   * @param before where it stood
   * @param after where it stands
   * @param reasons what keeps it waiting or made it stop, in sentences; empty if it runs and can go
   *     on
   */
  public record JobChange(JobReport before, JobReport after, ImmutableList<String> reasons) {}

  /**
   * A ClusterQueue before and after, at least one of them.
   *
   * @param before what it looked like, absent if there was none
   * @param after what it looks like, absent if there is none
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
   * @param after another one of the same jobs, with what has happened since
   */
  public static Difference between(Phase before, Phase after) {
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
    return new Difference(
        jobs.build(),
        Stream.concat(old.keySet().stream(), now.keySet().stream())
            .sorted()
            .distinct()
            .map(name -> new QueueChange(
                Optional.ofNullable(old.get(name)), Optional.ofNullable(now.get(name))))
            .filter(Difference::isOne)
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

  /** What a job runs on. */
  private record Place(String clusterQueue, ImmutableList<PodSetAssignment> podSets) {}

  /** {@return what the job runs on, nothing if it does not run} */
  private static Optional<Place> place(JobReport report) {
    return report
        .admission()
        .filter(unused -> report.status() == JobStatus.ADMITTED)
        .map(admission -> new Place(
            admission.clusterQueue(), ImmutableList.copyOf(admission.podSetAssignments())));
  }

  private static ImmutableList<String> reasons(JobReport job, Phase after) {
    if (job.status() != JobStatus.PENDING) {
      return obstacles(job);
    }
    Stream<String> preemptions = after.events().stream()
        .filter(event -> event.type() == Event.Type.PREEMPTED && event.job().equals(job.job()))
        .map(event -> "preempted for " + jobOf(event.by(), after) + " (" + event.reason() + ")");
    return Stream.concat(preemptions, job.reasons().stream()).collect(toImmutableList());
  }

  /** {@return what keeps a job that runs from going on} */
  private static ImmutableList<String> obstacles(JobReport job) {
    return job.status() == JobStatus.ADMITTED ? job.reasons() : ImmutableList.of();
  }

  /** {@return the name of the job that a Workload is of} */
  private static String jobOf(String workload, Phase phase) {
    return phase.jobs().stream()
        .map(JobReport::job)
        .filter(job -> job.workload().name().equals(workload))
        .map(SimulatedJob::name)
        .findFirst()
        .orElse(workload);
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
    return queue.map(view -> view.admitted().size()).orElse(0);
  }

  /** {@return what is used, by flavor and resource; what is not used is left out} */
  private static ImmutableTable<String, String, Long> used(Optional<ClusterQueueView> queue) {
    return queue.stream()
        .flatMap(view -> view.usage().stream())
        .filter(usage -> usage.used() != 0)
        .collect(ImmutableTable.toImmutableTable(
            QuotaUsage::flavor, QuotaUsage::resource, QuotaUsage::used));
  }
}
