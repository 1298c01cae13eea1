package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.VariantExplanation;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.MigrationMode;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@link Cluster} with queue {@code q} that has four cores of each of some flavors, the best
 * first, and lends them to queue {@code low}, which has no quota of its own.
 */
final class FlavorsCluster {
  static final ConcurrentAdmissionPolicy TRY_PREFERRED =
      ConcurrentAdmissionPolicy.of(MigrationMode.TRY_PREFERRED_FLAVORS);
  static final ConcurrentAdmissionPolicy RETAIN_FIRST =
      ConcurrentAdmissionPolicy.of(MigrationMode.RETAIN_FIRST_ADMISSION);
  static final Preemption RECLAIM =
      Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY);
  static final ImmutableList<String> FLAVORS = ImmutableList.of("reservation", "on-demand", "spot");

  final Cluster cluster;
  final AdmissionEngine engine;
  final WorkloadLifecycle lifecycle;
  private Duration passed = Duration.ZERO;
  private Decisions unread = Decisions.none();

  FlavorsCluster(Settings settings, ClusterQueue.Builder queue) {
    cluster = new Cluster(settings);
    engine = cluster.engine;
    lifecycle = engine.lifecycle();
    FLAVORS.forEach(flavor -> engine.apply(ResourceFlavor.of(flavor)));
    cluster.withQueues(queue, Cluster.openQueue("low").cohort("c").addResourceGroups(group(0)));
  }

  static FlavorsCluster of(ConcurrentAdmissionPolicy policy) {
    return new FlavorsCluster(settings().build(), queue(policy));
  }

  /** {@return a cluster whose queue can reclaim what it has lent} */
  static FlavorsCluster reclaiming(ConcurrentAdmissionPolicy policy) {
    return new FlavorsCluster(settings().build(), queue(policy).preemption(RECLAIM));
  }

  static Settings.Builder settings() {
    return Settings.builder().putFeatureGates(FeatureGate.CONCURRENT_ADMISSION, true);
  }

  static ClusterQueue.Builder queue(ConcurrentAdmissionPolicy policy) {
    return queue(policy, FLAVORS);
  }

  static ClusterQueue.Builder queue(ConcurrentAdmissionPolicy policy, List<String> flavors) {
    return Cluster.openQueue("q")
        .cohort("c")
        .concurrentAdmissionPolicy(policy)
        .addResourceGroups(group(4, flavors));
  }

  private static ResourceGroup group(int cores) {
    return group(cores, FLAVORS);
  }

  static ResourceGroup group(int cores, List<String> flavors) {
    return ResourceGroup.of(flavors.stream()
        .map(flavor -> FlavorQuotas.of(flavor, ResourceQuota.ofAmount("cpu", cores * 1000L)))
        .toArray(FlavorQuotas[]::new));
  }

  /** Lets others borrow all cores of flavors, one workload for each, named like the flavor. */
  @CanIgnoreReturnValue
  FlavorsCluster fill(String... flavors) {
    for (String flavor : flavors) {
      Workload workload = cluster.job(flavor, "low", 4);
      engine.restore(workload, admission(flavor, "low", flavor));
    }
    return this;
  }

  static Admission admission(String name, String queue, String flavor) {
    return Admission.builder()
        .workload(Cluster.id(name))
        .clusterQueue(queue)
        .quotaReservedTime(Cluster.START)
        .addPodSetAssignments(PodSetAssignment.builder()
            .name("main")
            .count(1)
            .putFlavors("cpu", flavor)
            .resourceUsageAmount("cpu", 4000L)
            .build())
        .build();
  }

  @CanIgnoreReturnValue
  FlavorsCluster submit(String name) {
    cluster.submit(name, "q", 4);
    return this;
  }

  /** Finishes the workloads that fill flavors. */
  void free(String... flavors) {
    Arrays.stream(flavors).forEach(flavor -> engine.finish(Cluster.id(flavor)));
  }

  void pass(long seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
    passed = passed.plusSeconds(seconds);
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
    return engine
        .nextTick()
        .map(next -> Duration.between(Cluster.START.plus(passed), next).toSeconds());
  }

  /** {@return the results of that many cycles} */
  @CanIgnoreReturnValue
  ImmutableList<String> cycles(int count) {
    return Stream.generate(this::cycle).limit(count).collect(toImmutableList());
  }

  /** {@return the result of a cycle: {@code admitted [a on spot], pending [b NO_FIT]}} */
  @CanIgnoreReturnValue
  String cycle() {
    Decisions result = takeDecisions().and(engine.runCycle());
    return Cluster.list(
            "admitted " + describe(result.admitted()),
            "reserved " + describe(result.reserved()),
            "preempted "
                + result.preempted().stream()
                    .map(victim ->
                        victim.workload().name() + " for " + victim.preemptor().name())
                    .toList(),
            "evicted " + LifecycleCluster.evictions(result.evicted()),
            "suspended " + result.suspended(),
            "pending "
                + result.pending().stream()
                    .map(pending -> pending.workload().name() + " " + pending.cause())
                    .toList())
        .stream()
        .filter(part -> !part.endsWith("[]"))
        .collect(Collectors.joining(", "));
  }

  static List<String> describe(List<Admission> admissions) {
    return admissions.stream()
        .map(admission -> admission.workload().name() + " on " + flavor(admission))
        .toList();
  }

  static String flavor(Admission admission) {
    return admission.podSetAssignments().get(0).flavors().getOrDefault("cpu", "none");
  }

  /** {@return the flavor of a workload with quota} */
  String flavor(String name) {
    return engine.admission(Cluster.id(name)).map(FlavorsCluster::flavor).orElse("none");
  }

  /** {@return the flavors that a workload tries, with {@code !} if it may preempt there} */
  String tried(String name) {
    return engine.explain(Cluster.id(name)).variants().stream()
        .filter(VariantExplanation::isTried)
        .map(variant -> variant.flavor() + (variant.mayPreempt() ? "!" : ""))
        .collect(Collectors.joining(" "));
  }

  /** {@return the cores that q uses of each flavor, without zeros} */
  String used() {
    return cluster.view("q").usage().stream()
        .filter(usage -> usage.used() > 0)
        .map(usage -> usage.flavor() + " " + usage.used() / 1000)
        .collect(Collectors.joining(" "));
  }

  @CanIgnoreReturnValue
  boolean stop(String name) {
    return Cluster.podsStopped(engine, Cluster.id(name), decided -> unread = unread.and(decided));
  }
}
