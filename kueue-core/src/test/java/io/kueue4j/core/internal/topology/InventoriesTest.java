package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Footprint.PlacedPods;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Flavors e and f over hosts, which both have host h0; e alone has h1, f alone h2. */
class InventoriesTest {
  private static final Settings SHARED_LATER =
      Settings.builder().kueueVersion(KueueVersion.V0_19).build();
  private static final Settings APART = Settings.builder()
      .putFeatureGates(FeatureGate.TAS_HANDLE_OVERLAPPING_FLAVORS, false)
      .build();

  private final Catalog catalog = new Catalog();
  private final PodRequest pod = PodRequest.of(Map.of("cpu", 1L), catalog);
  private final Inventories inventories = built(Settings.defaults());

  private Inventories built(Settings settings) {
    Inventories built = new Inventories(catalog, settings, new Journal());
    built.setTopology("dc", Topology.of("dc", "rack", Topology.HOSTNAME));
    built.setFlavor("e", flavor("e"));
    built.setFlavor("f", flavor("f"));
    built.setNode("h0", node("h0", 4, true, true));
    built.setNode("h1", node("h1", 4, true, false));
    built.setNode("h2", node("h2", 4, false, true));
    built.rebuild();
    return built;
  }

  private static ResourceFlavor flavor(String name) {
    return ResourceFlavor.builder()
        .name(name)
        .topologyName("dc")
        .putNodeLabels(name, "true")
        .build();
  }

  private static Node node(String name, long cpus, boolean e, boolean f) {
    return Node.builder()
        .name(name)
        .putLabels("e", String.valueOf(e))
        .putLabels("f", String.valueOf(f))
        .putLabels("rack", "r")
        .putLabels(Topology.HOSTNAME, name)
        .allocatableAmount("cpu", cpus)
        .allocatableAmount("pods", 100)
        .build();
  }

  private Inventory of(Inventories from, String flavor) {
    return Objects.requireNonNull(from.of(flavor));
  }

  private long free(Inventories from, String flavor, String host) {
    Inventory inventory = of(from, flavor);
    return inventory.free(
        inventory.leaf(ImmutableList.of(host)).orElseThrow(), catalog.resource("cpu"));
  }

  private Footprint pods(String flavor, String host, int count) {
    PlacedPods pods =
        new PlacedPods(ImmutableList.of("plain", flavor), ImmutableList.of(host), pod, count);
    return Footprint.of(ImmutableList.of(pods), ImmutableList.of());
  }

  private static ClusterQueue queue(String... flavors) {
    ClusterQueue.Builder queue = ClusterQueue.builder().name("q");
    for (String flavor : flavors) {
      queue.addResourceGroups(
          ResourceGroup.of(FlavorQuotas.of(flavor, ResourceQuota.ofAmount("in-" + flavor, 1))));
    }
    return queue.build();
  }

  @Nested
  class Configuration {
    @Test
    void isUsedAsSoonAsAFlavorHasATopologyThatMayNotExist() {
      Inventories empty = new Inventories(catalog, Settings.defaults(), new Journal());
      assertThat(empty.isUsed()).isFalse();

      empty.setFlavor("e", flavor("e"));
      empty.rebuild();

      assertThat(empty.isUsed()).isTrue();
      assertThat(empty.hasTopology("e")).isTrue();
      assertThat(empty.of("e")).isNull();
      assertThat(empty.all()).isEmpty();
      empty.setFlavor("e", null);
      assertThat(empty.isUsed()).isFalse();
    }

    @Test
    void changesOnlyIfSomethingIsDifferent() {
      inventories.setTopology("dc", Topology.of("dc", "rack", Topology.HOSTNAME));
      inventories.setFlavor("e", flavor("e"));
      inventories.setNode("h0", node("h0", 4, true, true));
      inventories.setFlavor("unknown", null);
      assertThat(inventories.setTopology("unknown", null)).isFalse();
      assertThat(inventories.setNode("unknown", null)).isFalse();
      assertThat(inventories.isChanged()).isFalse();

      inventories.setTopology("dc", Topology.of("dc", Topology.HOSTNAME));
      assertThat(inventories.isChanged()).isTrue();
    }

    @Test
    void amountsAreTakenOverAtOnceOthersWithTheNextBuilding() {
      inventories.setNode("h0", node("h0", 7, true, true));
      assertThat(inventories.isChanged()).isFalse();
      assertThat(free(inventories, "e", "h0")).isEqualTo(7);
      assertThat(free(inventories, "f", "h0")).isEqualTo(7);

      inventories.setNode("h3", node("h3", 4, true, false));
      assertThat(inventories.isChanged()).isTrue();
      assertThat(of(inventories, "e").leafCount()).isEqualTo(2);
      inventories.rebuild();
      assertThat(inventories.isChanged()).isFalse();
      assertThat(of(inventories, "e").leafCount()).isEqualTo(3);
      assertThat(of(inventories, "f").leafCount()).isEqualTo(2);
      assertThat(inventories.nodes()).hasSize(4);
    }

    @Test
    void whatIsRemovedIsGoneWithTheNextBuilding() {
      assertThat(inventories.setNode("h0", null)).isTrue();
      assertThat(inventories.isChanged()).isTrue();
      inventories.rebuild();
      assertThat(of(inventories, "e").leafCount()).isEqualTo(1);

      inventories.setFlavor("f", null);
      assertThat(inventories.hasTopology("f")).isFalse();
      assertThat(inventories.isChanged()).isTrue();
      inventories.rebuild();
      assertThat(inventories.of("f")).isNull();
      assertThat(inventories.all()).containsExactly(of(inventories, "e"));

      assertThat(inventories.topology("dc")).isPresent();
      assertThat(inventories.setTopology("dc", null)).isTrue();
      assertThat(inventories.isChanged()).isTrue();
      inventories.rebuild();
      assertThat(inventories.topology("dc")).isEmpty();
      assertThat(inventories.of("e")).isNull();
    }

    @Test
    void aForkIsOneOfItsOwn() {
      Inventories fork = new Inventories(catalog, Settings.defaults(), new Journal());
      fork.share(inventories);
      assertThat(fork.isUsed()).isTrue();
      assertThat(free(fork, "e", "h0")).isEqualTo(4);
      fork.setNode("h0", node("h0", 9, true, true));
      fork.rebuild();
      inventories.setNode("h1", null);
      inventories.rebuild();

      assertThat(free(fork, "e", "h0")).isEqualTo(9);
      assertThat(free(inventories, "e", "h0")).isEqualTo(4);
      assertThat(fork.nodes()).hasSize(3);
      assertThat(inventories.nodes()).hasSize(2);
      assertThat(fork.settings()).isEqualTo(Settings.defaults());
    }

    @Test
    void queuesOfNothingButTopologiesPlaceAllTheirPods() {
      assertThat(inventories.isTopologyOnly(queue("e"))).isTrue();
      assertThat(inventories.isTopologyOnly(queue("e", "f"))).isTrue();
      assertThat(inventories.isTopologyOnly(queue("e", "plain"))).isFalse();
      assertThat(inventories.isTopologyOnly(queue())).isFalse();
    }
  }

  @Nested
  class Usage {
    @Test
    void isChargedForGoodToAllFlavorsOfTheHost() {
      inventories.commit(pods("e", "h0", 3));

      assertThat(free(inventories, "e", "h0")).isEqualTo(1);
      assertThat(free(inventories, "f", "h0")).isEqualTo(1);
      assertThat(free(inventories, "e", "h1")).isEqualTo(4);
      inventories.withdraw(pods("e", "h0", 2));
      assertThat(free(inventories, "e", "h0")).isEqualTo(3);
      assertThat(free(inventories, "f", "h0")).isEqualTo(3);
    }

    @Test
    void isChargedOnTrialToItsOwnFlavorBefore0193() {
      Inventories apart = built(SHARED_LATER);
      apart.charge(pods("e", "h0", 3));
      assertThat(free(apart, "e", "h0")).isEqualTo(1);
      assertThat(free(apart, "f", "h0")).isEqualTo(4);

      apart.uncharge(pods("e", "h0", 1));
      assertThat(free(apart, "e", "h0")).isEqualTo(2);
    }

    @Test
    void isChargedOnTrialToAllFlavorsOfTheHost() {
      inventories.charge(pods("e", "h0", 3));

      assertThat(free(inventories, "f", "h0")).isEqualTo(1);
    }

    @Test
    void isApartIfTheGateIsOff() {
      Inventories apart = built(APART);

      apart.commit(pods("e", "h0", 3));

      assertThat(free(apart, "e", "h0")).isEqualTo(1);
      assertThat(free(apart, "f", "h0")).isEqualTo(4);
    }

    @Test
    void ofTheWorkloadAtHandIsSeenByAllFlavors() {
      Inventory own = of(inventories, "f");
      inventories.assume(own, own.leaf(ImmutableList.of("h0")).orElseThrow(), pod, 2);

      assertThat(free(inventories, "e", "h0")).isEqualTo(2);
      assertThat(free(inventories, "f", "h0")).isEqualTo(2);
      assertThat(free(inventories, "f", "h2")).isEqualTo(4);
    }

    @Test
    void onHostsThatAreGoneTakesNothing() {
      inventories.commit(pods("e", "gone", 3));
      inventories.charge(pods("plain", "h0", 3));

      assertThat(free(inventories, "e", "h0")).isEqualTo(4);
      assertThat(free(inventories, "e", "h1")).isEqualTo(4);
    }

    @Test
    void trialsAreUndoneInAllFlavors() {
      inventories.checkpoint();
      inventories.charge(pods("e", "h1", 1));
      inventories.charge(pods("f", "h2", 1));
      inventories.checkpoint();
      inventories.charge(pods("e", "h1", 2));
      inventories.charge(pods("f", "h2", 2));
      assertThat(free(inventories, "e", "h1")).isEqualTo(1);

      inventories.rollback();
      assertThat(free(inventories, "e", "h1")).isEqualTo(3);
      assertThat(free(inventories, "f", "h2")).isEqualTo(3);
      inventories.rollback();
      assertThat(free(inventories, "e", "h1")).isEqualTo(4);
      assertThat(free(inventories, "f", "h2")).isEqualTo(4);
    }
  }
}
