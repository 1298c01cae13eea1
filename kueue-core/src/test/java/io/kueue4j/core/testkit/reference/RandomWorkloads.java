package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelRequirement.Operator;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Workloads, other versions of them, and admissions at random. */
final class RandomWorkloads {
  private static final int NAMES = 16;
  private static final List<String> RESOURCES = List.of("cpu", "memory", "gpu");

  private final Choices choices;
  private final RandomSpecs specs;
  private final Instant start;

  RandomWorkloads(Choices choices, RandomSpecs specs, Instant start) {
    this.choices = choices;
    this.specs = specs;
    this.start = start;
  }

  WorkloadId id() {
    return WorkloadId.of(choices.of(RandomSpecs.NAMESPACES), "w" + choices.nextInt(NAMES));
  }

  Workload workload(WorkloadId id) {
    Workload.Builder workload = Workload.builder()
        .namespace(id.namespace())
        .name(id.name())
        .queueName("l" + choices.nextInt(RandomSpecs.QUEUES))
        .priority(choices.nextInt(4));
    if (!choices.oneIn(8)) {
      workload.creationTime(start.plusMillis(500L * choices.nextInt(20)));
    }
    if (choices.oneIn(4)) {
      workload.uid("u" + choices.nextInt(3));
    }
    if (choices.oneIn(6)) {
      workload.priorityClass("p" + choices.nextInt(RandomSpecs.PRIORITY_CLASSES));
    }
    int podSets = choices.oneIn(3) ? 1 + choices.nextInt(3) : 1;
    int shrinkable = choices.nextInt(2 * podSets);
    for (int i = 0; i < podSets; i++) {
      workload.addPodSets(podSet("s" + i, i == shrinkable));
    }
    rarely(workload, id);
    return workload.build();
  }

  private void rarely(Workload.Builder workload, WorkloadId id) {
    switch (choices.nextInt(40)) {
      case 0 -> workload.active(false);
      case 1 -> workload.addAllAdmissionGates(ImmutableList.of("review"));
      case 4 -> workload.addAllAdmissibilityProblems(ImmutableList.of("too much"));
      case 5 -> workload.priorityBoost(choices.nextInt(3) - 1);
      case 8 -> workload.queueName(id.name());
      default -> {}
    }
  }

  private PodSet podSet(String name, boolean shrinkable) {
    boolean plain = specs.contended && !choices.oneIn(8);
    int count = choices.oneIn(plain ? 6 : 3) ? choices.nextInt(6) : 1;
    PodSet.Builder podSet = PodSet.builder().name(name).count(count);
    if (shrinkable && count > 0) {
      podSet.minCount(1 + choices.nextInt(count));
    }
    for (String resource :
        !plain && choices.oneIn(3) ? choices.someOf(RESOURCES) : List.of("cpu")) {
      podSet.requestAmount(resource, specs.amount(5));
    }
    if (plain) {
      return podSet.build();
    }
    if (choices.oneIn(5)) {
      podSet.group("g" + choices.nextInt(2));
    }
    if (choices.oneIn(6)) {
      podSet.putNodeSelector("zone", choices.of(List.of("a", "b")));
    }
    if (choices.oneIn(6)) {
      podSet.addTolerations(
          choices.oneIn(2) ? Toleration.exists("spot") : Toleration.equal("spot", "yes"));
    }
    if (choices.oneIn(8)) {
      podSet.addAllNodeAffinity(List.of(term(), term()).subList(0, 1 + choices.nextInt(2)));
    }
    if (choices.oneIn(15)) {
      podSet.shape("shape" + choices.nextInt(2));
    }
    return podSet.build();
  }

  private NodeSelectorTerm term() {
    LabelRequirement first = choices.of(List.of(
        LabelRequirement.in("zone", "a"),
        LabelRequirement.in("zone"),
        new LabelRequirement("zone", Operator.NOT_IN, ImmutableList.of("b")),
        new LabelRequirement("size", Operator.GREATER_THAN, ImmutableList.of("1")),
        new LabelRequirement("size", Operator.LESS_THAN, ImmutableList.of("many")),
        new LabelRequirement("other", Operator.EXISTS, ImmutableList.of())));
    return choices.oneIn(3)
        ? NodeSelectorTerm.of(first, LabelRequirement.in("zone", "a", "b"))
        : NodeSelectorTerm.of(first);
  }

  /** {@return another version of a workload} */
  Workload changed(Workload workload) {
    Workload.Builder changed = Workload.builder().from(workload);
    switch (choices.nextInt(12)) {
      case 0 -> changed.priority(choices.nextInt(4));
      case 1 -> changed.queueName("l" + choices.nextInt(RandomSpecs.QUEUES));
      case 2 -> changed.active(!workload.active());
      case 5 -> changed.addAllAdmissionGates(ImmutableList.of("review"));
      case 6 -> changed.priorityClass(Optional.of("p" + choices.nextInt(2)));
      case 7 -> changed.priorityBoost(choices.nextInt(3));
      case 8 -> changed.uid("u" + choices.nextInt(3));
      case 9 -> {
        return workload(workload.id());
      }
      default -> changed.priority(workload.priority() + 1);
    }
    return changed.build();
  }

  /** {@return numbers of reclaimable pods, which may be invalid} */
  SortedMap<String, Integer> reclaimable() {
    ImmutableSortedMap.Builder<String, Integer> pods = ImmutableSortedMap.naturalOrder();
    for (int i = 0; i < 2; i++) {
      if (choices.oneIn(2)) {
        pods.put("s" + i, choices.nextInt(3));
      }
    }
    return pods.buildOrThrow();
  }

  /** {@return an admission by any queue, on any flavors} */
  Admission admission(Workload workload) {
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("q" + choices.nextInt(RandomSpecs.QUEUES))
        .quotaReservedTime(start.plusMillis(500L * choices.nextInt(20)));
    for (PodSet podSet : workload.podSets()) {
      int count = podSet.minCount().orElse(podSet.count());
      PodSetAssignment.Builder assignment =
          PodSetAssignment.builder().name(podSet.name()).count(count);
      podSet.requests().forEach((resource, amount) -> {
        int number = resource.equals("gpu") ? 3 + choices.nextInt(2) : choices.nextInt(3);
        long total = Amount.multiply(amount, count);
        assignment
            .putFlavors(resource, RandomSpecs.flavorName(number))
            .resourceUsageAmount(resource, count == 0 ? 0 : total / count * count);
      });
      admission.addPodSetAssignments(assignment.build());
    }
    return admission.build();
  }
}
