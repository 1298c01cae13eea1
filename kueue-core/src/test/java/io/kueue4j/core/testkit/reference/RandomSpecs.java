package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Settings and configuration objects at random, from a few names so that they meet. */
final class RandomSpecs {
  static final ImmutableList<String> NAMESPACES = ImmutableList.of("ns0", "ns1");
  static final int QUEUES = 5;
  static final int COHORTS = 4;
  static final int FLAVORS = 6;
  static final int PRIORITY_CLASSES = 2;
  private static final List<List<String>> RESOURCES =
      List.of(List.of("cpu"), List.of("cpu", "memory"), List.of("memory", "cpu", "pods"));
  private static final List<Double> WEIGHTS = List.of(0.0, 0.5, 1.0, 1.0, 1.0, 3.0);

  private final Choices choices;

  /** Whether amounts come near the end of the 64-bit range. */
  private final boolean huge;

  /** Whether all want the same few cores, so that there is somebody to preempt. */
  final boolean contended;

  RandomSpecs(Choices choices) {
    this.choices = choices;
    this.huge = choices.oneIn(8);
    this.contended = !choices.oneIn(3);
  }

  static Settings settings(Choices choices) {
    KueueVersion version = choices.of(List.of(KueueVersion.values()));
    Settings.Builder settings = Settings.builder().kueueVersion(version);
    if (choices.oneIn(2)) {
      for (FeatureGate gate : FeatureGate.values()) {
        if (choices.oneIn(6)) {
          settings.putFeatureGates(gate, !gate.isEnabledByDefault(version));
        }
      }
    }
    if (choices.oneIn(5)) {
      settings.quotaCheckStrategy(Settings.QuotaCheckStrategy.IGNORE_UNDECLARED);
    }
    if (choices.oneIn(2)) {
      settings.fairSharing(choices.of(List.of(
          ImmutableList.of(),
          ImmutableList.copyOf(FairSharingStrategy.values()),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
          ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE))));
    }
    return settings.build();
  }

  long amount(int bound) {
    return huge && choices.oneIn(3)
        ? choices.of(List.of(Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2, 1L << 61))
        : choices.nextInt(bound);
  }

  // ----- flavors

  static String flavorName(int number) {
    return "f" + number;
  }

  ResourceFlavor flavor(int number) {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name(flavorName(number));
    if (contended && !choices.oneIn(6)) {
      return flavor.build();
    }
    if (choices.oneIn(2)) {
      flavor.putNodeLabels("zone", choices.of(List.of("a", "b")));
    }
    if (choices.oneIn(5)) {
      flavor.putNodeLabels("size", "" + choices.nextInt(3));
    }
    if (choices.oneIn(5)) {
      flavor.addNodeTaints(new Taint("spot", "yes", choices.of(List.of(Taint.Effect.values()))));
    }
    if (choices.oneIn(10)) {
      flavor.addTolerations(Toleration.exists("spot"));
    }
    if (choices.oneIn(60)) {
      flavor.topologyName("racks");
    }
    return flavor.build();
  }

  // ----- queues and cohorts

  ClusterQueue queue(int number) {
    boolean inCohort = !choices.oneIn(contended ? 12 : 6);
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name("q" + number)
        .addAllResourceGroups(groups(inCohort, true))
        .queueingStrategy(choices.of(List.of(QueueingStrategy.values())))
        .flavorFungibility(fungibility())
        .preemption(preemption())
        .fairSharingWeight(choices.of(WEIGHTS));
    if (inCohort) {
      queue.cohort("c" + choices.nextInt(contended ? 2 : COHORTS));
    }
    if (!choices.oneIn(20)) {
      queue.namespaceSelector(
          choices.oneIn(6)
              ? LabelSelector.labels(Map.of("team", "a"))
              : LabelSelector.everything());
    }
    if (choices.oneIn(25)) {
      queue.stopPolicy(choices.of(List.of(StopPolicy.NONE, StopPolicy.HOLD)));
    }
    return queue.build();
  }

  private List<ResourceGroup> groups(boolean limits, boolean isQueue) {
    if (choices.oneIn(contended ? 100 : 25)) {
      return List.of();
    }
    if (contended && !choices.oneIn(8)) {
      return List.of(group(RESOURCES.get(choices.oneIn(6) ? 2 : 0), 0, limits, isQueue));
    }
    List<ResourceGroup> groups = new ArrayList<>();
    groups.add(group(choices.of(RESOURCES), 0, limits, isQueue));
    if (choices.oneIn(3)) {
      groups.add(group(List.of("gpu"), 3, limits, isQueue));
    }
    return groups;
  }

  private ResourceGroup group(
      List<String> resources, int firstFlavor, boolean limits, boolean isQueue) {
    List<Integer> numbers = choices.someOf(contended ? List.of(0, 1) : List.of(0, 1, 2));
    ImmutableList.Builder<FlavorQuotas> flavors = ImmutableList.builder();
    for (int number : numbers.isEmpty() ? List.of(0) : numbers) {
      ImmutableList.Builder<ResourceQuota> quotas = ImmutableList.builder();
      resources.forEach(resource -> quotas.add(quota(resource, limits, isQueue)));
      flavors.add(new FlavorQuotas(flavorName(firstFlavor + number), quotas.build()));
    }
    return new ResourceGroup(ImmutableList.copyOf(resources), flavors.build());
  }

  private ResourceQuota quota(String resource, boolean limits, boolean isQueue) {
    long nominal = contended && isQueue && !choices.oneIn(4) ? Amount.add(2, amount(5)) : amount(7);
    OptionalLong borrowing =
        limits && choices.oneIn(4) ? OptionalLong.of(amount(5)) : OptionalLong.empty();
    OptionalLong lending = OptionalLong.empty();
    if (limits && choices.oneIn(4)) {
      long limit = choices.nextInt(8);
      lending = OptionalLong.of(isQueue ? Math.min(nominal, limit) : limit);
    }
    return new ResourceQuota(resource, nominal, borrowing, lending);
  }

  private FlavorFungibility fungibility() {
    return new FlavorFungibility(
        choices.of(List.of(Policy.values())),
        choices.of(List.of(Policy.values())),
        choices.oneIn(2)
            ? Optional.of(choices.of(List.of(Preference.values())))
            : Optional.empty());
  }

  private Preemption preemption() {
    Preemption.Policy within = choices.oneIn(4)
        ? Preemption.Policy.NEVER
        : choices.of(List.of(
            Preemption.Policy.LOWER_PRIORITY, Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY));
    Preemption.Policy reclaim = choices.oneIn(6)
        ? Preemption.Policy.NEVER
        : choices.of(List.of(Preemption.Policy.LOWER_PRIORITY, Preemption.Policy.ANY));
    Preemption.Policy borrow = reclaim != Preemption.Policy.NEVER && choices.oneIn(2)
        ? Preemption.Policy.LOWER_PRIORITY
        : Preemption.Policy.NEVER;
    return Preemption.builder()
        .withinClusterQueue(within)
        .reclaimWithinCohort(reclaim)
        .borrowWithinCohort(borrow)
        .maxPriorityThreshold(
            choices.oneIn(3) ? OptionalInt.of(choices.nextInt(4)) : OptionalInt.empty())
        .build();
  }

  /** {@return a cohort whose parent comes before it, but for a few that may close a cycle} */
  Cohort cohort(int number) {
    Cohort.Builder cohort =
        Cohort.builder().name("c" + number).fairSharingWeight(choices.of(WEIGHTS));
    int above = choices.oneIn(12) ? choices.nextInt(COHORTS) : number - 1 - choices.nextInt(3);
    boolean hasParent = above >= 0 && !choices.oneIn(4);
    if (hasParent) {
      cohort.parent("c" + above);
    }
    if (choices.oneIn(2)) {
      groups(hasParent, false).forEach(cohort::addResourceGroups);
    }
    return cohort.build();
  }

  // ----- the rest

  LocalQueue localQueue(int number) {
    int target = choices.oneIn(8) ? choices.nextInt(QUEUES) : number;
    StopPolicy stop = choices.oneIn(15) ? StopPolicy.HOLD : StopPolicy.NONE;
    return LocalQueue.builder()
        .namespace(choices.of(NAMESPACES))
        .name("l" + number)
        .clusterQueue("q" + target)
        .stopPolicy(stop)
        .build();
  }

  Namespace namespace() {
    String name = choices.of(NAMESPACES);
    return choices.oneIn(2)
        ? Namespace.of(name, Map.of("team", choices.of(List.of("a", "b"))))
        : Namespace.of(name);
  }

  WorkloadPriorityClass priorityClass() {
    return new WorkloadPriorityClass("p" + choices.nextInt(PRIORITY_CLASSES), choices.nextInt(4));
  }
}
