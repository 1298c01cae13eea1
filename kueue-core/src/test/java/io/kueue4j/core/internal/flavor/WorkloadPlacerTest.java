package io.kueue4j.core.internal.flavor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.PairUsage;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.ReasonLog;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Flavor tas has hosts a and b of 4 cpus in rack r, flavor plain has no topology. */
class WorkloadPlacerTest {
  private static final String RACK = "rack";
  private static final TopologyRequest ONE_HOST = TopologyRequest.required(Topology.HOSTNAME);
  private static final Settings STRICT = Settings.builder().strictTopology(true).build();

  private final Catalog catalog = new Catalog();
  private final Inventories kueues = inventories(Settings.defaults());
  private final WorkloadPlacer placer = new WorkloadPlacer(
      kueues, new Fleets(new Journal()), catalog, false, (queue, flavor) -> false);
  private final QueueQuota mixed = queue("mixed", "tas", "plain");
  private final QueueQuota topologyOnly = queue("only", "tas");

  private Inventories inventories(Settings settings) {
    Inventories inventories = new Inventories(catalog, settings, new Journal());
    inventories.setTopology("dc", Topology.of("dc", RACK, Topology.HOSTNAME));
    inventories.setFlavor(
        "tas", ResourceFlavor.builder().name("tas").topologyName("dc").build());
    inventories.setFlavor(
        "lost", ResourceFlavor.builder().name("lost").topologyName("none").build());
    for (String host : List.of("a", "b")) {
      inventories.setNode(
          host,
          Node.builder()
              .name(host)
              .putLabels(RACK, "r")
              .putLabels(Topology.HOSTNAME, host)
              .allocatableAmount("cpu", 4)
              .allocatableAmount("pods", 10)
              .build());
    }
    inventories.rebuild();
    return inventories;
  }

  private QueueQuota queue(String name, String... flavors) {
    Forest forest = CompiledQueues.emptyForest(catalog);
    ClusterQueue.Builder queue = ClusterQueue.builder().name(name);
    queue.addResourceGroups(ResourceGroup.of(Arrays.stream(flavors)
        .map(flavor -> FlavorQuotas.of(flavor, ResourceQuota.ofAmount("cpu", 100)))
        .toArray(FlavorQuotas[]::new)));
    QueueQuota quota = forest.put(queue.build());
    forest.rebuild();
    return quota;
  }

  private static PodSet pods(String name, int count, long cpus, TopologyRequest request) {
    return PodSet.builder()
        .name(name)
        .count(count)
        .requestAmount("cpu", cpus)
        .topologyRequest(request)
        .build();
  }

  private CompiledWorkload workload(PodSet... podSets) {
    Workload workload = Workload.builder()
        .namespace("ns")
        .name("w")
        .queueName("q")
        .addPodSets(podSets)
        .build();
    return new WorkloadCompiler(catalog, Settings.defaults())
        .compile(workload, ImmutableSortedMap.of(), 0);
  }

  private @Nullable ReasonCode obstacle(String flavor, PodSet podSet) {
    return obstacle(flavor, podSet, mixed);
  }

  private @Nullable ReasonCode obstacle(String flavor, PodSet podSet, QueueQuota queue) {
    return placer.obstacle(
        flavor,
        mixed.compiled().group(catalog.resource("cpu")),
        workload(podSet).podSet(0),
        queue.compiled().source());
  }

  @Nested
  class Eligibility {
    @Test
    void podsThatAskForNothingAvoidFlavorsWithATopology() {
      PodSet plain = pods("main", 1, 1, TopologyRequest.none());

      assertThat(obstacle("plain", plain)).isNull();
      assertThat(obstacle("tas", plain)).isEqualTo(ReasonCode.FLAVOR_WITH_TOPOLOGY);
      assertThat(obstacle("tas", plain, topologyOnly)).isNull();
    }

    @Test
    void podsThatAskForALevelGetFlavorsThatHaveIt() {
      PodSet placed = pods("main", 1, 1, ONE_HOST);

      assertThat(obstacle("tas", placed)).isNull();
      assertThat(obstacle("plain", placed)).isEqualTo(ReasonCode.FLAVOR_WITHOUT_TOPOLOGY);
      assertThat(obstacle("tas", pods("main", 1, 1, TopologyRequest.required("zone"))))
          .isEqualTo(ReasonCode.TOPOLOGY_LEVEL_NOT_FOUND);
    }

    @Test
    void aTopologyThatDoesNotExistIsNone() {
      assertThat(obstacle("lost", pods("main", 1, 1, ONE_HOST)))
          .isEqualTo(ReasonCode.FLAVOR_WITHOUT_TOPOLOGY);
    }

    @Test
    void podsThatTakeNothingOfTheGroupMayHaveAnyFlavorOfIt() {
      PodSet gpuOnly = PodSet.builder()
          .name("main")
          .count(1)
          .requestAmount("gpu", 1)
          .topologyRequest(ONE_HOST)
          .build();

      assertThat(obstacle("plain", gpuOnly)).isNull();
    }

    @Test
    void anywhereIsALevelButSlicesAloneAreNone() {
      assertThat(obstacle("tas", pods("main", 1, 1, TopologyRequest.anywhere())))
          .isNull();
      TopologyRequest notAnywhere =
          TopologyRequest.builder().unconstrained(false).build();
      assertThat(obstacle("tas", pods("main", 1, 1, notAnywhere)))
          .isEqualTo(ReasonCode.TOPOLOGY_LEVEL_NOT_FOUND);
    }

    @Test
    void knowsFlavorsWithTopology() {
      assertThat(placer.hasTopology(catalog.pair("tas", "cpu"))).isTrue();
      assertThat(placer.hasTopology(catalog.pair("plain", "cpu"))).isFalse();
    }

    @Test
    void placesAreNeededIfAnyPodSetAsksOrTheQueueImpliesIt() {
      PodSet plain = pods("plain", 1, 1, TopologyRequest.none());
      PodSet placed = pods("placed", 1, 1, ONE_HOST);

      assertThat(placer.isNeeded(workload(plain, placed), mixed)).isTrue();
      assertThat(placer.isNeeded(workload(plain), mixed)).isFalse();
      assertThat(placer.isNeeded(workload(plain), topologyOnly)).isTrue();
    }
  }

  @Nested
  class Recheck {
    private final CompiledWorkload two =
        workload(pods("one", 1, 3, ONE_HOST), pods("two", 1, 3, ONE_HOST));

    private Places places(Inventories inventories, CompiledWorkload workload) {
      ImmutableList.Builder<PodSetFlavors> chosen = ImmutableList.builder();
      ResourceName cpu = catalog.resource("cpu");
      for (int podSet = 0; podSet < workload.size(); podSet++) {
        chosen.add(new PodSetFlavors(
            podSet,
            workload.podSet(podSet).source().count(),
            new ResourceName[] {cpu},
            new long[] {1},
            new FlavorResource[] {catalog.pair("tas", "cpu")},
            new int[] {FlavorFit.FIT},
            new int[] {0}));
      }
      Assignment assignment = new Assignment(
          AssignmentMode.FIT,
          chosen.build(),
          new PairUsage(),
          0,
          new ReasonLog(),
          PendingCause.WAITING_FOR_QUOTA,
          null,
          null);
      return new WorkloadPlacer(
              inventories, new Fleets(new Journal()), catalog, false, (queue, flavor) -> false)
          .plan(workload, mixed, assignment)
          .place(true);
    }

    private void use(Inventories inventories, String host, int pods) {
      Inventory inventory = Objects.requireNonNull(inventories.of("tas"));
      inventory.charge(
          inventory.leaf(ImmutableList.of(host)).orElseThrow(),
          workload(pods("other", 1, 1, ONE_HOST)).podSet(0).podRequest(),
          pods);
    }

    @Test
    void findsTheFirstPodSetWhosePlaceIsGone() {
      Places places = places(kueues, two);
      assertThat(placer.firstMisplaced(two, places)).isNegative();
      int second = Objects.requireNonNull(places.of(1)).leaves().get(0).leaf();
      String host = Objects.requireNonNull(kueues.of("tas")).values(second).get(0);

      use(kueues, host, 1);
      assertThat(placer.firstMisplaced(two, places)).as("3 of 4 are left").isNegative();
      use(kueues, host, 1);
      assertThat(placer.firstMisplaced(two, places)).isEqualTo(1);
      use(kueues, host.equals("a") ? "b" : "a", 2);
      assertThat(placer.firstMisplaced(two, places)).isZero();
    }

    @Test
    void kueueLooksAtPodSetsAloneAndStrictPlacementAtAll() {
      CompiledWorkload small = workload(pods("one", 1, 2, ONE_HOST), pods("two", 1, 2, ONE_HOST));
      Inventories strict = inventories(STRICT);
      Places places = places(strict, small);
      assertThat(Objects.requireNonNull(places.of(0)).leaves())
          .as("both on one host")
          .isEqualTo(Objects.requireNonNull(places.of(1)).leaves());
      WorkloadPlacer strictly = new WorkloadPlacer(
          strict, new Fleets(new Journal()), catalog, false, (queue, flavor) -> false);
      assertThat(strictly.firstMisplaced(small, places)).isNegative();
      assertThat(strictly.firstMisplaced(small, places))
          .as("asking leaves no trace")
          .isNegative();

      use(strict, "a", 1);
      use(strict, "b", 1);
      use(kueues, "a", 1);
      use(kueues, "b", 1);

      assertThat(strictly.firstMisplaced(small, places))
          .as("each beside the other")
          .isZero();
      assertThat(placer.firstMisplaced(small, places)).isNegative();
    }
  }

  @Nested
  class Replacement {
    private final CompiledWorkload two =
        workload(pods("one", 2, 1, ONE_HOST), pods("two", 2, 2, ONE_HOST));

    private PodSetAssignment at(String podSet, int count, String flavor, String host) {
      return PodSetAssignment.builder()
          .name(podSet)
          .count(count)
          .putFlavors("cpu", flavor)
          .resourceUsageAmount("cpu", count)
          .topologyAssignment(
              host.isEmpty()
                  ? Optional.empty()
                  : Optional.of(new TopologyAssignment(
                      ImmutableList.of(Topology.HOSTNAME),
                      ImmutableList.of(new Domain(ImmutableList.of(host), count)))))
          .build();
    }

    private Admission admission(PodSetAssignment... podSets) {
      return Admission.builder()
          .workload(two.source().id())
          .clusterQueue("mixed")
          .quotaReservedTime(Instant.EPOCH)
          .addPodSetAssignments(podSets)
          .build();
    }

    private String replace(Admission admission) {
      return new PodReplacer(kueues)
          .replace(two, mixed.spec(), admission, "gone")
          .map(found -> found.podSetAssignments().stream()
              .map(podSet -> podSet.name()
                  + "="
                  + podSet
                      .topologyAssignment()
                      .map(assignment -> assignment.domains().get(0).values().get(0))
                      .orElse("-"))
              .collect(Collectors.joining(" ")))
          .orElse("no place");
    }

    @Test
    void eachPodSetKeepsFromTheOthersRoom() {
      // 2 and 4 cpus do not fit one host of 4.
      Admission both = admission(at("one", 2, "tas", "gone"), at("two", 2, "tas", "gone"));

      assertThat(replace(both)).isEqualTo("one=a two=b");
      assertThat(replace(both)).as("asking leaves no trace").isEqualTo("one=a two=b");
    }

    @Test
    void whatIsElsewhereStays() {
      Admission some = admission(at("one", 2, "tas", "a"), at("two", 2, "tas", "gone"));

      assertThat(PodReplacer.concerns(some, "gone")).isTrue();
      assertThat(PodReplacer.concerns(some, "b")).isFalse();
      assertThat(replace(some)).isIn("one=a two=a", "one=a two=b");
      assertThat(replace(admission(at("one", 2, "tas", ""), at("two", 2, "tas", "gone"))))
          .startsWith("one=- two=");
    }

    @Test
    void withoutItsTopologyNothingCanBeReplaced() {
      Admission lost = admission(at("one", 2, "lost", "gone"), at("two", 2, "tas", "a"));

      assertThat(replace(lost)).isEqualTo("no place");
    }

    @Test
    void aPodSetWithoutRoomIsAProblem() {
      Inventory inventory = Objects.requireNonNull(kueues.of("tas"));
      for (String host : List.of("a", "b")) {
        inventory.charge(
            inventory.leaf(ImmutableList.of(host)).orElseThrow(), two.podSet(1).podRequest(), 1);
      }

      assertThat(replace(admission(at("one", 2, "tas", "gone"), at("two", 2, "tas", "gone"))))
          .isEqualTo("no place");
    }

    @Test
    void podsThatDoNotAskArePlacedOnlyIfTheQueueImpliesIt() {
      CompiledWorkload plain = workload(pods("one", 2, 1, TopologyRequest.none()));
      Admission admission = admission(at("one", 2, "tas", "gone"));

      assertThat(new PodReplacer(kueues).replace(plain, topologyOnly.spec(), admission, "gone"))
          .isPresent();
      assertThat(new PodReplacer(kueues).replace(plain, mixed.spec(), admission, "gone"))
          .contains(admission);
    }
  }
}
