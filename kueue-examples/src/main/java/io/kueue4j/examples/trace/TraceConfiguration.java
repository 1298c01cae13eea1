package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.Immutable;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Optional;

/**
 * How many cohorts, queues and workloads of which kinds a trace has, in the form in which Kueue
 * configures its own scheduling performance tests.
 *
 * @param name what the trace is called
 * @param cohorts the kinds of cohorts
 */
@Immutable
public record TraceConfiguration(String name, ImmutableList<CohortClass> cohorts) {
  /**
   * A kind of cohort.
   *
   * @param className what its cohorts are called, before their numbers
   * @param count how many there are
   * @param queuesSets the kinds of ClusterQueues in each
   */
  @Immutable
  public record CohortClass(String className, int count, ImmutableList<QueuesSet> queuesSets) {}

  /**
   * A kind of ClusterQueue.
   *
   * @param className what its queues are called, before their numbers
   * @param count how many there are in each cohort
   * @param nominalQuota cores
   * @param borrowingLimit cores, absent if nothing limits it
   * @param reclaimWithinCohort whom a queue takes back what it has lent from
   * @param withinClusterQueue whom of its own a queue preempts
   * @param workloadsSets what arrives at each
   */
  @Immutable
  public record QueuesSet(
      String className,
      int count,
      String nominalQuota,
      Optional<String> borrowingLimit,
      PreemptionPolicy reclaimWithinCohort,
      PreemptionPolicy withinClusterQueue,
      ImmutableList<WorkloadsSet> workloadsSets) {}

  /**
   * Workloads that arrive at regular intervals.
   *
   * @param count how often some arrive
   * @param creationIntervalMs the time between
   * @param workloads what arrives each time
   */
  @Immutable
  public record WorkloadsSet(
      int count, long creationIntervalMs, ImmutableList<WorkloadClass> workloads) {}

  /**
   * A kind of workload, of one pod.
   *
   * @param className what its workloads are called, before their numbers, and are counted under
   * @param runtimeMs how long they run
   * @param priority their priority
   * @param request cores
   */
  @Immutable
  public record WorkloadClass(String className, long runtimeMs, int priority, String request) {}
}
