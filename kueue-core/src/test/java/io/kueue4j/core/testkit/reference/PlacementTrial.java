package io.kueue4j.core.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.reference.placement.Nodes;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;
import io.kueue4j.core.testkit.reference.placement.Placement;
import io.kueue4j.core.testkit.reference.placement.Pods;
import io.kueue4j.core.testkit.reference.placement.Replacement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Workloads in a queue with plenty of quota, placed by the engine and by the naive model. */
final class PlacementTrial {
  private static final long PLENTY = 1_000_000;
  private static final int WORKLOADS = 10;

  private final Choices choices;
  private final RandomNodes cluster;
  private final Settings settings;
  private final List<ResourceFlavor> flavors = new ArrayList<>();

  /** Whether all pods of a small cluster prefer a level and are to be spread evenly over it. */
  private final boolean isBalanced;

  private PlacementTrial(Choices choices, boolean isBalanced) {
    this.isBalanced = isBalanced;
    this.choices = choices;
    cluster = isBalanced ? RandomNodes.small(choices) : RandomNodes.any(choices);
    boolean isMixed = !choices.oneIn(5);
    settings = Settings.builder()
        .kueueVersion(choices.of(KueueVersion.values()))
        .putFeatureGates(FeatureGate.TAS_PROFILE_MIXED, isMixed)
        .putFeatureGates(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS, !choices.oneIn(4))
        .putFeatureGates(FeatureGate.TAS_BALANCED_PLACEMENT, isBalanced || choices.oneIn(2))
        .putFeatureGates(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED, choices.oneIn(3))
        .putFeatureGates(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS, !choices.oneIn(4))
        .build();
    flavors.add(cluster.flavor("f"));
    flavors.add(choices.oneIn(4) ? cluster.flavor("e") : flavors.get(0));
  }

  /** Places workloads in a random cluster. */
  static void play(Choices choices) {
    new PlacementTrial(choices, false).play();
  }

  /** The same where all pods of a small cluster are spread evenly. */
  static void playBalanced(Choices choices) {
    new PlacementTrial(choices, true).play();
  }

  private void play() {
    AdmissionEngine engine = engine();
    Nodes nodes = Nodes.of(
        flavors,
        ImmutableMap.of(cluster.topology.name(), cluster.topology),
        cluster.nodes,
        settings.isEnabled(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS),
        settings.includes(KueueFix.SHARED_HOSTS_WITHIN_CYCLE),
        settings.isEnabled(FeatureGate.TAS_NODE_FEASIBILITY_FOR_ALL_LEVELS),
        settings.strictTopology());
    RandomPodSets random = new RandomPodSets(choices, cluster.topology.levels(), hasTwoFlavors());
    describe();
    choices.repeat(WORKLOADS, number -> place(engine, nodes, random, "w" + number));
  }

  private void place(AdmissionEngine engine, Nodes nodes, RandomPodSets random, String name) {
    Workload workload = Workload.builder()
        .namespace("ns")
        .name(name)
        .queueName("l")
        .addAllPodSets(isBalanced ? random.balancedPodSets(cluster.cpu()) : random.podSets())
        .build();
    String actual = text(engine.tryAdmit(workload).result());
    String expected = expected(workload, nodes);
    choices.note("%s at %s", workload, expected);
    assertThat(actual).isEqualTo(expected);
    boolean isKept = choices.oneIn(isBalanced ? 6 : 2);
    Optional<Admission> admission = engine.admission(workload.id());
    if (isKept) {
      admission.ifPresent(held -> held.podSetAssignments()
          .forEach(assignment -> nodes.charge(placed(workload, assignment))));
    } else {
      admission.ifPresent(held -> replacesAlike(engine, nodes.copy(), workload, held));
      engine.finish(workload.id());
    }
  }

  /** Both find the same places when a host of a workload fails. */
  private void replacesAlike(
      AdmissionEngine engine, Nodes nodes, Workload workload, Admission held) {
    List<String> hosts = held.podSetAssignments().stream()
        .flatMap(assignment -> assignment.topologyAssignment().stream())
        .filter(place -> place.levels().contains(Topology.HOSTNAME))
        .flatMap(place -> place.domains().stream())
        .map(domain -> domain.values().get(0))
        .toList();
    if (hosts.isEmpty()) {
      return;
    }
    String host = choices.of(hosts);
    held.podSetAssignments().forEach(assignment -> nodes.charge(placed(workload, assignment)));
    String expected = expectedWithout(host, nodes, workload, held);
    engine.lifecycle().nodeFailed(workload.id(), host);
    Decisions cycle = engine.runCycle();
    String actual = cycle.replaced().stream()
        .findFirst()
        .map(replaced -> text(places(replaced.podSetAssignments())))
        .orElse("evicted " + cycle.evicted().size());
    choices.note("without %s at %s", host, expected);
    assertThat(actual).as("without %s", host).isEqualTo(expected);
  }

  private String expectedWithout(String host, Nodes nodes, Workload workload, Admission held) {
    Map<String, TopologyAssignment> places = new TreeMap<>();
    for (PodSetAssignment assignment : held.podSetAssignments()) {
      Optional<TopologyAssignment> place = assignment.topologyAssignment();
      if (place.isPresent() && Replacement.concerns(place.get(), host)) {
        PodSet podSet = podSet(workload, assignment);
        place = Replacement.find(
            new Pods(podSet, assignment.count(), flavor(podSet)),
            place.get(),
            host,
            nodes,
            Placement.Options.of(settings, false));
        if (place.isEmpty()) {
          return "evicted 1";
        }
      }
      place.ifPresent(found -> places.put(assignment.name(), found));
    }
    return text(places);
  }

  private static PodSet podSet(Workload workload, PodSetAssignment assignment) {
    return workload.podSets().stream()
        .filter(each -> each.name().equals(assignment.name()))
        .findFirst()
        .orElseThrow();
  }

  private void describe() {
    choices.note("%s", settings);
    choices.note("%s %s", cluster.topology, flavors);
    cluster.nodes.forEach(node -> choices.note("%s", node));
  }

  private boolean hasTwoFlavors() {
    return !flavors.get(0).equals(flavors.get(1));
  }

  private AdmissionEngine engine() {
    AdmissionEngine engine =
        AdmissionEngine.builder().settings(settings).clock(() -> Instant.EPOCH).build();
    ClusterQueue.Builder queue =
        ClusterQueue.builder().name("q").namespaceSelector(LabelSelector.everything());
    if (!hasTwoFlavors()) {
      queue.addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
          "f", ResourceQuota.ofAmount("cpu", PLENTY), ResourceQuota.ofAmount("gpu", PLENTY))));
    } else {
      queue.addResourceGroups(
          ResourceGroup.of(FlavorQuotas.of("f", ResourceQuota.ofAmount("cpu", PLENTY))),
          ResourceGroup.of(FlavorQuotas.of("e", ResourceQuota.ofAmount("gpu", PLENTY))));
    }
    engine.apply(cluster.topology);
    engine.apply(ImmutableList.copyOf(new LinkedHashSet<>(flavors)));
    engine.apply(queue.build(), LocalQueue.of("ns", "l", "q"));
    engine.apply(cluster.nodes);
    return engine;
  }

  // ----- what the engine says

  private static String text(AdmissionResult result) {
    return result.match(
        admitted -> text(places(admitted.admission().podSetAssignments())),
        reserved -> "reserved",
        preempting -> "preempting",
        pending -> pending.reasons().stream()
            .filter(reason -> reason.code() == ReasonCode.TOPOLOGY_DOES_NOT_FIT)
            .map(Reason::detail)
            .findFirst()
            .orElse("pending"),
        rejected -> "rejected " + rejected.reasons());
  }

  private static Map<String, TopologyAssignment> places(List<PodSetAssignment> assignments) {
    Map<String, TopologyAssignment> places = new TreeMap<>();
    assignments.forEach(assignment ->
        assignment.topologyAssignment().ifPresent(place -> places.put(assignment.name(), place)));
    return places;
  }

  private static String text(Map<String, TopologyAssignment> places) {
    return places.toString();
  }

  private List<PlacedPods> placed(Workload workload, PodSetAssignment assignment) {
    PodSet podSet = podSet(workload, assignment);
    return assignment
        .topologyAssignment()
        .map(place -> PlacedPods.of(podSet, flavor(podSet), place))
        .orElse(ImmutableList.of());
  }

  // ----- what the model says

  private String flavor(PodSet podSet) {
    return podSet.requests().containsKey("cpu") ? "f" : flavors.get(1).name();
  }

  private String expected(Workload workload, Nodes nodes) {
    Map<Integer, Pods> pods = new TreeMap<>();
    for (int i = 0; i < workload.podSets().size(); i++) {
      PodSet podSet = workload.podSets().get(i);
      boolean isRefused = podSet.topologyRequest().unconstrained().equals(Optional.of(false))
          && podSet.topologyRequest().levels().isEmpty();
      if (isRefused) {
        return "pending";
      }
      pods.put(i, new Pods(podSet, podSet.count(), flavor(podSet)));
    }
    Placement.Result found = Placement.place(pods, nodes, Placement.Options.of(settings, false));
    return found.problem().orElseGet(() -> {
      Map<String, TopologyAssignment> places = new TreeMap<>();
      found
          .assignments()
          .forEach((index, place) -> places.put(workload.podSets().get(index).name(), place));
      return text(places);
    });
  }
}
