package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Generates configuration objects: ClusterQueues {@code q0 …}, cohorts {@code c0 …}, flavors
 * {@code f0 …}, LocalQueues {@code l0 …} in two namespaces, priority classes {@code low} and
 * {@code high}.
 */
final class ClusterGenerator {
  static final List<String> NAMESPACES = ImmutableList.of("a", "b");
  static final List<String> CLASSES = ImmutableList.of("high", "low");
  static final List<String> CHECKS = ImmutableList.of("a0", "a1", "a2");
  static final String TEAM = "team";
  static final String NODE = "node";
  private static final ImmutableList<Double> WEIGHTS =
      ImmutableList.of(1.0, 1.0, 2.0, 0.5, 0.0, 0.0, 3.0);
  private static final ImmutableList<Preemption.Policy> WITHIN = ImmutableList.of(
      Preemption.Policy.NEVER,
      Preemption.Policy.LOWER_PRIORITY,
      Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  private static final ImmutableList<Preemption.Policy> RECLAIM = ImmutableList.of(
      Preemption.Policy.NEVER, Preemption.Policy.LOWER_PRIORITY, Preemption.Policy.ANY);

  private final Dice dice;
  private final Set<Feature> features;
  private final Temper temper;
  private final QuotaGenerator quotas;
  private final @Nullable TopologyGenerator topologies;
  final int queueCount;
  final int cohortCount;
  final int flavorCount;

  ClusterGenerator(Dice dice, ScenarioOptions options, Set<Feature> features, Temper temper) {
    this.dice = dice;
    this.temper = temper;
    this.features = features;
    queueCount = Math.max(
        dice.between(1, options.clusterQueues()),
        temper.isTight() && !dice.oneIn(6) ? Math.min(2, options.clusterQueues()) : 1);
    cohortCount = has(Feature.HIERARCHY) && dice.oneIn(2)
        ? options.cohorts()
        : dice.between(1, options.cohorts());
    flavorCount = dice.between(1, options.flavors());
    quotas = new QuotaGenerator(dice, features, flavorCount, temper.isTight());
    topologies = has(Feature.TOPOLOGY) ? new TopologyGenerator(dice, has(Feature.SELECTORS)) : null;
  }

  /** {@return the generator of nodes, null if there are none} */
  @Nullable
  TopologyGenerator topologies() {
    return topologies;
  }

  QuotaGenerator quotas() {
    return quotas;
  }

  Temper temper() {
    return temper;
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  ImmutableList<ConfigObject> everything() {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    NAMESPACES.forEach(name -> objects.add(namespace(name)));
    CLASSES.forEach(name -> objects.add(priorityClass(name)));
    if (has(Feature.CHECKS)) {
      CHECKS.forEach(name -> objects.add(check(name, true)));
    }
    for (int i = 0; i < flavorCount; i++) {
      objects.add(flavor(i));
    }
    if (topologies != null) {
      objects.addAll(topologies.everything());
    }
    for (int i = 0; i < cohortCount; i++) {
      if (!dice.oneIn(has(Feature.HIERARCHY) ? 6 : 3)) {
        objects.add(cohort(i, false));
      }
    }
    for (int i = 0; i < queueCount; i++) {
      objects.add(queue(i));
      for (String namespace : NAMESPACES) {
        objects.add(localQueue(namespace, i, i, StopPolicy.NONE));
      }
    }
    return dice.shuffled(objects.build());
  }

  ConfigObject queue(int number) {
    int cohort = dice.upTo(cohortCount + 1);
    boolean inCohort = cohort < cohortCount || cohortCount == 1 || temper.isTight();
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name("q" + number)
        .cohort(inCohort ? Optional.of("c" + cohort % cohortCount) : Optional.empty())
        .queueingStrategy(
            dice.oneIn(4) ? QueueingStrategy.STRICT_FIFO : QueueingStrategy.BEST_EFFORT_FIFO)
        .namespaceSelector(selector())
        .addAllResourceGroups(quotas.groups(inCohort, true))
        .fairSharingWeight(weight());
    if (has(Feature.FUNGIBILITY)) {
      queue.flavorFungibility(new FlavorFungibility(
          dice.pick(List.of(FlavorFungibility.Policy.values())),
          dice.pick(List.of(FlavorFungibility.Policy.values())),
          dice.oneIn(3)
              ? Optional.of(dice.pick(List.of(FlavorFungibility.Preference.values())))
              : Optional.empty()));
    }
    if (has(Feature.PREEMPTION)) {
      queue.preemption(preemption());
    }
    if (has(Feature.ADMISSION_FAIR_SHARING) && !dice.oneIn(4)) {
      queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
    }
    if (has(Feature.HOLDS) && dice.oneIn(12)) {
      queue.stopPolicy(dice.pick(List.of(StopPolicy.NONE, StopPolicy.HOLD)));
    }
    if (has(Feature.DRAINS) && dice.oneIn(4)) {
      queue.stopPolicy(dice.pick(List.of(StopPolicy.values())));
    }
    if (has(Feature.CHECKS)) {
      queue.addAllAdmissionChecks(checks());
    }
    return queue.build();
  }

  private ImmutableList<AdmissionCheckRule> checks() {
    ImmutableList.Builder<AdmissionCheckRule> rules = ImmutableList.builder();
    for (String name : CHECKS) {
      if (dice.oneIn(3)) {
        rules.add(new AdmissionCheckRule(
            name,
            dice.oneIn(3)
                ? ImmutableList.of("f" + dice.upTo(flavorCount - 1))
                : ImmutableList.of()));
      }
    }
    return rules.build();
  }

  /** {@return an admission check; most of them delay placement} */
  ConfigObject check(String name, boolean active) {
    String controller = switch (dice.upTo(5)) {
      case 0, 1, 2 -> AdmissionCheck.PROVISIONING_REQUEST;
      case 3 -> AdmissionCheck.MULTI_KUEUE;
      default -> "budget";
    };
    return new AdmissionCheck(name, controller, active);
  }

  private Optional<LabelSelector> selector() {
    if (!has(Feature.SELECTORS) || !dice.oneIn(3)) {
      return Optional.of(LabelSelector.everything());
    }
    if (dice.oneIn(6)) {
      return Optional.empty();
    }
    return Optional.of(
        dice.oneIn(3)
            ? new LabelSelector(ImmutableSortedMap.of(), ImmutableList.of(requirement(TEAM, dice)))
            : LabelSelector.labels(Map.of(TEAM, dice.pick(List.of("x", "y")))));
  }

  /** {@return a requirement of a label whose value is x, y or absent} */
  static LabelRequirement requirement(String key, Dice dice) {
    return switch (dice.upTo(3)) {
      case 0 -> LabelRequirement.in(key, dice.pick(List.of("x", "y")), "z");
      case 1 -> new LabelRequirement(key, LabelRequirement.Operator.NOT_IN, ImmutableList.of("x"));
      case 2 -> new LabelRequirement(key, LabelRequirement.Operator.EXISTS, ImmutableList.of());
      default ->
        new LabelRequirement(key, LabelRequirement.Operator.DOES_NOT_EXIST, ImmutableList.of());
    };
  }

  private Preemption preemption() {
    Preemption.Policy reclaim =
        temper.isTight() && dice.oneIn(2) ? Preemption.Policy.ANY : dice.pick(RECLAIM);
    boolean borrows = reclaim != Preemption.Policy.NEVER && dice.oneIn(3);
    return Preemption.builder()
        .withinClusterQueue(
            temper.isTight() && dice.oneIn(2)
                ? Preemption.Policy.LOWER_PRIORITY
                : dice.pick(WITHIN))
        .reclaimWithinCohort(reclaim)
        .borrowWithinCohort(borrows ? Preemption.Policy.LOWER_PRIORITY : Preemption.Policy.NEVER)
        .maxPriorityThreshold(
            borrows && dice.oneIn(2) ? OptionalInt.of(dice.between(-1, 2)) : OptionalInt.empty())
        .build();
  }

  private double weight() {
    return has(Feature.WEIGHTS) ? dice.pick(WEIGHTS) : 1.0;
  }

  /** Generates a cohort below one with a lower number; with {@code mayLoop}, below any. */
  ConfigObject cohort(int number, boolean mayLoop) {
    int parent = mayLoop ? dice.upTo(cohortCount - 1) : parentOf(number);
    boolean hasParent = has(Feature.HIERARCHY) && (mayLoop || (parent < number && !dice.oneIn(4)));
    boolean hasQuota = has(Feature.HIERARCHY) && dice.oneIn(2);
    return Cohort.builder()
        .name("c" + number)
        .parent(hasParent ? Optional.of("c" + parent) : Optional.empty())
        .addAllResourceGroups(hasQuota ? quotas.groups(hasParent, false) : ImmutableList.of())
        .fairSharingWeight(weight())
        .build();
  }

  private int parentOf(int cohort) {
    return cohort > 0 && temper.isTight() ? dice.between(cohort - 1, cohort) : dice.upTo(cohort);
  }

  ConfigObject flavor(int number) {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name("f" + number);
    if (topologies != null) {
      topologies.addTo(flavor, number);
    }
    if (has(Feature.SELECTORS)) {
      flavor.putNodeLabels(NODE, dice.pick(List.of("x", "y")));
      if (dice.oneIn(4)) {
        flavor.addNodeTaints(new Taint("spot", "", dice.pick(List.of(Taint.Effect.values()))));
        if (dice.oneIn(4)) {
          flavor.addTolerations(Toleration.exists("spot"));
        }
      }
    }
    return flavor.build();
  }

  ConfigObject namespace(String name) {
    return has(Feature.SELECTORS) && dice.oneIn(6)
        ? Namespace.of(name)
        : Namespace.of(name, Map.of(TEAM, dice.pick(List.of("x", "y"))));
  }

  ConfigObject priorityClass(String name) {
    return new WorkloadPriorityClass(name, dice.between(-1, 3));
  }

  ConfigObject localQueue() {
    if (has(Feature.DRAINS) && dice.oneIn(2)) {
      return localQueue(
          dice.pick(NAMESPACES),
          dice.upTo(queueCount - 1),
          dice.upTo(queueCount - 1),
          dice.pick(List.of(StopPolicy.values())));
    }
    boolean stops = has(Feature.HOLDS) && dice.oneIn(3);
    return localQueue(
        dice.pick(NAMESPACES),
        dice.upTo(queueCount - 1),
        dice.upTo(queueCount - 1),
        stops ? StopPolicy.HOLD : StopPolicy.NONE);
  }

  /** Generates a LocalQueue; its weight matters only in a queue with admission fair sharing. */
  private ConfigObject localQueue(String namespace, int number, int queue, StopPolicy stopPolicy) {
    return LocalQueue.builder()
        .namespace(namespace)
        .name("l" + number)
        .clusterQueue("q" + queue)
        .stopPolicy(stopPolicy)
        .fairSharingWeight(has(Feature.ADMISSION_FAIR_SHARING) ? weight() : 1.0)
        .build();
  }
}
