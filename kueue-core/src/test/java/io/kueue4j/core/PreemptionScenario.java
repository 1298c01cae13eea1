package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.kueue4j.core.Cluster.FLAVOR;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Scenario;
import io.kueue4j.core.testkit.Step;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitrary;

/**
 * A cluster with random queues, cohorts, policies and settings in which workloads preempt each
 * other, and which workloads were evicted.
 *
 * <p>The harness ({@code testkit}) checks invariants; this is for properties that it cannot check.
 */
final class PreemptionScenario {
  private static final List<String> FLAVORS = ImmutableList.of(FLAVOR, "spot");
  private static final List<String> COHORTS = List.of("r", "r", "left", "right");
  private static final String ROOT = "r";
  private static final List<Preemption.Policy> WITHIN = List.of(
      Preemption.Policy.NEVER,
      Preemption.Policy.LOWER_PRIORITY,
      Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  private static final List<Preemption.Policy> RECLAIM =
      List.of(Preemption.Policy.NEVER, Preemption.Policy.LOWER_PRIORITY, Preemption.Policy.ANY);

  final Cluster cluster;
  final Set<WorkloadId> isStopping = new LinkedHashSet<>();
  private final List<String> queues;
  private final Map<WorkloadId, Workload> jobs = new LinkedHashMap<>();

  /**
   * The configuration of a scenario.
   *
   * @param settings the settings
   * @param cohorts the cohorts
   * @param queues the ClusterQueues
   */
  record Setup(Settings settings, List<Cohort> cohorts, List<ClusterQueue> queues) {
    @Override
    public String toString() {
      return new Scenario(
              settings,
              ImmutableList.of(new Step.Apply(ImmutableList.<ConfigObject>builder()
                  .addAll(cohorts)
                  .addAll(queues)
                  .build())))
          .toString();
    }
  }

  /** Creates a cluster without workloads. */
  PreemptionScenario(Setup setup) {
    cluster = new Cluster(setup.settings()).ticking().with(ResourceFlavor.of("spot"));
    setup.cohorts().forEach(cluster::with);
    setup.queues().forEach(queue -> cluster.with(ClusterQueue.builder().from(queue)));
    queues = setup.queues().stream().map(ClusterQueue::name).collect(toImmutableList());
  }

  /** {@return configurations, with fair sharing or without} */
  static Arbitrary<Setup> setups() {
    return Choices.arbitrary(choices -> {
      Settings settings = settings(choices, choices.nextBoolean());
      List<Cohort> cohorts = ImmutableList.of(cohort(choices, "left"), cohort(choices, "right"));
      boolean flat = choices.nextBoolean();
      int[] number = new int[1];
      return new Setup(
          settings,
          cohorts,
          choices.list(
              1,
              2 + choices.nextInt(4),
              each -> queue(each, "q" + number[0]++, flat ? ROOT : each.of(COHORTS))));
    });
  }

  private static Settings settings(Choices choices, boolean fairSharing) {
    Settings.Builder settings = Settings.builder();
    if (fairSharing) {
      settings.fairSharing(choices.of(List.of(
          ImmutableList.of(),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE))));
    }
    for (FeatureGate gate : List.of(
        FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP,
        FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL,
        FeatureGate.FLAVOR_FUNGIBILITY_PRESERVE_SCAN_PROGRESS)) {
      if (choices.nextInt(4) == 3) {
        settings.putFeatureGates(gate, !Settings.defaults().isEnabled(gate));
      }
    }
    if (choices.nextInt(4) == 3) {
      settings.putFeatureGates(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true);
    }
    return settings.build();
  }

  private static Cohort cohort(Choices choices, String name) {
    return Cohort.builder()
        .name(name)
        .parent(ROOT)
        .addResourceGroups(group(quotas(choices)))
        .fairSharingWeight(weight(choices))
        .build();
  }

  private static ClusterQueue queue(Choices choices, String name, String cohort) {
    return Queues.queue(name, cohort, group(quotas(choices)))
        .fairSharingWeight(weight(choices))
        .queueingStrategy(choices.of(QueueingStrategy.values()))
        .preemption(policies(choices))
        .build();
  }

  private static Preemption policies(Choices choices) {
    Preemption.Policy within = choices.of(WITHIN);
    Preemption.Policy reclaim = choices.of(RECLAIM);
    boolean whileBorrowing = reclaim != Preemption.Policy.NEVER && choices.nextBoolean();
    return whileBorrowing
        ? Preemption.builder()
            .withinClusterQueue(within)
            .reclaimWithinCohort(reclaim)
            .borrowWithinCohort(Preemption.Policy.LOWER_PRIORITY)
            .maxPriorityThreshold(
                choices.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(choices.nextInt(3)))
            .build()
        : Preemption.builder()
            .withinClusterQueue(within)
            .reclaimWithinCohort(reclaim)
            .build();
  }

  private static double weight(Choices choices) {
    return choices.of(List.of(1.0, 1.0, 2.0, 0.5, 0.0));
  }

  private static Map<String, ResourceQuota> quotas(Choices choices) {
    Map<String, ResourceQuota> quotas = new LinkedHashMap<>();
    for (String flavor : FLAVORS) {
      int nominal = choices.nextInt(6);
      quotas.put(
          flavor,
          new ResourceQuota(
              "cpu", 1000L * nominal, limit(choices, 3), limit(choices, 1 + nominal)));
    }
    return quotas;
  }

  private static OptionalLong limit(Choices choices, int bound) {
    return choices.nextInt(5) == 4
        ? OptionalLong.of(1000L * choices.nextInt(bound))
        : OptionalLong.empty();
  }

  private static ResourceGroup group(Map<String, ResourceQuota> quotas) {
    return ResourceGroup.of(quotas.entrySet().stream()
        .map(quota -> FlavorQuotas.of(quota.getKey(), quota.getValue()))
        .toArray(FlavorQuotas[]::new));
  }

  // ----- steps

  List<String> queues() {
    return queues;
  }

  /** {@return the submission of a random job} */
  static Operation<PreemptionScenario> submission(Choices choices) {
    int queue = choices.nextInt(60);
    int cores = choices.nextInt(6);
    int priority = choices.nextInt(4);
    return Operation.run(
        "submit a job for " + cores + " of priority " + priority + " to queue " + queue,
        scenario -> scenario.submitJob(queue, cores, priority));
  }

  /** {@return a cycle} */
  static Operation<PreemptionScenario> nextCycle() {
    return Operation.of("cycle", PreemptionScenario::cycle);
  }

  /** {@return that one of the evicted workloads stops} */
  static Operation<PreemptionScenario> stop(Choices choices) {
    int number = choices.nextInt(1 << 10);
    return Operation.run("pods of " + number + " stop", scenario -> scenario.stopOne(number));
  }

  /** {@return that one of the running workloads finishes} */
  static Operation<PreemptionScenario> finish(Choices choices) {
    int number = choices.nextInt(1 << 10);
    return Operation.run("finish " + number, scenario -> scenario.finishOne(number));
  }

  private void submitJob(int queue, int cores, int priority) {
    Workload job = cluster.job("w" + jobs.size(), around(queues, queue), cores, priority);
    jobs.put(job.id(), job);
    cluster.engine.submit(job);
  }

  private static <T> T around(List<T> from, int number) {
    return from.get(number % from.size());
  }

  Decisions cycle() {
    Decisions result = cluster.cycle();
    result.preempted().forEach(victim -> isStopping.add(victim.workload()));
    return result;
  }

  private void stopOne(int number) {
    if (!isStopping.isEmpty()) {
      stop(around(ImmutableList.copyOf(isStopping), number));
    }
  }

  private void stop(WorkloadId id) {
    cluster.stop(id.name());
    isStopping.remove(id);
  }

  private void finishOne(int number) {
    List<WorkloadId> running =
        queues.stream().flatMap(queue -> running(queue).stream()).collect(toImmutableList());
    if (!running.isEmpty()) {
      WorkloadId id = around(running, number);
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

  private List<WorkloadId> running(String queue) {
    return cluster.view(queue).admitted().stream()
        .map(Admission::workload)
        .collect(toImmutableList());
  }
}
