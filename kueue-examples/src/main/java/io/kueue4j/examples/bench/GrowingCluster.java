package io.kueue4j.examples.bench;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.simulation.VirtualClock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Any number of queues and workloads, for measuring how the time of a cycle grows. Every
 * ClusterQueue has 10 cpu and may reclaim what it lends.
 */
final class GrowingCluster {
  static final int CPU_OF_QUEUE = 10;

  private static final String NAMESPACE = "team";
  private static final String QUEUE_PREFIX = "queue-";

  /** Workloads differ in their requests other than cpu, so that there are several shapes. */
  private static final int SHAPES = 20;

  private final VirtualClock clock = VirtualClock.create();
  private final AdmissionEngine engine;
  private final Stopwatch measured = new Stopwatch();
  private final Set<WorkloadId> running = new LinkedHashSet<>();
  private final Set<WorkloadId> victims = new LinkedHashSet<>();
  private long submitted;

  /**
   * Creates the queues, without workloads.
   *
   * @param clusterQueues the number of ClusterQueues
   * @param queuesOfCohort the number of them in each cohort
   */
  GrowingCluster(int clusterQueues, int queuesOfCohort) {
    this(clusterQueues, queuesOfCohort, Settings.builder().build());
  }

  /**
   * Creates the queues, without workloads.
   *
   * @param clusterQueues the number of ClusterQueues
   * @param queuesOfCohort the number of them in each cohort
   * @param settings the settings of the engine
   */
  GrowingCluster(int clusterQueues, int queuesOfCohort, Settings settings) {
    engine = AdmissionEngine.builder().clock(clock).settings(settings).build();
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(ResourceFlavor.of("default"));
    for (int i = 0; i < clusterQueues; i++) {
      objects.add(clusterQueue(i, i / queuesOfCohort));
      objects.add(LocalQueue.of(NAMESPACE, queueName(i), queueName(i)));
    }
    engine.apply(objects.build());
  }

  AdmissionEngine engine() {
    return engine;
  }

  /** {@return the cost of all measured calls since the start: cycles and applied changes} */
  Cost measured() {
    return measured.total();
  }

  /** {@return the next workload, newer than all before, with one of a few shapes} */
  Workload nextWorkload(int queue, int cpu, int priority) {
    return nextWorkload(queue, cpu, priority, (int) (submitted % SHAPES));
  }

  /** {@return the next workload, newer than all before} */
  Workload nextWorkload(int queue, int cpu, int priority, int shape) {
    return next(queue, cpu, priority, shape).build();
  }

  /** Submits a workload that runs for at most 10 to 100 minutes. */
  void submitWithLimit(int queue) {
    long limit = 10 + submitted * 37 % 91;
    engine.submit(next(queue, 1, 0, (int) (submitted % SHAPES))
        .maximumExecutionTime(Duration.ofMinutes(limit))
        .build());
  }

  private Workload.Builder next(int queue, int cpu, int priority, int shape) {
    submitted++;
    return Workload.builder()
        .namespace(NAMESPACE)
        .name("job-" + submitted)
        .uid("uid-" + submitted)
        .queueName(queueName(queue))
        .priority(priority)
        .creationTime(VirtualClock.START.plusSeconds(submitted))
        .addPodSets(PodSet.builder()
            .requestAmount("cpu", cpu * 1000L)
            .requestAmount("memory", 1L + shape)
            .build());
  }

  /** Submits another workload to the queue of {@code admission}. */
  void submitAnother(Admission admission) {
    engine.submit(nextWorkload(queueOf(admission), 1, 0));
  }

  /** Submits a workload with a shape of its own. */
  void submitOfNewShape(int queue) {
    engine.submit(nextWorkload(queue, 1, 0, SHAPES + (int) submitted));
  }

  /** Tries to admit a workload at once; if it is admitted, it may be finished later. */
  void tryAdmit(Workload workload) {
    if (engine.tryAdmit(workload).result().holdsQuota()) {
      running.add(workload.id());
    } else {
      engine.delete(workload.id());
    }
  }

  /** {@return the number of the queue of {@code admission}} */
  static int queueOf(Admission admission) {
    return Integer.parseInt(admission.clusterQueue().substring(QUEUE_PREFIX.length()));
  }

  /** Runs a measured cycle, and records started and evicted workloads. */
  Decisions cycle() {
    clock.advance(Duration.ofMillis(100));
    measured.start();
    Decisions result = engine.runCycle();
    measured.stop();
    result.admitted().stream().map(Admission::workload).forEach(running::add);
    result.preempted().stream().map(PreemptionVictim::workload).forEach(victims::add);
    return result;
  }

  /** Applies configuration objects, which is measured. */
  void apply(List<ConfigObject> objects) {
    measured.start();
    engine.apply(objects);
    measured.stop();
  }

  /** Runs cycles until no workload is left to try. */
  void settle() {
    while (!cycle().isEmpty()) {
      stopVictims();
    }
  }

  /** Reports that evicted workloads have stopped. */
  void stopVictims() {
    running.removeAll(victims);
    victims.forEach(engine::podsStopped);
    victims.clear();
  }

  /** Finishes the workloads that have run longest. */
  void finish(int count) {
    List<WorkloadId> oldest = running.stream().limit(count).toList();
    oldest.forEach(engine::finish);
    running.removeAll(Set.copyOf(oldest));
  }

  /**
   * {@return a chain of cohorts above the first one that has queues, each the parent of the next}
   */
  static List<ConfigObject> chain(int cohorts) {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    for (int i = 0; i < cohorts; i++) {
      objects.add(Cohort.builder()
          .name(i == 0 ? cohortName(0) : "above-" + i)
          .parent("above-" + (i + 1))
          .build());
    }
    return objects.build();
  }

  private static ClusterQueue clusterQueue(int index, int cohort) {
    return ClusterQueue.builder()
        .name(queueName(index))
        .cohort(cohortName(cohort))
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
            "default",
            ResourceQuota.of("cpu", String.valueOf(CPU_OF_QUEUE)),
            ResourceQuota.of("memory", "1Ti"))))
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build())
        .build();
  }

  private static String cohortName(int index) {
    return "cohort-" + index;
  }

  private static String queueName(int index) {
    return QUEUE_PREFIX + index;
  }
}
