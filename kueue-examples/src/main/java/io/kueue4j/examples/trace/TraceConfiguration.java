package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.Immutable;
import io.kueue4j.core.model.Preemption;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The cohorts, queues and workloads of a trace, in the format of Kueue's own scheduling performance
 * tests.
 *
 * @param name the name of the trace
 * @param topology the nodes that pods are placed on, empty if they are not placed
 * @param cohorts the kinds of cohorts
 */
@Immutable
public record TraceConfiguration(
    String name, Optional<NodeTree> topology, ImmutableList<CohortClass> cohorts) {
  /**
   * Nodes in a regular topology.
   *
   * @param name the name of the topology
   * @param levels the levels, coarsest first; the domains of the last one are the nodes
   * @param allocatable the allocatable amount of each resource per node, in Kubernetes notation
   */
  @Immutable
  public record NodeTree(
      String name, ImmutableList<Level> levels, ImmutableMap<String, String> allocatable) {}

  /**
   * A level of a topology.
   *
   * @param name the prefix of the names of its domains, before their numbers
   * @param nodeLabel the label with the domain of a node
   * @param count the number of domains in each domain of the level above
   */
  @Immutable
  public record Level(String name, String nodeLabel, int count) {}

  /**
   * A kind of cohort.
   *
   * @param className the prefix of the names of its cohorts, before their numbers
   * @param count the number of cohorts
   * @param queuesSets the kinds of ClusterQueues in each
   */
  @Immutable
  public record CohortClass(String className, int count, ImmutableList<QueuesSet> queuesSets) {}

  /**
   * A kind of ClusterQueue.
   *
   * @param className the prefix of the names of its queues, before their numbers
   * @param count the number of queues in each cohort
   * @param nominalQuota cores
   * @param borrowingLimit cores, empty for no limit
   * @param reclaimWithinCohort the policy for reclaiming lent quota
   * @param withinClusterQueue the policy for preemption within the queue
   * @param workloadsSets the workloads that arrive at each
   */
  @Immutable
  public record QueuesSet(
      String className,
      int count,
      String nominalQuota,
      Optional<String> borrowingLimit,
      Preemption.Policy reclaimWithinCohort,
      Preemption.Policy withinClusterQueue,
      ImmutableList<WorkloadsSet> workloadsSets) {}

  /**
   * Workloads that arrive at regular intervals.
   *
   * @param count the number of arrivals
   * @param creationIntervalMs the time between two arrivals
   * @param workloads the workloads of each arrival
   */
  @Immutable
  public record WorkloadsSet(
      int count, long creationIntervalMs, ImmutableList<WorkloadClass> workloads) {}

  /**
   * A kind of workload, of equal pods.
   *
   * @param className the prefix of the names of its workloads, before their numbers, and the class
   *     of their statistics
   * @param runtimeMs their run time
   * @param priority their priority
   * @param request cores of each pod
   * @param podCount the number of pods
   * @param placements the placement requests, which successive workloads use in turn; empty for
   *     none
   */
  @Immutable
  public record WorkloadClass(
      String className,
      long runtimeMs,
      int priority,
      String request,
      int podCount,
      ImmutableList<Placement> placements) {}

  /**
   * The placement request of the pods of a workload.
   *
   * @param isRequired whether one domain is required or preferred
   * @param level the label of the domain
   * @param sliceSize the number of pods that must share a node, empty for no slices
   */
  @Immutable
  public record Placement(boolean isRequired, String level, OptionalInt sliceSize) {}
}
