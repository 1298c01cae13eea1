package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.kueue4j.core.PreemptionCluster.FLAVOR;
import static io.kueue4j.core.PreemptionCluster.GPU;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * A cluster with random queues, cohorts, policies and settings in which workloads preempt each
 * other, and which workloads were evicted.
 *
 * <p>The harness ({@code testkit}) checks invariants; this is for properties that it cannot check.
 */
final class PreemptionScenario {
  private static final ImmutableList<String> FLAVORS = ImmutableList.of(FLAVOR, "spot");
  private static final List<String> COHORTS = List.of("r", "r", "left", "right");
  private static final String ROOT = "r";
  private static final List<PreemptionPolicy> WITHIN = List.of(
      PreemptionPolicy.NEVER,
      PreemptionPolicy.LOWER_PRIORITY,
      PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  private static final List<PreemptionPolicy> RECLAIM =
      List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY);

  final PreemptionCluster cluster;
  final Set<WorkloadId> isStopping = new LinkedHashSet<>();
  private final Random random;
  private final List<String> queues = new ArrayList<>();
  private final Map<WorkloadId, Workload> jobs = new LinkedHashMap<>();

  /**
   * Creates a cluster without workloads.
   *
   * @param seed determines all random choices
   * @param fairSharing whether fair sharing is on
   */
  PreemptionScenario(long seed, boolean fairSharing) {
    random = new Random(seed);
    cluster = new PreemptionCluster(settings(fairSharing));
    addCohort("left");
    addCohort("right");
    int size = 2 + random.nextInt(4);
    boolean flat = random.nextBoolean();
    for (int i = 0; i < size; i++) {
      addQueue("q" + i, flat ? ROOT : pick(COHORTS));
    }
  }

  private Settings settings(boolean fairSharing) {
    Settings.Builder settings = Settings.builder();
    if (fairSharing) {
      settings.fairSharing(pick(List.of(
          ImmutableList.of(),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE))));
    }
    for (FeatureGate gate : List.of(
        FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP,
        FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL,
        FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)) {
      if (random.nextInt(4) == 0) {
        settings.putFeatureGates(gate, !gate.isEnabledByDefault());
      }
    }
    if (random.nextInt(4) == 0) {
      settings.putFeatureGates(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true);
    }
    return settings.build();
  }

  private void addCohort(String name) {
    Map<String, ResourceQuota> quotas = quotas();
    cluster.with(Cohort.builder()
        .name(name)
        .parent(ROOT)
        .addResourceGroups(group(quotas))
        .fairSharing(weight())
        .build());
  }

  private void addQueue(String name, String cohort) {
    Map<String, ResourceQuota> quotas = quotas();
    queues.add(name);
    cluster.with(PreemptionCluster.queue(name, cohort, group(quotas))
        .fairSharing(weight())
        .queueingStrategy(pick(List.of(QueueingStrategy.values())))
        .preemption(policies()));
  }

  private Preemption policies() {
    PreemptionPolicy within = pick(WITHIN);
    PreemptionPolicy reclaim = pick(RECLAIM);
    boolean whileBorrowing = reclaim != PreemptionPolicy.NEVER && random.nextBoolean();
    return whileBorrowing
        ? new Preemption(
            within,
            reclaim,
            PreemptionPolicy.LOWER_PRIORITY,
            random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(3)))
        : Preemption.of(within, reclaim);
  }

  private FairSharing weight() {
    return new FairSharing(pick(List.of(1.0, 1.0, 2.0, 0.5, 0.0)));
  }

  private Map<String, ResourceQuota> quotas() {
    Map<String, ResourceQuota> quotas = new LinkedHashMap<>();
    for (String flavor : FLAVORS) {
      long nominal = random.nextInt(6);
      quotas.put(flavor, new ResourceQuota(GPU, nominal, limit(3), limit(1 + (int) nominal)));
    }
    return quotas;
  }

  private OptionalLong limit(int bound) {
    return random.nextInt(5) == 0 ? OptionalLong.of(random.nextInt(bound)) : OptionalLong.empty();
  }

  private static ResourceGroup group(Map<String, ResourceQuota> quotas) {
    return ResourceGroup.of(quotas.entrySet().stream()
        .map(quota -> FlavorQuotas.of(quota.getKey(), quota.getValue()))
        .toArray(FlavorQuotas[]::new));
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  // ----- steps

  ImmutableList<String> queues() {
    return ImmutableList.copyOf(queues);
  }

  boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  void submitJob() {
    Workload job =
        cluster.job("w" + jobs.size(), pick(queues), random.nextInt(6), random.nextInt(4));
    jobs.put(job.id(), job);
    cluster.engine.submit(job);
  }

  @CanIgnoreReturnValue
  Decisions cycle() {
    Decisions result = cluster.cycle();
    result.preempted().forEach(victim -> isStopping.add(victim.workload()));
    return result;
  }

  void stopOne() {
    if (!isStopping.isEmpty()) {
      stop(pick(ImmutableList.copyOf(isStopping)));
    }
  }

  void stopAll() {
    ImmutableList.copyOf(isStopping).forEach(this::stop);
  }

  private void stop(WorkloadId id) {
    cluster.stop(id.name());
    isStopping.remove(id);
  }

  void finishOne() {
    ImmutableList<WorkloadId> running =
        queues.stream().flatMap(queue -> running(queue).stream()).collect(toImmutableList());
    if (!running.isEmpty()) {
      WorkloadId id = pick(running);
      cluster.engine.finish(id);
      isStopping.remove(id);
    }
  }

  Workload job(WorkloadId id) {
    Workload job = jobs.get(id);
    if (job == null) {
      throw new IllegalArgumentException("there is no job " + id);
    }
    return job;
  }

  private ImmutableList<WorkloadId> running(String queue) {
    return cluster.view(queue).admitted().stream()
        .map(Admission::workload)
        .collect(toImmutableList());
  }
}
