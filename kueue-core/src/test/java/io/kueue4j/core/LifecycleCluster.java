package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.kueue4j.core.Cluster.id;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadPhase;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** A {@link Cluster} with one queue {@code q}, and shortcuts for changes of workloads. */
final class LifecycleCluster {
  final Cluster cluster;
  final AdmissionEngine engine;
  final WorkloadLifecycle lifecycle;
  private Duration passed = Duration.ZERO;
  private Decisions unread = Decisions.none();

  LifecycleCluster(Settings settings, ClusterQueue.Builder queue) {
    cluster = new Cluster(settings);
    engine = cluster.engine;
    lifecycle = engine.lifecycle();
    cluster.withQueues(queue);
  }

  /** {@return a cluster with queue {@code q} of ten cores} */
  static LifecycleCluster plain(Settings settings) {
    return new LifecycleCluster(settings, Cluster.queue("q", 10));
  }

  /** {@return a cluster whose queue {@code q} of ten cores requires existing checks} */
  static LifecycleCluster checking(String... checks) {
    LifecycleCluster made = new LifecycleCluster(Settings.defaults(), checkedQueue(checks));
    for (String check : checks) {
      made.cluster.with(AdmissionCheck.of(check, "controller"));
    }
    return made;
  }

  static ClusterQueue.Builder checkedQueue(String... checks) {
    ClusterQueue.Builder queue = Cluster.queue("q", 10);
    for (String check : checks) {
      queue.addAllAdmissionChecks(
          ImmutableList.of(new AdmissionCheckRule(check, ImmutableList.of())));
    }
    return queue;
  }

  /** {@return the result of a cycle: {@code admitted [a], reserved [b]}} */
  @CanIgnoreReturnValue
  String cycle() {
    Decisions result = takeDecisions().and(engine.runCycle());
    return Cluster.list(
            "admitted " + names(result.admitted()),
            "reserved " + names(result.reserved()),
            "evicted " + evictions(result.evicted()),
            "suspended " + result.suspended())
        .stream()
        .filter(part -> !part.endsWith("[]"))
        .collect(Collectors.joining(", "));
  }

  static ImmutableList<String> names(ImmutableList<Admission> admissions) {
    return admissions.stream()
        .map(admission -> admission.workload().name())
        .collect(toImmutableList());
  }

  static ImmutableList<String> evictions(ImmutableList<Eviction> evictions) {
    return evictions.stream()
        .map(eviction -> eviction.workload().name() + " " + eviction.reason()
            + eviction.cause().map(cause -> "/" + cause).orElse(""))
        .collect(toImmutableList());
  }

  @CanIgnoreReturnValue
  Decisions check(String workload, String check, CheckState state) {
    return lifecycle.setCheck(id(workload), AdmissionCheckState.of(check, state));
  }

  @CanIgnoreReturnValue
  Decisions retry(String workload, String check, Duration after) {
    return lifecycle.setCheck(
        id(workload),
        AdmissionCheckState.builder()
            .name(check)
            .state(CheckState.RETRY)
            .requeueAfter(after)
            .build());
  }

  WorkloadStatus status(String workload) {
    return lifecycle.status(id(workload));
  }

  WorkloadPhase phase(String workload) {
    return status(workload).phase();
  }

  /** {@return a condition: {@code True Reason @seconds since the start}, or an empty text} */
  String condition(String workload, ConditionType type) {
    return status(workload).condition(type).map(LifecycleCluster::text).orElse("");
  }

  private static String text(WorkloadCondition condition) {
    return (condition.isTrue() ? "True " : "False ") + condition.reason() + " @"
        + Duration.between(Cluster.START, condition.lastTransitionTime()).toSeconds();
  }

  /** {@return the states of checks: {@code a Pending, b Ready}} */
  String checks(String workload) {
    return status(workload).admissionChecks().stream()
        .map(check -> check.name() + " " + check.state())
        .collect(Collectors.joining(", "));
  }

  void pass(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
    passed = passed.plusSeconds(seconds);
  }

  Instant now() {
    return Cluster.START.plus(passed);
  }

  /** {@return the decisions of {@link #tick}, and all that no call has returned yet} */
  @CanIgnoreReturnValue
  Decisions takeDecisions() {
    Decisions taken = unread.and(cluster.takeDecisions());
    unread = Decisions.none();
    return taken;
  }

  /** {@return the seconds until the engine must be called, empty for never} */
  @CanIgnoreReturnValue
  Optional<Long> tick() {
    unread = unread.and(engine.tick());
    return engine.nextTick().map(next -> Duration.between(now(), next).toSeconds());
  }

  @CanIgnoreReturnValue
  boolean stop(String workload) {
    return Cluster.podsStopped(engine, id(workload), decided -> unread = unread.and(decided));
  }

  void stopQueue(StopPolicy policy) {
    cluster.with(
        ClusterQueue.builder().from(cluster.view("q").spec()).stopPolicy(policy).build());
  }

  void stopLocalQueue(StopPolicy policy) {
    LocalQueue open = Cluster.localQueue("q");
    cluster.with(new LocalQueue(open.namespace(), "q", "q", policy, open.fairSharing()));
  }
}
