package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.testkit.reference.Assignment.AssignmentMode;
import io.kueue4j.core.testkit.reference.Assignment.FlavorPick;
import io.kueue4j.core.testkit.reference.Assignment.PodSetFlavors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds flavors for all pod sets of a workload, group by group.
 *
 * <p>Rules: F-3, F-4, F-5, F-6, F-7, F-28, F-29, F-30, F-31, F-34, R-8, M-13, T-68, E-5; F-7 as
 * section 17 of the rule index has it.
 */
final class FlavorWalk {
  private final Specs specs;
  private final Attempt attempt;
  private final FlavorSearch search;
  private final TopologyRules topologies;
  private final List<PodSetFlavors> found = new ArrayList<>();
  private AssignmentMode worst = AssignmentMode.FIT;

  private FlavorWalk(Specs specs, Snapshot snapshot, Attempt attempt) {
    this.specs = specs;
    this.attempt = attempt;
    this.search = new FlavorSearch(specs, snapshot, attempt);
    this.topologies = new TopologyRules(specs, attempt.queue());
  }

  /** {@return the assignment of pods in these numbers} */
  static Assignment assign(
      Specs specs, Snapshot snapshot, Attempt attempt, List<PodSetRequests> podSets) {
    return new FlavorWalk(specs, snapshot, attempt).assign(podSets);
  }

  private Assignment assign(List<PodSetRequests> podSets) {
    for (Map<Integer, PodSetRequests> group : groups(podSets)) {
      if (!assignGroup(group)) {
        return new Assignment(AssignmentMode.NO_FIT, ImmutableList.copyOf(found));
      }
    }
    return new Assignment(worst, ImmutableList.copyOf(found));
  }

  /** F-4: in the order of their first members. */
  private static List<Map<Integer, PodSetRequests>> groups(List<PodSetRequests> podSets) {
    Map<String, Map<Integer, PodSetRequests>> groups = new LinkedHashMap<>();
    for (int i = 0; i < podSets.size(); i++) {
      String alone = "pod set " + i;
      String key = podSets.get(i).podSet().group().map(name -> "group " + name).orElse(alone);
      groups.computeIfAbsent(key, unused -> new LinkedHashMap<>()).put(i, podSets.get(i));
    }
    return List.copyOf(groups.values());
  }

  /** {@return false if there are no flavors for the group; then it keeps none (F-6)} */
  private boolean assignGroup(Map<Integer, PodSetRequests> group) {
    Map<Integer, PodSetRequests> members = new LinkedHashMap<>();
    group.forEach((index, podSet) -> members.put(index, withPods(podSet)));
    Map<String, Long> requests = new TreeMap<>(ResourceOrder.INSTANCE);
    members
        .values()
        .forEach(podSet -> podSet
            .amounts()
            .forEach((resource, amount) -> requests.merge(resource, amount, Amount::add)));
    if (requests.isEmpty() && needsTopology()) {
      return false;
    }
    Map<String, FlavorPick> picks = new LinkedHashMap<>();
    boolean fits = true;
    for (Map.Entry<String, Long> request : requests.entrySet()) {
      String resource = request.getKey();
      Optional<ResourceGroup> resources = specs.groupOf(attempt.queue(), resource);
      if (resources.isEmpty()) {
        if (request.getValue() != 0 && !ignoresUndeclared()) {
          return false;
        }
      } else if (!picks.containsKey(resource)) {
        Optional<FlavorSearch.Result> result = search.search(
            resources.get(), resource, members, asked(members), usageSoFar(), requestedSoFar());
        if (result.isEmpty()) {
          return false;
        }
        picks.putAll(result.get().picks());
        fits &= result.get().fits();
      }
    }
    record(group, members, picks, fits);
    return true;
  }

  /** F-13, E-5: in the order in which resources are looked at. */
  private Map<String, Long> asked(Map<Integer, PodSetRequests> members) {
    Map<String, Long> asked = new TreeMap<>(ResourceOrder.INSTANCE);
    members.forEach((index, podSet) -> attempt
        .asked(index, podSet)
        .forEach((resource, amount) -> asked.merge(resource, amount, Amount::add)));
    return asked;
  }

  /** M-13: all flavors of a queue without any have a topology. */
  private boolean needsTopology() {
    return specs.isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && specs.queue(attempt.queue()).resourceGroups().isEmpty();
  }

  private boolean ignoresUndeclared() {
    return specs.settings().quotaCheckStrategy() == QuotaCheckStrategy.IGNORE_UNDECLARED;
  }

  /** */
  private PodSetRequests withPods(PodSetRequests podSet) {
    if (specs.groupOf(attempt.queue(), ResourceNames.PODS).isEmpty()) {
      return podSet;
    }
    Map<String, Long> amounts = new LinkedHashMap<>(podSet.amounts());
    amounts.put(ResourceNames.PODS, (long) podSet.count());
    return new PodSetRequests(podSet.podSet(), podSet.count(), ImmutableMap.copyOf(amounts));
  }

  /** F-13: the usage of earlier groups. */
  private Map<FlavorResource, Long> usageSoFar() {
    return new Assignment(worst, ImmutableList.copyOf(found)).usage();
  }

  /** F-35: the requests of earlier groups, also those that an old slice holds already. */
  private Map<FlavorResource, Long> requestedSoFar() {
    Map<FlavorResource, Long> requested = new LinkedHashMap<>();
    for (PodSetFlavors podSet : found) {
      podSet
          .picks()
          .forEach((resource, pick) -> requested.merge(
              new FlavorResource(pick.flavor(), resource),
              podSet.requests().amounts().getOrDefault(resource, 0L),
              Amount::add));
    }
    return requested;
  }

  /** F-29, F-34. */
  private void record(
      Map<Integer, PodSetRequests> group,
      Map<Integer, PodSetRequests> members,
      Map<String, FlavorPick> picks,
      boolean fits) {
    members.forEach((index, podSet) -> {
      ImmutableMap.Builder<String, FlavorPick> own = ImmutableMap.builder();
      resourcesOf(podSet, picks, members.size()).forEach(resource -> {
        FlavorPick pick = picks.get(resource);
        if (pick != null) {
          own.put(resource, pick);
        }
      });
      PodSetRequests scaled = group.getOrDefault(index, podSet);
      PodSetFlavors flavors = new PodSetFlavors(
          index,
          podSet,
          attempt.asked(index, podSet),
          attempt.asked(index, scaled),
          own.buildOrThrow());
      found.add(flavors);
      AssignmentMode mode = fits ? AssignmentMode.FIT : modeOf(flavors);
      worst = mode.compareTo(worst) < 0 ? mode : worst;
    });
  }

  /** F-34, T-68: a member of a group that requests nothing has the flavors of the others. */
  private Set<String> resourcesOf(
      PodSetRequests podSet, Map<String, FlavorPick> picks, int members) {
    boolean inherits =
        members > 1 && podSet.amounts().isEmpty() && topologies.applyTo(podSet.podSet());
    return inherits ? picks.keySet() : podSet.amounts().keySet();
  }

  private static AssignmentMode modeOf(PodSetFlavors podSet) {
    if (podSet.picks().isEmpty()) {
      return AssignmentMode.NO_FIT;
    }
    return podSet.picks().values().stream().allMatch(FlavorPick::isFit)
        ? AssignmentMode.FIT
        : AssignmentMode.PREEMPT;
  }
}
