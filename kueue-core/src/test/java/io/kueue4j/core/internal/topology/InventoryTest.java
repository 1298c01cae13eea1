package io.kueue4j.core.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Racks r0 and r1 with hosts h0 … h3 of 4 cpus and disk "ssd" or "hdd" in turn. */
class InventoryTest {
  private static final String RACK = "rack";
  private static final Topology HOSTS = Topology.of("dc", RACK, Topology.HOSTNAME);
  private static final Topology RACKS = Topology.of("dc", "block", RACK);
  private static final ResourceFlavor FLAVOR =
      ResourceFlavor.builder().name("tas").putNodeLabels("pool", "tas").build();
  private static final PodConstraints NONE =
      new PodConstraints(ImmutableList.of(), ImmutableSortedMap.of(), ImmutableList.of());

  private final Catalog catalog = new Catalog();
  private final ResourceName cpu = catalog.resource("cpu");
  private final PodRequest pod = PodRequest.of(Map.of("cpu", 1L), catalog);
  private final Inventory hosts = Inventory.of(HOSTS, FLAVOR, nodes(), catalog, false);

  private static List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(node(i).build());
    }
    return nodes;
  }

  private static Node.Builder node(int i) {
    return node(i, 4, Map.of());
  }

  private static Node.Builder node(int i, long cpus, Map<String, String> otherLabels) {
    Map<String, String> labels = new HashMap<>(Map.of(
        "pool",
        "tas",
        "block",
        "b",
        RACK,
        "r" + i / 2,
        Topology.HOSTNAME,
        "h" + i,
        "disk",
        i % 2 == 0 ? "ssd" : "hdd"));
    labels.putAll(otherLabels);
    return Node.builder()
        .name("h" + i)
        .putAllLabels(labels)
        .allocatableAmount("cpu", cpus)
        .allocatableAmount("pods", 10);
  }

  private static Node with(int i, String label, String value) {
    return node(i, 4, Map.of(label, value)).build();
  }

  private static Node withCpus(int i, long cpus) {
    return node(i, cpus, Map.of()).build();
  }

  private static PodConstraints selecting(String label, String value) {
    return new PodConstraints(
        ImmutableList.of(), ImmutableSortedMap.of(label, value), ImmutableList.of());
  }

  private FitKey key(LeafMatches matches) {
    return new FitKey(pod, null, matches, matches, true, SliceLayers.none(2), NodeScores.NONE);
  }

  private int fitting(Inventory inventory, PodConstraints constraints) {
    FitCounts counts = inventory.counts(key(inventory.filter().matches(constraints)));
    int sum = 0;
    for (int rack = 0; rack < counts.tree().size(0); rack++) {
      sum += counts.pods(0, rack);
    }
    return sum;
  }

  @Test
  void knowsItsLeavesAndWhatIsFreeOnThem() {
    assertThat(hosts.flavor()).isEqualTo(FLAVOR);
    assertThat(hosts.topology()).isEqualTo(HOSTS);
    assertThat(hosts.assignedLevels()).containsExactly(Topology.HOSTNAME);
    assertThat(hosts.leafCount()).isEqualTo(4);
    assertThat(hosts.leaf(ImmutableList.of("h2"))).isEqualTo(OptionalInt.of(2));
    assertThat(hosts.leaf(ImmutableList.of("h9"))).isEmpty();
    assertThat(hosts.free(2, cpu)).isEqualTo(4);

    hosts.charge(2, pod, 3);

    assertThat(hosts.free(2, cpu)).isEqualTo(1);
    assertThat(hosts.fitting(2, pod)).isEqualTo(1);
    assertThat(hosts.fittingByOwnRequests(2, pod)).isEqualTo(1);
    assertThat(hosts.fittingByOwnRequests(2, PodRequest.of(Map.of(), catalog))).isZero();
  }

  @Nested
  class PodsOnALeaf {
    @Test
    void areFoundByTheValuesOfTheirLevels() {
      assertThat(hosts.leaf(ImmutableList.of("h1"))).hasValue(1);
      assertThat(hosts.leaf(ImmutableList.of("h3"))).hasValue(3);
      assertThat(hosts.leaf(ImmutableList.of("gone"))).isEmpty();
      assertThat(hosts.leaf(ImmutableList.of("r1", "h3"))).as("of other levels").isEmpty();
    }

    @Test
    void areComparedByAllLevelsIfThatsHowLeavesDiffer() {
      Inventory racks = Inventory.of(RACKS, FLAVOR, nodes(), catalog, false);

      assertThat(racks.assignedLevels()).containsExactly("block", RACK);
      assertThat(racks.leaf(ImmutableList.of("b", "r1"))).hasValue(1);
      assertThat(racks.leaf(ImmutableList.of("b", "r0"))).hasValue(0);
      assertThat(racks.leaf(ImmutableList.of("c", "r1"))).isEmpty();
      assertThat(racks.leaf(ImmutableList.of("r1"))).isEmpty();
    }
  }

  @Nested
  class Update {
    private boolean update(Node before, Node after) {
      return hosts.update(before, after);
    }

    @Test
    void takesOverWhatANodeHas() {
      Node less = withCpus(1, 2);
      hosts.charge(1, pod, 1);

      assertThat(update(node(1).build(), less)).isTrue();

      assertThat(hosts.free(1, cpu)).as("usage stays").isEqualTo(1);
      assertThat(fitting(hosts, NONE)).isEqualTo(4 + 1 + 4 + 4);
    }

    @Test
    void countsAnewWhereLabelsOrTaintsHaveChanged() {
      assertThat(fitting(hosts, selecting("disk", "ssd"))).isEqualTo(8);
      assertThat(fitting(hosts, NONE)).isEqualTo(16);

      Node labelled = with(1, "disk", "ssd");
      assertThat(update(node(1).build(), labelled)).isTrue();
      assertThat(fitting(hosts, selecting("disk", "ssd"))).isEqualTo(12);

      Node tainted =
          node(0).addTaints(new Taint("sick", "", Taint.Effect.NO_EXECUTE)).build();
      assertThat(update(node(0).build(), tainted)).isTrue();
      assertThat(fitting(hosts, NONE)).isEqualTo(12);
      assertThat(fitting(hosts, selecting("disk", "ssd"))).isEqualTo(8);
    }

    @Test
    void keepsWhatWasFoundIfOnlyAmountsHaveChanged() {
      LeafMatches ssds = hosts.filter().matches(selecting("disk", "ssd"));

      assertThat(update(node(1).build(), withCpus(1, 9))).isTrue();

      assertThat(hosts.filter().matches(selecting("disk", "ssd"))).isSameAs(ssds);
    }

    @Test
    void likesAnewWhereLabelsHaveChanged() {
      ImmutableList<PreferredNodeTerm> likesSsds = ImmutableList.of(
          new PreferredNodeTerm(7, NodeSelectorTerm.of(LabelRequirement.in("disk", "ssd"))));
      NodeScores scores = hosts.filter().scores(NONE, likesSsds);
      assertThat(scores.score(1, 0)).isEqualTo(7);
      assertThat(scores.score(1, 1)).isZero();
      assertThat(scores.score(0, 1)).isEqualTo(7);
      assertThat(hosts.filter().scores(NONE, likesSsds)).isSameAs(scores);
      assertThat(hosts.filter().scores(selecting("disk", "hdd"), likesSsds).score(0, 0))
          .isZero();

      update(node(1).build(), with(1, "disk", "ssd"));

      assertThat(hosts.filter().scores(NONE, likesSsds).score(0, 0)).isEqualTo(14);
    }

    @Test
    void isRefusedWhereDomainsChange() {
      Node before = node(1).build();

      assertThat(update(before, with(1, RACK, "r9"))).as("moved").isFalse();
      assertThat(update(before, node(1).ready(false).build())).as("gone").isFalse();
      assertThat(update(node(1).ready(false).build(), before)).as("back").isFalse();
      assertThat(update(before, node(1).allocatableAmount("gpu", 1).build()))
          .as("a resource that no node had")
          .isFalse();
      assertThat(update(withCpus(1, 3), before)).as("not what it was").isFalse();
      assertThat(hosts.update(null, node(9).build())).as("new").isFalse();
      assertThat(update(node(9).build(), withCpus(9, 1))).as("unknown").isFalse();
    }

    @Test
    void needsNothingForNodesOfOthers() {
      Node other = with(1, "pool", "other");

      assertThat(hosts.update(null, other)).isTrue();
      assertThat(update(other, other)).isTrue();
      assertThat(update(node(1).build(), other)).as("given away").isFalse();
    }

    @Test
    void isRefusedWhereSeveralNodesAreOneLeaf() {
      Inventory racks = Inventory.of(RACKS, FLAVOR, nodes(), catalog, false);
      assertThat(racks.free(0, cpu)).isEqualTo(8);

      assertThat(racks.update(node(0).build(), withCpus(0, 9))).isFalse();

      assertThat(racks.free(0, cpu)).isEqualTo(8);
      Inventory alone = Inventory.of(RACKS, FLAVOR, List.of(node(0).build()), catalog, false);
      assertThat(alone.update(node(0).build(), withCpus(0, 9))).isTrue();
      assertThat(alone.free(0, cpu)).isEqualTo(9);
    }
  }

  @Nested
  class EachNode {
    private final Inventory racks = Inventory.of(RACKS, FLAVOR, nodes(), catalog, true);

    @Test
    void aChangedNodeChangesItsRack() {
      assertThat(racks.leafCount()).isEqualTo(2);
      assertThat(racks.free(0, cpu)).isEqualTo(8);

      assertThat(racks.update(node(0).build(), withCpus(0, 9))).isTrue();

      assertThat(racks.free(0, cpu)).isEqualTo(13);
      assertThat(racks.fitting(0, PodRequest.of(Map.of("cpu", 6L), catalog))).isEqualTo(1);
    }

    @Test
    void conditionsCountByNode() {
      assertThat(racks.filter().matches(selecting("disk", "tape")).exclusions())
          .containsExactly(Map.entry("nodeSelector", 4));
    }
  }

  @Nested
  class Kept {
    @Test
    void whatMatchesEverythingIsOneAndTheSame() {
      assertThat(hosts.filter().matches(NONE))
          .isSameAs(hosts.filter().matches(selecting("pool", "tas")));
    }

    @Test
    void conditionsDoNotCountIfLeavesAreNoHosts() {
      Inventory racks = Inventory.of(RACKS, FLAVOR, nodes(), catalog, false);

      assertThat(racks.filter().matches(selecting("disk", "tape")))
          .isSameAs(racks.filter().matches(NONE));
      assertThat(racks
              .filter()
              .scores(
                  NONE,
                  ImmutableList.of(new PreferredNodeTerm(
                      7, NodeSelectorTerm.of(LabelRequirement.in("disk", "ssd"))))))
          .isSameAs(NodeScores.NONE);
    }

    @Test
    void moreConditionsThanAreKeptAreFoundAnew() {
      LeafMatches first = hosts.filter().matches(selecting("disk", "ssd"));
      for (int i = 0; i < 255; i++) {
        hosts.filter().matches(selecting("disk", "none-" + i));
      }
      assertThat(hosts.filter().matches(selecting("disk", "ssd")))
          .as("256 are kept")
          .isSameAs(first);

      hosts.filter().matches(selecting("disk", "one more"));

      LeafMatches again = hosts.filter().matches(selecting("disk", "ssd"));
      assertThat(again).isNotSameAs(first);
      assertThat(again.exclusions()).isEqualTo(first.exclusions());
    }

    @Test
    void theCountsUsedLastAreKept() {
      FitCounts first = hosts.counts(key(hosts.filter().matches(NONE)));
      for (int i = 0; i < 255; i++) {
        hosts.counts(key(hosts.filter().matches(NONE).without(i % 4, "reason " + i)));
        assertThat(hosts.counts(key(hosts.filter().matches(NONE)))).isSameAs(first);
      }
      for (int i = 0; i < 256; i++) {
        hosts.counts(key(hosts.filter().matches(NONE).without(i % 4, "other " + i)));
      }

      assertThat(hosts.counts(key(hosts.filter().matches(NONE)))).isNotSameAs(first);
      assertThat(fitting(hosts, NONE)).isEqualTo(16);
    }

    @Test
    void exclusionsAreByConditionAndByResource() {
      hosts.charge(1, pod, 4);
      hosts.charge(3, PodRequest.of(Map.of(), catalog), 10);
      LeafMatches matches = hosts.filter().matches(NONE).without(0, "why");

      assertThat(hosts.counts(key(matches)).exclusions())
          .containsExactly(
              Map.entry("resource \"cpu\"", 1),
              Map.entry("resource \"pods\"", 1),
              Map.entry("why", 1));
    }
  }
}
