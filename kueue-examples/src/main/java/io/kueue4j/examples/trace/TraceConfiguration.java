package io.kueue4j.examples.trace;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.Immutable;
import io.kueue4j.core.model.PreemptionPolicy;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How many cohorts, queues and workloads of which kinds a trace has, in the form in which Kueue
 * configures its own scheduling performance tests.
 *
 * @param name what the trace is called
 * @param topology the nodes that pods are placed on, absent if they are not placed
 * @param cohorts the kinds of cohorts
 */
@Immutable
public record TraceConfiguration(
    String name, Optional<NodeTree> topology, ImmutableList<CohortClass> cohorts) {
  /**
   * Nodes in a topology whose domains are all alike.
   *
   * @param name what the topology is called
   * @param levels the levels, coarsest first; the domains of the last one are the nodes
   * @param allocatable what each node has of each resource, in Kubernetes notation
   */
  @Immutable
  public record NodeTree(
      String name, ImmutableList<Level> levels, ImmutableMap<String, String> allocatable) {}

  /**
   * A level of a topology.
   *
   * @param name what its domains are called, before their numbers
   * @param nodeLabel the label that names the domain of a node
   * @param count how many there are in each domain of the level above
   */
  @Immutable
  public record Level(String name, String nodeLabel, int count) {}

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
   * A kind of workload, of equal pods.
   *
   * @param className what its workloads are called, before their numbers, and are counted under
   * @param runtimeMs how long they run
   * @param priority their priority
   * @param request cores of each pod
   * @param podCount the number of pods
   * @param placements how close together the pods are to be: of one workload as the first says, of
   *     the next one as the second, and so on and over again; empty if that does not matter
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
   * How close together the pods of a workload are to be.
   *
   * @param isRequired whether they have to be in one domain, or rather should
   * @param level the label of the domain
   * @param sliceSize how many of them have to be on one node, absent if that does not matter
   */
  @Immutable
  public record Placement(boolean isRequired, String level, OptionalInt sliceSize) {}
}
