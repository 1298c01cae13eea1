package io.kueue4j.k8s.metrics;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.PreemptionConflict;
import io.kueue4j.core.decision.EngineListener.StatusChange;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Promise;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Writes the metrics of an engine with the names of Kueue's, which {@link KueueMetric} lists.
 *
 * <p>Counters and histograms are written when the engine notifies this listener of decisions;
 * gauges are written by {@link #refresh}, which also removes the series of queues and cohorts that
 * no longer exist.
 *
 * <pre>{@code
 * KueueMetrics metrics = KueueMetrics.builder(sink).build();
 * AdmissionEngine engine =
 *     AdmissionEngine.builder().listener(metrics, failure -> log(failure)).build();
 * Decisions result = metrics.attempt(engine::runCycle);
 * metrics.refresh(engine);   // before each scrape
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class KueueMetrics implements EngineListener {
  private final Series series;
  private final LongSupplier nanoTime;
  private final Optional<BuildInfo> buildInfo;
  private final Optional<Supplier<? extends Iterable<FinishedWorkload>>> finished;
  private final LifeMetrics lives;
  private final PromiseMetrics promises;

  /** By ClusterQueue, the number of workloads skipped in the last cycle that skipped any. */
  private final Map<String, Integer> preemptionSkips = new ConcurrentSkipListMap<>();

  private KueueMetrics(Builder builder) {
    series = new Series(builder.sink, builder.groups, builder.role, builder.labels);
    nanoTime = builder.nanoTime;
    buildInfo = builder.buildInfo;
    finished = builder.finished;
    lives = new LifeMetrics(series);
    promises = new PromiseMetrics(series);
  }

  /**
   * {@return a new builder}
   *
   * @param sink stores the series
   */
  public static Builder builder(Sink sink) {
    return new Builder(sink);
  }

  @Override
  public void decided(Decisions decisions) {
    promises.count(decisions);
  }

  @Override
  public void statusChanged(StatusChange change) {
    lives.count(change);
  }

  @Override
  public void departed(WorkloadRemoved departure) {
    lives.count(departure);
    promises.forget(departure);
  }

  @Override
  public void preemptionsConflicted(List<PreemptionConflict> conflicts) {
    Map<String, Integer> skips = new TreeMap<>();
    for (PreemptionConflict conflict : conflicts) {
      String queue = conflict.clusterQueue();
      if (conflict.isSkipped()) {
        skips.merge(queue, 1, Integer::sum);
      }
      conflict
          .recomputation()
          .ifPresent(result -> series.increment(
              KueueMetric.PREEMPTION_TARGET_RECOMPUTATIONS_TOTAL, queue, result.toString()));
    }
    preemptionSkips.putAll(skips);
  }

  /**
   * Runs a cycle and counts it as an attempt, unless there was nothing to try. A cycle that also
   * returns admissions decided before counts as a success.
   *
   * @param cycle runs the cycle, such as {@code engine::runCycle}
   * @return the result of the cycle
   */
  @CanIgnoreReturnValue
  public Decisions attempt(Supplier<Decisions> cycle) {
    long begin = nanoTime.getAsLong();
    Decisions result = cycle.get();
    Duration taken = Duration.ofNanos(nanoTime.getAsLong() - begin);
    boolean success = !result.admitted().isEmpty() || !result.reserved().isEmpty();
    if (success || !result.pending().isEmpty()) {
      String label = success ? "success" : "inadmissible";
      series.increment(KueueMetric.ADMISSION_ATTEMPTS_TOTAL, label);
      series.record(
          KueueMetric.ADMISSION_ATTEMPT_DURATION_SECONDS, LifeMetrics.seconds(taken), label);
    }
    return result;
  }

  /**
   * Counts a workload that was created for a job.
   *
   * @param jobKind the kind of the job, such as {@code Job}
   * @param latency the time from the creation of the job to the creation of the workload
   */
  public void workloadCreated(String jobKind, Duration latency) {
    series.record(
        KueueMetric.WORKLOAD_CREATION_LATENCY_SECONDS,
        Math.max(0, LifeMetrics.seconds(latency)),
        jobKind);
  }

  /**
   * Counts a scheduling gate that was removed from a pod.
   *
   * @param gate the name of the gate
   * @param clusterQueue the ClusterQueue that admitted the workload
   * @param isGroup whether the pod belongs to a group
   * @param latency the time from the admission to the removal of the gate
   */
  public void gateRemoved(String gate, String clusterQueue, boolean isGroup, Duration latency) {
    series.record(
        KueueMetric.POD_SCHEDULING_GATE_REMOVAL_SECONDS,
        Math.max(0, LifeMetrics.seconds(latency)),
        gate,
        clusterQueue,
        Boolean.toString(isGroup));
  }

  /**
   * Notes a start that was promised before a restart, so that the start of the workload counts as
   * kept or late. The engine has no event for that.
   *
   * @param promise what {@link io.kueue4j.core.WorkloadLifecycle#restore(Promise)} was called with
   */
  public void promiseRestored(Promise promise) {
    promises.restored(promise);
  }

  /**
   * Sets all gauges to the current state of the engine, and removes the series of objects that no
   * longer exist. Call it before series are read, but not from a listener of the engine.
   */
  public void refresh(AdmissionEngine engine) {
    // Series written after the view was taken may belong to objects that the view does not contain.
    long mark = series.mark();
    EngineView view = engine.view();
    Gauges gauges = new Gauges(series);
    buildInfo.ifPresent(info -> gauges.set(
        KueueMetric.BUILD_INFO,
        1,
        info.version(),
        info.commit(),
        info.buildDate(),
        info.javaVersion(),
        info.virtualMachine(),
        info.platform()));
    new ClusterQueueGauges(view, gauges).read();
    preemptionSkips.keySet().removeIf(queue -> view.clusterQueue(queue).isEmpty());
    preemptionSkips.forEach(
        (queue, count) -> gauges.set(KueueMetric.ADMISSION_CYCLE_PREEMPTION_SKIPS, count, queue));
    UnadmittedGauges.read(engine.lifecycle().unadmitted(), view, gauges);
    finished.ifPresent(known -> FinishedGauges.read(known.get(), view, gauges));
    if (series.has(KueueMetric.Group.LOCAL_QUEUE)) {
      new LocalQueueGauges(view, gauges).read();
    }
    new CohortGauges(view, gauges).read();
    PromiseMetrics.read(engine, view, gauges);
    series.refresh(gauges.values(), mark, gone(view));
  }

  private static Predicate<Series.Key> gone(EngineView view) {
    Set<String> queues = new HashSet<>();
    view.clusterQueues().forEach(queue -> queues.add(queue.name()));
    Set<String> cohorts = new HashSet<>();
    view.cohorts().forEach(cohort -> cohorts.add(cohort.name()));
    Set<LocalQueueKey> localQueues = new HashSet<>();
    view.localQueues()
        .forEach(queue -> localQueues.add(
            new LocalQueueKey(queue.spec().namespace(), queue.spec().name())));
    // Workloads without queue are counted under the empty name.
    queues.add("");
    return key -> isMissing(key.tags(), "cluster_queue", queues)
        || isMissing(key.tags(), "preempting_cluster_queue", queues)
        || isMissing(key.tags(), "cohort", cohorts)
        || isOfMissing(localQueues, key.tags());
  }

  private static boolean isOfMissing(Set<LocalQueueKey> localQueues, Map<String, String> tags) {
    String namespace = tags.get("namespace");
    return namespace != null
        && !localQueues.contains(new LocalQueueKey(namespace, tags.getOrDefault("name", "")));
  }

  private record LocalQueueKey(String namespace, String name) {}

  private static boolean isMissing(Map<String, String> tags, String label, Set<String> present) {
    String value = tags.get(label);
    return value != null && !present.contains(value);
  }

  /** Builds {@link KueueMetrics}; reusable, not thread-safe. */
  public static final class Builder {
    private final Sink sink;
    private Supplier<ReplicaRole> role = () -> ReplicaRole.STANDALONE;
    private ImmutableSet<KueueMetric.Group> groups =
        Sets.immutableEnumSet(Arrays.asList(KueueMetric.Group.values()));
    private LongSupplier nanoTime = System::nanoTime;
    private Optional<BuildInfo> buildInfo = Optional.empty();
    private Optional<Supplier<? extends Iterable<FinishedWorkload>>> finished = Optional.empty();
    private CustomLabels labels = CustomLabels.NONE;

    private Builder(Sink sink) {
      this.sink = sink;
    }

    /** Sets the supplier of the role of this replica; the default is standalone. */
    @CanIgnoreReturnValue
    public Builder role(Supplier<ReplicaRole> role) {
      this.role = role;
      return this;
    }

    /**
     * Sets the groups of metrics that are written; the default is all. Kueue writes the metrics of
     * LocalQueues and of resources of ClusterQueues only if it is configured to.
     */
    @CanIgnoreReturnValue
    public Builder groups(Iterable<KueueMetric.Group> groups) {
      this.groups = Sets.immutableEnumSet(groups);
      return this;
    }

    /** Sets the value of {@code kueue_build_info}; by default that metric is not written. */
    @CanIgnoreReturnValue
    public Builder buildInfo(BuildInfo info) {
      buildInfo = Optional.of(info);
      return this;
    }

    /**
     * Sets the supplier of finished workloads that still exist, for
     * {@code kueue_finished_workloads} and its counterpart for LocalQueues; by default these
     * metrics are not written, because an engine does not keep finished workloads. Called by each
     * {@link KueueMetrics#refresh}.
     */
    @CanIgnoreReturnValue
    public Builder finished(Supplier<? extends Iterable<FinishedWorkload>> finished) {
      this.finished = Optional.of(finished);
      return this;
    }

    /**
     * Sets custom labels of series; the default is none.
     *
     * @param metadata finds the metadata of objects
     * @throws IllegalArgumentException if two labels of the same series have the same name, or if a
     *     label for workloads does not list the values that it tracks
     */
    @CanIgnoreReturnValue
    public Builder customLabels(Iterable<CustomLabel> labels, CustomLabel.Metadata metadata) {
      this.labels = new CustomLabels(ImmutableList.copyOf(labels), metadata);
      return this;
    }

    /** Sets the clock that measures the duration of cycles; {@link System#nanoTime} unless set. */
    @CanIgnoreReturnValue
    public Builder nanoTime(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      return this;
    }

    /** {@return the metrics} */
    public KueueMetrics build() {
      return new KueueMetrics(this);
    }
  }

  /**
   * The running program, reported by the metric {@code kueue_build_info}.
   *
   * @param version the version of the program; label {@code git_version}
   * @param commit the commit that it was built from, empty if unknown; label {@code git_commit}
   * @param buildDate the time of the build, empty if unknown; label {@code build_date}
   * @param javaVersion the version of Java, such as {@code java17.0.12}; label {@code go_version}
   * @param virtualMachine the name of the virtual machine; label {@code compiler}
   * @param platform operating system and architecture, such as {@code linux/amd64}
   * @since 0.1.0
   */
  public record BuildInfo(
      String version,
      String commit,
      String buildDate,
      String javaVersion,
      String virtualMachine,
      String platform) {

    /**
     * {@return the build info of this process, without commit and date}
     *
     * @param version the version of the program
     */
    public static BuildInfo of(String version) {
      return new BuildInfo(
          version,
          "",
          "",
          "java" + System.getProperty("java.version", ""),
          System.getProperty("java.vm.name", ""),
          Ascii.toLowerCase(System.getProperty("os.name", "")) + "/"
              + System.getProperty("os.arch", ""));
    }

    /** {@return this info with a commit and a date of the build} */
    public BuildInfo withBuild(String builtCommit, String date) {
      return new BuildInfo(version, builtCommit, date, javaVersion, virtualMachine, platform);
    }
  }

  /**
   * A workload that has finished, so that the engine no longer contains it, and whose object still
   * exists.
   *
   * @param namespace its namespace
   * @param localQueue the LocalQueue that it names
   * @since 0.1.0
   */
  public record FinishedWorkload(String namespace, String localQueue) {}

  /** The role of one replica of a controller. */
  public enum ReplicaRole {
    /** It is the only replica. */
    STANDALONE,
    /** This replica decides. */
    LEADER,
    /** It waits to become the leader. */
    FOLLOWER;

    /** {@return the role as a label of Kueue's metrics} */
    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  /**
   * Stores the series of metrics: a registry of Micrometer or of Prometheus' client, or a map.
   *
   * <p>A series is a metric with one value for each of its {@linkplain KueueMetric#labels()
   * labels}; tags always contain all of them, in that order, followed by the
   * {@linkplain CustomLabel custom labels}, which are the same for all series of a metric. Calls
   * never overlap.
   */
  public interface Sink {
    /** Adds to a counter, which starts at 0. */
    void add(KueueMetric counter, Map<String, String> tags, double amount);

    /** Sets a gauge; the value may be infinite or NaN. */
    void set(KueueMetric gauge, Map<String, String> tags, double value);

    /** Adds an observation to a histogram with the {@linkplain KueueMetric#buckets() buckets}. */
    void record(KueueMetric histogram, Map<String, String> tags, double value);

    /** Removes a series of any type. A later write to it starts a new series. */
    void remove(KueueMetric metric, Map<String, String> tags);
  }
}
