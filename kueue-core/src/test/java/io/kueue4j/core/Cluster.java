package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * An engine with a clock that stands still, and shortcuts for frequent calls of tests.
 *
 * <p>Every ClusterQueue has a LocalQueue of the same name in namespace {@code ns}; jobs are created
 * one second after another.
 */
final class Cluster {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String NAMESPACE = "ns";
  static final String FLAVOR = "default";

  final AdmissionEngine engine;
  private Instant now = START;
  private int jobs;
  private Decisions unread = Decisions.none();

  Cluster() {
    this(Settings.defaults());
  }

  Cluster(Settings settings) {
    engine = AdmissionEngine.builder().clock(() -> now).settings(settings).build();
    engine.apply(ResourceFlavor.of(FLAVOR));
  }

  static Cluster with(FeatureGate gate, boolean enabled) {
    return new Cluster(Settings.builder().putFeatureGates(gate, enabled).build());
  }

  // ----- configuration

  /** {@return a queue open to all namespaces with {@code cpu} cores of the default flavor} */
  static ClusterQueue.Builder queue(String name, int cpu) {
    return openQueue(name).addResourceGroups(cpuGroup(cpu));
  }

  /** {@return a queue open to all namespaces without resource groups} */
  static ClusterQueue.Builder openQueue(String name) {
    return ClusterQueue.builder().name(name).namespaceSelector(LabelSelector.everything());
  }

  static ResourceGroup cpuGroup(int cpu) {
    return ResourceGroup.of(FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount("cpu", cpu * 1000L)));
  }

  static LocalQueue localQueue(String clusterQueue) {
    return LocalQueue.of(NAMESPACE, clusterQueue, clusterQueue);
  }

  static LocalQueue stoppedLocalQueue(String clusterQueue) {
    LocalQueue open = localQueue(clusterQueue);
    return new LocalQueue(
        NAMESPACE, clusterQueue, clusterQueue, StopPolicy.HOLD, open.fairSharing());
  }

  static Cohort cohort(String name, String parent) {
    return Cohort.builder().name(name).parent(parent).build();
  }

  /** Applies queues, each with its LocalQueue. */
  @CanIgnoreReturnValue
  Cluster withQueues(ClusterQueue.Builder... queues) {
    for (ClusterQueue.Builder builder : queues) {
      ClusterQueue queue = builder.build();
      unread = unread.and(engine.apply(queue, localQueue(queue.name())));
    }
    return this;
  }

  @CanIgnoreReturnValue
  Cluster with(ConfigObject... objects) {
    unread = unread.and(engine.apply(objects));
    return this;
  }

  /** {@return what changes of the configuration have decided, and all that no call has returned} */
  @CanIgnoreReturnValue
  Decisions takeDecisions() {
    Decisions taken = unread.and(engine.takeDecisions());
    unread = Decisions.none();
    return taken;
  }

  /** Removes an object. {@return whether the engine showed one before; it shows none afterwards} */
  static boolean remove(AdmissionEngine engine, Class<? extends ConfigObject> kind, String name) {
    boolean known = engine.view().configuration(kind, name).isPresent();
    engine.remove(kind, name);
    assertThat(engine.view().configuration(kind, name).isPresent()).isFalse();
    return known;
  }

  // ----- workloads

  /** Reports the pods of a workload as stopped. {@return whether the engine waited for that} */
  static boolean podsStopped(AdmissionEngine engine, WorkloadId id) {
    return podsStopped(engine, id, decisions -> {});
  }

  /**
   * Reports the pods of a workload as stopped. {@return whether the engine waited for that}
   *
   * @param decided receives what the engine decides then
   */
  static boolean podsStopped(
      AdmissionEngine engine, WorkloadId id, Consumer<? super Decisions> decided) {
    boolean evicted = engine.isStopping(id);
    decided.accept(engine.podsStopped(id));
    assertThat(engine.isStopping(id)).isFalse();
    return evicted;
  }

  /** {@return a job of one pod for the queue, created after all jobs before} */
  Workload job(String name, String queue, int cpu) {
    return job(name, queue, cpu, workload -> workload);
  }

  Workload job(String name, String queue, int cpu, UnaryOperator<Workload.Builder> change) {
    PodSet pods = PodSet.builder().requestAmount("cpu", cpu * 1000L).build();
    return jobOf(name, queue, workload -> change.apply(workload.addPodSets(pods)));
  }

  Workload jobOf(String name, String queue, UnaryOperator<Workload.Builder> change) {
    jobs++;
    Workload.Builder workload = Workload.builder()
        .namespace(NAMESPACE)
        .name(name)
        .queueName(queue)
        .creationTime(START.plusSeconds(jobs));
    return change.apply(workload).build();
  }

  @CanIgnoreReturnValue
  Workload submit(String name, String queue, int cpu) {
    return submit(job(name, queue, cpu));
  }

  @CanIgnoreReturnValue
  Workload submit(Workload workload) {
    assertThat(engine.submit(workload)).isInstanceOf(AdmissionResult.Pending.class);
    return workload;
  }

  /** Admits a job that must fit. */
  @CanIgnoreReturnValue
  Workload run(String name, String queue, int cpu) {
    return run(job(name, queue, cpu));
  }

  @CanIgnoreReturnValue
  Workload run(Workload workload) {
    AdmissionResult result = engine.tryAdmit(workload);
    assertThat(result).isInstanceOf(AdmissionResult.Admitted.class);
    return workload;
  }

  /** {@return a copy of {@code workload}, changed} */
  static Workload changed(Workload workload, UnaryOperator<Workload.Builder> change) {
    return change.apply(Workload.builder().from(workload)).build();
  }

  static WorkloadId id(String name) {
    return WorkloadId.of(NAMESPACE, name);
  }

  /** {@return the admission of a one-pod job with {@code cpu} cores of the default flavor} */
  static Admission admission(String name, String queue, int cpu) {
    return Admission.builder()
        .workload(id(name))
        .clusterQueue(queue)
        .quotaReservedTime(START)
        .addPodSetAssignments(PodSetAssignment.builder()
            .name("main")
            .count(1)
            .putFlavors("cpu", FLAVOR)
            .resourceUsageAmount("cpu", cpu * 1000L)
            .build())
        .build();
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  // ----- what came of it

  /** {@return the names of the workloads that one cycle admits} */
  @CanIgnoreReturnValue
  ImmutableList<String> cycle() {
    return engine.runCycle().admitted().stream()
        .map(admission -> admission.workload().name())
        .collect(ImmutableList.toImmutableList());
  }

  /** Runs cycles until none admits anything. {@return the names admitted} */
  @CanIgnoreReturnValue
  ImmutableList<String> settle() {
    ImmutableList.Builder<String> admitted = ImmutableList.builder();
    for (int i = 0; i < 100; i++) {
      Decisions result = engine.runCycle();
      result.admitted().forEach(admission -> admitted.add(admission.workload().name()));
      if (result.isEmpty() || (result.admitted().isEmpty() && i > 20)) {
        break;
      }
    }
    return admitted.build();
  }

  boolean isAdmitted(String name) {
    return engine.admission(id(name)).isPresent();
  }

  ImmutableList<ReasonCode> reasonCodes(String name) {
    return codes(engine.explain(id(name)).reasons());
  }

  static ImmutableList<ReasonCode> codes(Iterable<Reason> reasons) {
    ImmutableList.Builder<ReasonCode> codes = ImmutableList.builder();
    reasons.forEach(reason -> codes.add(reason.code()));
    return codes.build();
  }

  ClusterQueueView view(String queue) {
    return engine.view().clusterQueue(queue).orElseThrow();
  }

  /** {@return the cores of the default flavor that the queue uses} */
  long used(String queue) {
    return view(queue).usage().get(0).used() / 1000;
  }

  /** {@return the cores of the default flavor that the queue could still take} */
  long available(String queue) {
    return view(queue).usage().get(0).available() / 1000;
  }

  /** {@return the names of the workloads that the next cycles try, in order} */
  ImmutableList<String> pending(String queue) {
    return names(view(queue).pending());
  }

  /** {@return the names of the inadmissible workloads} */
  ImmutableList<String> inadmissible(String queue) {
    return names(view(queue).inadmissible());
  }

  private static ImmutableList<String> names(ImmutableList<WorkloadId> ids) {
    return ids.stream().map(WorkloadId::name).collect(ImmutableList.toImmutableList());
  }

  static ImmutableList<String> list(String... names) {
    return Arrays.stream(names).collect(ImmutableList.toImmutableList());
  }

  /** Lets an engine perform due actions; {@return when to call it next} */
  static Optional<Instant> tick(AdmissionEngine engine) {
    engine.tick();
    return engine.nextTick();
  }
}
