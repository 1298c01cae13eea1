package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.PreemptionConflict;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.QuotaUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An engine whose queues count GPUs, and in which a second passes with each job.
 *
 * <p>Every ClusterQueue has a LocalQueue of the same name in namespace {@code ns}.
 */
final class PreemptionCluster {
  static final String GPU = "gpu";
  static final String FLAVOR = "default";
  private static final String NAMESPACE = "ns";

  final AdmissionEngine engine;
  private Decisions unread = Decisions.none();

  /** The conflicts of preemptions reported by the engine, by cycle. */
  final List<ImmutableList<PreemptionConflict>> conflicts = new ArrayList<>();

  private final Map<String, Workload> submitted = new HashMap<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  PreemptionCluster() {
    this(Settings.defaults());
  }

  PreemptionCluster(Settings settings) {
    engine = AdmissionEngine.builder()
        .clock(() -> now)
        .settings(settings)
        .listener(
            new EngineListener() {
              @Override
              public void preemptionsConflicted(ImmutableList<PreemptionConflict> found) {
                conflicts.add(found);
              }
            },
            failure -> {
              throw new InternalError("a listener of tests must not fail", failure);
            })
        .build();
    engine.apply(ResourceFlavor.of(FLAVOR), ResourceFlavor.of("spot"));
  }

  static PreemptionCluster with(FeatureGate gate, boolean enabled) {
    return new PreemptionCluster(
        Settings.builder().putFeatureGates(gate, enabled).build());
  }

  // ----- configuration

  static ClusterQueue.Builder queue(String name, String cohort, long gpus) {
    return queue(
        name, cohort, ResourceGroup.of(FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount(GPU, gpus))));
  }

  static ClusterQueue.Builder queue(String name, String cohort, ResourceGroup group) {
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(group);
  }

  static Preemption policies(PreemptionPolicy withinQueue, PreemptionPolicy reclaim) {
    return Preemption.of(withinQueue, reclaim);
  }

  @CanIgnoreReturnValue
  PreemptionCluster with(ClusterQueue.Builder... queues) {
    for (ClusterQueue.Builder builder : queues) {
      ClusterQueue queue = builder.build();
      engine.apply(queue, LocalQueue.of(NAMESPACE, queue.name(), queue.name()));
    }
    return this;
  }

  @CanIgnoreReturnValue
  PreemptionCluster with(ConfigObject... objects) {
    engine.apply(objects);
    return this;
  }

  // ----- workloads

  static WorkloadId id(String name) {
    return WorkloadId.of(NAMESPACE, name);
  }

  void passSeconds(long seconds) {
    now = now.plusSeconds(seconds);
  }

  Instant now() {
    return now;
  }

  /** {@return a job created now, a second after the previous one; without pods yet} */
  Workload.Builder jobWithoutPods(String name, String queue, int priority) {
    passSeconds(1);
    return Workload.builder()
        .namespace(NAMESPACE)
        .name(name)
        .queueName(queue)
        .priority(priority)
        .creationTime(now);
  }

  /** {@return a job of one pod} */
  Workload job(String name, String queue, long gpus, int priority) {
    return job(name, queue, priority, Map.of(GPU, gpus));
  }

  Workload job(String name, String queue, int priority, Map<String, Long> requests) {
    return jobWithoutPods(name, queue, priority)
        .addPodSets(PodSet.builder().putAllRequests(requests).build())
        .build();
  }

  /** Admits a job of one pod, which must fit. */
  @CanIgnoreReturnValue
  PreemptionCluster run(String name, String queue, long gpus, int priority) {
    return run(job(name, queue, gpus, priority));
  }

  @CanIgnoreReturnValue
  PreemptionCluster run(Workload workload) {
    assertThat(engine.tryAdmit(workload)).isInstanceOf(AdmissionResult.Admitted.class);
    return this;
  }

  @CanIgnoreReturnValue
  PreemptionCluster submit(String name, String queue, long gpus, int priority) {
    return submit(job(name, queue, gpus, priority));
  }

  @CanIgnoreReturnValue
  PreemptionCluster submit(Workload workload) {
    assertThat(engine.submit(workload)).isInstanceOf(AdmissionResult.Pending.class);
    submitted.put(workload.name(), workload);
    return this;
  }

  /** {@return the job as it was submitted} */
  Workload submitted(String name) {
    Workload workload = submitted.get(name);
    if (workload == null) {
      throw new IllegalArgumentException("job " + name + " was never submitted");
    }
    return workload;
  }

  /** Restores a job of one pod that was admitted at a given time. */
  void restore(Workload workload, Instant reserved) {
    PodSetAssignment.Builder assignment =
        PodSetAssignment.builder().name("main").count(1);
    workload
        .podSets()
        .get(0)
        .requests()
        .forEach((resource, amount) ->
            assignment.putFlavors(resource, FLAVOR).resourceUsageAmount(resource, amount));
    engine.restore(
        workload,
        Admission.builder()
            .workload(workload.id())
            .clusterQueue(workload.queueName())
            .quotaReservedTime(reserved)
            .addPodSetAssignments(assignment.build())
            .build());
  }

  void stop(String... names) {
    for (String name : names) {
      assertThat(Cluster.podsStopped(engine, id(name), decided -> unread = unread.and(decided)))
          .as("%s had been told to stop", name)
          .isTrue();
    }
  }

  // ----- what comes of it

  @CanIgnoreReturnValue
  Decisions cycle() {
    passSeconds(1);
    Decisions decided = unread.and(engine.runCycle());
    unread = Decisions.none();
    return decided;
  }

  static ImmutableList<String> admitted(Decisions result) {
    return result.admitted().stream()
        .map(admission -> admission.workload().name())
        .collect(toImmutableList());
  }

  /** {@return victims as {@code victim for preemptor: reason}} */
  static ImmutableList<String> preempted(Decisions result) {
    return describe(result.preempted());
  }

  static ImmutableList<String> describe(Iterable<PreemptionVictim> victims) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    victims.forEach(victim -> lines.add(
        victim.workload().name() + " for " + victim.preemptor().name() + ": " + victim.reason()));
    return lines.build();
  }

  PendingCause cause(String name) {
    return engine.explain(id(name)).cause().orElseThrow();
  }

  boolean holdsQuota(String name) {
    return engine.admission(id(name)).isPresent();
  }

  ClusterQueueView view(String queue) {
    return engine.view().clusterQueue(queue).orElseThrow();
  }

  /** {@return the GPUs of all flavors that the queue uses} */
  long used(String queue) {
    return view(queue).usage().stream()
        .filter(usage -> usage.resource().equals(GPU))
        .mapToLong(QuotaUsage::used)
        .sum();
  }

  /** {@return the names of the workloads that the next cycles try, in order} */
  ImmutableList<String> pending(String queue) {
    return view(queue).pending().stream().map(WorkloadId::name).collect(toImmutableList());
  }
}
