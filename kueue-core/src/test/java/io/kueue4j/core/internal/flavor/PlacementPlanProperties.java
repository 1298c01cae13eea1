package io.kueue4j.core.internal.flavor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Plans of several pod sets on the nodes of two flavors, of which some belong to both. */
class PlacementPlanProperties {
  private static final String RACK = "rack";
  private static final List<String> FLAVORS = List.of("e", "f");

  /** Nodes, flavors, and a workload whose flavors are chosen. */
  private static final class Trial {
    final Choices choices;
    final Catalog catalog = new Catalog();
    final Inventories inventories = new Inventories(catalog, Settings.defaults(), new Journal());
    final Map<String, Integer> cpusOfHost = new TreeMap<>();
    final CompiledWorkload workload;
    final List<PodSetFlavors> flavors = new ArrayList<>();

    Trial(Choices choices) {
      this.choices = choices;
      inventories.setTopology("dc", Topology.of("dc", RACK, Topology.HOSTNAME));
      for (String flavor : FLAVORS) {
        inventories.setFlavor(
            flavor,
            ResourceFlavor.builder()
                .name(flavor)
                .topologyName("dc")
                .putNodeLabels("of-" + flavor, "yes")
                .build());
      }
      for (int i = 0; i < 2 + choices.nextInt(5); i++) {
        putHost("h" + i, choices.nextInt(9));
      }
      inventories.rebuild();
      workload = workload();
      for (int podSet = 0; podSet < workload.size(); podSet++) {
        String flavor = choices.of(FLAVORS);
        choices.note("%s on %s", workload.podSet(podSet).source(), flavor);
        flavors.add(chosen(podSet, flavor));
      }
    }

    private void putHost(String name, int cpus) {
      Node.Builder node = Node.builder()
          .name(name)
          .putLabels(RACK, "r" + choices.nextInt(2))
          .putLabels(Topology.HOSTNAME, name)
          .allocatableAmount("cpu", cpus)
          .allocatableAmount("pods", 100);
      int belongs = choices.nextInt(3);
      choices.note("%s has %s cpus, of flavors %s", name, cpus, belongs);
      FLAVORS.forEach(flavor -> node.putLabels(
          "of-" + flavor, belongs == 2 || FLAVORS.indexOf(flavor) == belongs ? "yes" : "no"));
      cpusOfHost.put(name, cpus);
      inventories.setNode(name, node.build());
    }

    private CompiledWorkload workload() {
      Workload.Builder builder = Workload.builder().namespace("ns").name("w").queueName("q");
      int grouped = choices.nextInt(3);
      for (int i = 0; i < 3; i++) {
        boolean isGrouped = (grouped == 1 && i < 2) || (grouped == 2 && i > 0);
        boolean isLeader = isGrouped && i == 1;
        builder.addPodSets(PodSet.builder()
            .name("p" + i)
            .count(isLeader ? 1 : choices.nextInt(6))
            .requestAmount("cpu", 1 + choices.nextInt(2))
            .topologyRequest(isGrouped ? TopologyRequest.required(RACK) : request())
            .group(isGrouped ? Optional.of("g") : Optional.empty())
            .build());
      }
      return new WorkloadCompiler(catalog, Settings.defaults())
          .compile(builder.build(), ImmutableSortedMap.of(), 0);
    }

    private TopologyRequest request() {
      return switch (choices.nextInt(3)) {
        case 0 -> TopologyRequest.required(choices.nextBoolean() ? RACK : Topology.HOSTNAME);
        case 1 -> TopologyRequest.preferred(RACK);
        default -> TopologyRequest.builder().unconstrained(true).build();
      };
    }

    PodSetFlavors chosen(int podSet, String flavor) {
      return chosen(podSet, workload.podSet(podSet).source().count(), flavor);
    }

    PodSetFlavors chosen(int podSet, int count, String flavor) {
      ResourceName cpu = catalog.resource("cpu");
      return new PodSetFlavors(
          podSet,
          count,
          new ResourceName[] {cpu},
          new long[] {count},
          new FlavorResource[] {catalog.pair(flavor, "cpu")},
          new int[] {FlavorFit.FIT},
          new int[] {0});
    }

    PlacementPlan plan(List<PodSetFlavors> chosen) {
      return new PlacementPlan(inventories, workload, chosen, false, false, null, null);
    }

    Inventory inventory(String flavor) {
      return Objects.requireNonNull(inventories.of(flavor));
    }

    /** Lets others use some cpus of a host, which counts for both flavors. */
    void useSome() {
      for (String flavor : FLAVORS) {
        Inventory inventory = inventory(flavor);
        for (int leaf = 0; leaf < inventory.leafCount(); leaf++) {
          if (choices.oneIn(3)) {
            inventories.assume(inventory, leaf, workload.podSet(0).podRequest(), 1);
          }
        }
      }
    }

    Map<String, Long> free() {
      Map<String, Long> free = new TreeMap<>();
      for (String flavor : FLAVORS) {
        Inventory inventory = inventory(flavor);
        for (int leaf = 0; leaf < inventory.leafCount(); leaf++) {
          free.put(flavor + inventory.values(leaf), inventory.free(leaf, catalog.resource("cpu")));
        }
      }
      return free;
    }

    /** How many cpus the places take of each host. */
    Map<String, Long> taken(Places places) {
      Map<String, Long> taken = new HashMap<>();
      for (Places.PodSetPlace place : places.podSets()) {
        long cpus = workload.podSet(place.podSet()).podRequest().amountOf(catalog.resource("cpu"));
        for (LeafCount leaf : place.leaves()) {
          String host = inventory(place.flavor()).values(leaf.leaf()).get(0);
          taken.merge(host, cpus * leaf.count(), Long::sum);
        }
      }
      return taken;
    }
  }

  @Provide
  Arbitrary<Run> podsFitTheirHostsTogetherRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      PlacementPlan plan = trial.plan(trial.flavors);
      Map<String, Long> before = trial.free();

      Places places = plan.place(true);

      assertThat(trial.free()).as("a plan leaves no trace").isEqualTo(before);
      assertThat(plan.fits()).isEqualTo(places.isFound());
      assertThat(trial.free()).isEqualTo(before);
      if (places.isFound()) {
        trial
            .taken(places)
            .forEach((host, cpus) -> assertThat(cpus)
                .as(host)
                .isLessThanOrEqualTo(trial.cpusOfHost.getOrDefault(host, 0)));
        for (PodSetFlavors podSet : trial.flavors) {
          Places.PodSetPlace place = places.of(podSet.podSet());
          if (podSet.count() == 0) {
            assertThat(place).isNull();
          } else {
            assertThat(Objects.requireNonNull(place).leaves().stream().mapToInt(LeafCount::count))
                .satisfies(counts -> assertThat(
                        counts.stream().mapToInt(Integer::intValue).sum())
                    .isEqualTo(podSet.count()));
          }
        }
      } else {
        assertThat(places.failedPodSet()).isBetween(0, 2);
        assertThat(places.podSets()).isEmpty();
      }
    });
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void podsFitTheirHostsTogether(@ForAll("podsFitTheirHostsTogetherRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> theOrderInWhichPodSetsAreListedDoesNotMatterRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      List<PodSetFlavors> shuffled = new ArrayList<>(trial.flavors);
      Collections.shuffle(shuffled, trial.choices);

      assertThat(trial.plan(shuffled).place(true))
          .isEqualTo(trial.plan(trial.flavors).place(true));
    });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void theOrderInWhichPodSetsAreListedDoesNotMatter(
      @ForAll("theOrderInWhichPodSetsAreListedDoesNotMatterRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> whatOthersUseCountsIfAskedForRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      Places alone = trial.plan(trial.flavors).place(true);
      for (String flavor : FLAVORS) {
        Inventory inventory = trial.inventory(flavor);
        for (int leaf = 0; leaf < inventory.leafCount(); leaf++) {
          inventory.charge(leaf, trial.workload.podSet(0).podRequest(), 100);
        }
      }
      PlacementPlan plan = trial.plan(trial.flavors);

      assertThat(plan.place(false)).isEqualTo(alone);
      boolean asksForNothing = trial.flavors.stream().allMatch(podSet -> podSet.count() == 0);
      assertThat(plan.place(true).isFound()).isEqualTo(asksForNothing);
      assertThat(plan.fits()).isEqualTo(asksForNothing);
    });
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void whatOthersUseCountsIfAskedFor(@ForAll("whatOthersUseCountsIfAskedForRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> aPlanSeesWhatIsFreeWhenItIsAskedRuns() {
    return Run.of(choices -> {
      Trial trial = new Trial(choices);
      PlacementPlan plan = trial.plan(trial.flavors);
      for (int i = 0; i < 4; i++) {
        assertThat(plan.fits()).isEqualTo(trial.plan(trial.flavors).place(true).isFound());
        trial.useSome();
      }
    });
  }

  /** Asked again and again, as the search for victims does, a plan sees what is free by then. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void aPlanSeesWhatIsFreeWhenItIsAsked(@ForAll("aPlanSeesWhatIsFreeWhenItIsAskedRuns") Run run) {
    run.check();
  }

  @Example
  void podsOfSeveralFlavorsWithNodesOrOfNoneHaveNoPlace() {
    Trial trial = new Trial(Choices.ofSeed(1));
    ResourceName cpu = trial.catalog.resource("cpu");
    ResourceName gpu = trial.catalog.resource("gpu");
    FlavorResource[] both = {trial.catalog.pair("e", "cpu"), trial.catalog.pair("f", "gpu")};
    PodSetFlavors torn = new PodSetFlavors(
        0, 1, new ResourceName[] {cpu, gpu}, new long[] {1, 1}, both, new int[2], new int[2]);
    PodSetFlavors nowhere = trial.chosen(0, 1, "other");

    Places ofTorn = trial.plan(ImmutableList.of(torn)).place(true);
    Places ofNowhere = trial.plan(ImmutableList.of(nowhere)).place(true);

    assertThat(Objects.requireNonNull(ofTorn.failure()).toString())
        .contains("more than one TAS flavor assigned: e, f");
    assertThat(trial.plan(ImmutableList.of(torn)).fits()).isFalse();
    assertThat(Objects.requireNonNull(ofNowhere.failure()).toString())
        .contains("no TAS flavor assigned");
    assertThat(ofNowhere.failedPodSet()).isZero();
    assertThat(trial.plan(ImmutableList.of(nowhere)).fits()).isFalse();
  }

  @Example
  void podsThatDoNotAskArePlacedOnlyIfThatIsImplied() {
    Trial trial = new Trial(Choices.ofSeed(1));
    PodSet silent =
        PodSet.builder().name("silent").count(1).requestAmount("cpu", 1).build();
    CompiledWorkload workload = new WorkloadCompiler(trial.catalog, Settings.defaults())
        .compile(
            Workload.builder()
                .namespace("ns")
                .name("silent")
                .queueName("q")
                .addPodSets(silent)
                .build(),
            ImmutableSortedMap.of(),
            0);
    trial.inventories.setNode(
        "large",
        Node.builder()
            .name("large")
            .putLabels(RACK, "r")
            .putLabels(Topology.HOSTNAME, "large")
            .putLabels("of-e", "yes")
            .allocatableAmount("cpu", 100)
            .allocatableAmount("pods", 100)
            .build());
    trial.inventories.rebuild();
    List<PodSetFlavors> chosen = List.of(trial.chosen(0, 1, "e"));

    Places implied =
        new PlacementPlan(trial.inventories, workload, chosen, true, false, null, null).place(true);
    Places notImplied = new PlacementPlan(
            trial.inventories, workload, chosen, false, false, null, null)
        .place(true);

    assertThat(implied.isFound()).isTrue();
    assertThat(implied.podSets()).hasSize(1);
    assertThat(notImplied.isFound()).isTrue();
    assertThat(notImplied.podSets()).isEmpty();
  }
}
