package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.ClusterQueueView.QuotaUsage;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * An engine for tests that use its public API, with a clock that the test advances, and shortcuts
 * for frequent calls.
 *
 * <p>Jobs request whole cores of the resource {@code cpu}, in the flavor {@code default} unless the
 * test configures others. Every ClusterQueue has a LocalQueue of the same name in namespace
 * {@code ns}. The clock stands still until the test advances it, and each job is created one second
 * after the previous one; {@linkplain #ticking with a ticking clock} a second passes with each job
 * and each cycle.
 *
 * <p>Other classes create what a cluster takes: {@link Queues} configuration, {@link Admissions}
 * recorded admissions, {@link ElasticJobs} elastic jobs, {@link ConcurrentFlavors} queues that try
 * several flavors concurrently, {@link Hosts} nodes and pods to place on them, and
 * {@link TpuSlices} pools of TPUs and jobs that request slices of them. {@link DecisionText}
 * describes the decisions of the engine, {@link SubmittedWorkload} the state of one workload.
 */
final class Cluster {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String NAMESPACE = "ns";
  static final String FLAVOR = "default";

  final AdmissionEngine engine;
  final WorkloadLifecycle lifecycle;
  private final Map<String, Workload> jobs = new HashMap<>();
  private Instant now = START;
  private Instant created = START;
  private boolean isTicking;
  private Decisions unread = Decisions.none();

  Cluster() {
    this(Settings.defaults());
  }

  Cluster(Settings settings) {
    this(AdmissionEngine.builder().settings(settings));
  }

  Cluster(Settings settings, EngineListener listener) {
    this(AdmissionEngine.builder().settings(settings).listener(listener, failure -> {
      throw new InternalError("the listener of a test failed", failure);
    }));
  }

  private Cluster(AdmissionEngineBuilder builder) {
    engine = builder.clock(() -> now).build();
    lifecycle = engine.lifecycle();
    engine.apply(ResourceFlavor.of(FLAVOR));
  }

  static Cluster with(FeatureGate gate, boolean enabled) {
    return new Cluster(Settings.builder().putFeatureGates(gate, enabled).build());
  }

  /** Lets a second pass with each job that is created and with each cycle. */
  Cluster ticking() {
    isTicking = true;
    return this;
  }

  // ----- configuration

  /** Applies queues, each with its LocalQueue. */
  @CanIgnoreReturnValue
  Cluster with(ClusterQueue.Builder... queues) {
    for (ClusterQueue.Builder builder : queues) {
      ClusterQueue queue = builder.build();
      with(queue, Queues.localQueue(queue.name()));
    }
    return this;
  }

  @CanIgnoreReturnValue
  Cluster with(ConfigObject... objects) {
    collect(engine.apply(objects));
    return this;
  }

  /** Changes the stop policy of a queue. */
  void stopQueue(String queue, StopPolicy policy) {
    with(ClusterQueue.builder().from(view(queue).spec()).stopPolicy(policy).build());
  }

  // ----- time

  Instant now() {
    return now;
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  void advanceSeconds(long seconds) {
    advance(Duration.ofSeconds(seconds));
  }

  private void passTick() {
    if (isTicking) {
      advanceSeconds(1);
    }
  }

  /**
   * Performs due actions.
   *
   * @return the seconds until the next are due, empty for never
   */
  @CanIgnoreReturnValue
  Optional<Long> tick() {
    collect(engine.tick());
    return engine.nextTick().map(next -> Duration.between(now, next).toSeconds());
  }

  // ----- workloads

  static WorkloadId id(String name) {
    return WorkloadId.of(NAMESPACE, name);
  }

  /** {@return a job of one pod} */
  Workload job(String name, String queue, int cores) {
    return job(name, queue, cores, 0);
  }

  Workload job(String name, String queue, int cores, int priority) {
    return job(name, queue, cores, workload -> workload.priority(priority));
  }

  Workload job(String name, String queue, int cores, UnaryOperator<Workload.Builder> change) {
    PodSet pods = PodSet.builder().request("cpu", String.valueOf(cores)).build();
    return jobOf(name, queue, workload -> change.apply(workload.addPodSets(pods)));
  }

  /** {@return a job of one pod with several requests, in units of the resource amounts} */
  Workload job(String name, String queue, int priority, Map<String, Long> requests) {
    return jobOf(
        name,
        queue,
        workload -> workload
            .priority(priority)
            .addPodSets(PodSet.builder().putAllRequests(requests).build()));
  }

  /** {@return a job with the pods and the other values that {@code change} sets} */
  Workload jobOf(String name, String queue, UnaryOperator<Workload.Builder> change) {
    return change.apply(jobWithoutPods(name, queue)).build();
  }

  Workload.Builder jobWithoutPods(String name, String queue) {
    passTick();
    created = isTicking ? now : created.plusSeconds(1);
    return Workload.builder()
        .namespace(NAMESPACE)
        .name(name)
        .queueName(queue)
        .creationTime(created);
  }

  /** {@return a copy of {@code workload}, changed} */
  static Workload changed(Workload workload, UnaryOperator<Workload.Builder> change) {
    return change.apply(Workload.builder().from(workload)).build();
  }

  @CanIgnoreReturnValue
  Cluster submit(String name, String queue, int cores) {
    return submit(job(name, queue, cores));
  }

  @CanIgnoreReturnValue
  Cluster submit(String name, String queue, int cores, int priority) {
    return submit(job(name, queue, cores, priority));
  }

  /** Submits a job, which must be pending then. */
  @CanIgnoreReturnValue
  Cluster submit(Workload workload) {
    Decisions decided = engine.submit(workload);
    assertThat(decided.result()).isInstanceOf(AdmissionResult.Pending.class);
    collect(decided);
    jobs.put(workload.name(), workload);
    return this;
  }

  /** Reports how many pods of one pod set of a job have ended. */
  @CanIgnoreReturnValue
  Decisions reclaim(String name, String podSet, int count) {
    return engine.lifecycle().setReclaimablePods(id(name), ImmutableSortedMap.of(podSet, count));
  }

  /** Restores a job that waits for the end of a backoff. */
  @CanIgnoreReturnValue
  Cluster backOff(Workload workload, Instant end) {
    WorkloadStatus status = WorkloadStatus.builder().requeueAt(end).build();
    collect(engine.lifecycle().restore(workload, Optional.empty(), status));
    jobs.put(workload.name(), workload);
    return this;
  }

  @CanIgnoreReturnValue
  Cluster run(String name, String queue, int cores) {
    return run(job(name, queue, cores));
  }

  @CanIgnoreReturnValue
  Cluster run(String name, String queue, int cores, int priority) {
    return run(job(name, queue, cores, priority));
  }

  /** Admits a job at once, which must fit. */
  @CanIgnoreReturnValue
  Cluster run(Workload workload) {
    assertThat(engine.tryAdmit(workload).result()).isInstanceOf(AdmissionResult.Admitted.class);
    jobs.put(workload.name(), workload);
    return this;
  }

  /** {@return why a job, which must not fit, cannot be admitted at once} */
  @CanIgnoreReturnValue
  AdmissionResult.Pending refuse(Workload workload) {
    AdmissionResult result = engine.tryAdmit(workload).result();
    assertThat(result).isInstanceOf(AdmissionResult.Pending.class);
    return (AdmissionResult.Pending) result;
  }

  /**
   * Admits a job at once if it fits.
   *
   * @return its hosts, or why it has none
   */
  @CanIgnoreReturnValue
  String admit(Workload workload) {
    return DecisionText.placeOrReasons(engine.tryAdmit(workload).result());
  }

  /** {@return the job as it was submitted or run} */
  Workload job(String name) {
    Workload job = jobs.get(name);
    if (job == null) {
      throw new IllegalArgumentException("job " + name + " was neither submitted nor run");
    }
    return job;
  }

  /** Restores a job of one pod that reserved its quota of the default flavor at a given time. */
  @CanIgnoreReturnValue
  Cluster restore(Workload workload, Instant reserved) {
    Map<String, Long> requests = workload.podSets().get(0).requests();
    engine
        .lifecycle()
        .restore(
            workload,
            Admissions.admission(
                workload.name(), workload.queueName(), FLAVOR, requests, reserved));
    return this;
  }

  /** Restores for each flavor a job named like it that holds cores of it since the start. */
  @CanIgnoreReturnValue
  Cluster fill(String queue, int cores, String... flavors) {
    for (String flavor : flavors) {
      engine
          .lifecycle()
          .restore(job(flavor, queue, cores), Admissions.admission(flavor, queue, flavor, cores));
    }
    return this;
  }

  void finish(String... names) {
    for (String name : names) {
      assertThat(engine.finish(id(name)).removed()).as("%s was known", name).isNotEmpty();
    }
  }

  /** Reports the pods of workloads as stopped, for which the engine must be waiting. */
  void stop(String... names) {
    for (String name : names) {
      assertThat(podsStopped(name)).as("%s was to be stopped", name).isTrue();
    }
  }

  /**
   * Reports the pods of a workload as stopped.
   *
   * @return whether the engine waited for that
   */
  @CanIgnoreReturnValue
  boolean podsStopped(String name) {
    return EngineCalls.podsStopped(engine, id(name), this::collect);
  }

  private void collect(Decisions decided) {
    unread = unread.and(decided);
  }

  SubmittedWorkload workload(String name) {
    return new SubmittedWorkload(engine, id(name));
  }

  // ----- decisions and queues

  /**
   * Runs a cycle.
   *
   * @return its decisions, after those that calls of this cluster have not returned
   */
  @CanIgnoreReturnValue
  Decisions cycle() {
    passTick();
    return takeDecisions().and(engine.runCycle());
  }

  /** {@return the summaries of the decisions of that many cycles} */
  @CanIgnoreReturnValue
  ImmutableList<String> cycles(int count) {
    return Stream.generate(() -> DecisionText.summary(cycle()))
        .limit(count)
        .collect(toImmutableList());
  }

  /** {@return the decisions that the calls of this cluster made and did not return} */
  @CanIgnoreReturnValue
  Decisions takeDecisions() {
    Decisions taken = unread;
    unread = Decisions.none();
    return taken;
  }

  /**
   * Runs cycles until none admits anything.
   *
   * @return the names admitted
   */
  @CanIgnoreReturnValue
  ImmutableList<String> settle() {
    ImmutableList.Builder<String> admitted = ImmutableList.builder();
    for (int i = 0; i < 100; i++) {
      Decisions result = cycle();
      admitted.addAll(DecisionText.admitted(result));
      if (result.isEmpty() || (result.admitted().isEmpty() && i > 20)) {
        break;
      }
    }
    return admitted.build();
  }

  ClusterQueueView view(String queue) {
    return engine.view().clusterQueue(queue).orElseThrow();
  }

  /** {@return the cores of all flavors that the queue uses} */
  long used(String queue) {
    return cores(queue, QuotaUsage::used);
  }

  /** {@return the cores of each flavor that the queue uses, without zeros: {@code spot 4}} */
  String usedByFlavor(String queue) {
    return view(queue).usage().stream()
        .filter(usage -> usage.used() > 0)
        .map(usage -> usage.flavor() + " " + usage.used() / 1000)
        .collect(joining(" "));
  }

  /** {@return the cores of all flavors that the queue could still take} */
  long available(String queue) {
    return cores(queue, QuotaUsage::available);
  }

  private long cores(String queue, ToLongFunction<QuotaUsage> amount) {
    return view(queue).usage().stream()
            .filter(usage -> usage.resource().equals("cpu"))
            .mapToLong(amount)
            .sum()
        / 1000;
  }

  /** {@return the names of the workloads that the next cycles try, in order} */
  List<String> pending(String queue) {
    return names(view(queue).pending());
  }

  /** {@return the names of the inadmissible workloads} */
  List<String> inadmissible(String queue) {
    return names(view(queue).inadmissible());
  }

  private static List<String> names(List<WorkloadId> ids) {
    return ids.stream().map(WorkloadId::name).collect(toImmutableList());
  }
}
