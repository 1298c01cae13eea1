package io.kueue4j.core.internal.topology;

import static io.kueue4j.core.internal.topology.ComparedEngines.BLOCK;
import static io.kueue4j.core.internal.topology.ComparedEngines.HOST;
import static io.kueue4j.core.internal.topology.ComparedEngines.RACK;
import static io.kueue4j.core.internal.topology.ComparedEngines.node;
import static io.kueue4j.core.internal.topology.ComparedEngines.pods;
import static io.kueue4j.core.model.TopologyRequest.preferred;
import static io.kueue4j.core.model.TopologyRequest.required;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of placement that no recorded decision of Kueue pins down. */
class PlacementRulesTest {
  private static final List<String> LEVELS = List.of(BLOCK, RACK, HOST);

  private static PodSet ask(int count, TopologyRequest request) {
    return pods("main", count, "cpu=1", request).build();
  }

  /** T-17: the block of two pairs, not the host of two pairs. */
  @Test
  void unconstrainedSlicesAreSearchedFromTheTop() {
    ComparedEngines cluster =
        ComparedEngines.hosts("b1/r/h1:cpu=4 b1/r/h2:cpu=4 b2/r/h3:cpu=2 b2/r/h4:cpu=2");
    TopologyRequest pairs = TopologyRequest.builder()
        .unconstrained(true)
        .sliceTopology(HOST)
        .sliceSize(2)
        .build();

    assertThat(cluster.place(ask(4, pairs))).isEqualTo("main h3:2 h4:2");
  }

  /** T-17. */
  @Test
  void anUnconstrainedRequestThatRefusesToBeFreeHasNoFlavor() {
    ComparedEngines cluster = ComparedEngines.hosts("b1/r/h1:cpu=4");

    assertThat(
            cluster.place(ask(1, TopologyRequest.builder().unconstrained(false).build())))
        .doesNotContain("main");
  }

  /** T-19, T-93, TE-21: before 0.20, five pods are admitted, four have a place. */
  @Test
  void whatDoesNotFillASliceHasAPlaceFrom020() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/a:cpu=10");
    TopologyRequest pairs = TopologyRequest.builder()
        .required(RACK)
        .sliceTopology(HOST)
        .sliceSize(2)
        .build();

    assertThat(cluster.place(ask(5, pairs))).isEqualTo("main a:5");
  }

  /** T-26: hosts of 3 count as 2; T-48: the smaller host first, whatever it holds in pairs. */
  @Test
  void innerSlicesAreCountedRoundedAndFilledSmallestFirst() {
    ComparedEngines cluster =
        ComparedEngines.hosts("b/r1/a:cpu=3 b/r1/b:cpu=3 b/r2/c:cpu=3 b/r2/d:cpu=4 b/r2/e:cpu=7");
    TopologyRequest layers = TopologyRequest.builder()
        .required(BLOCK)
        .addSliceConstraints(new SliceConstraint(RACK, 6), new SliceConstraint(HOST, 2))
        .build();

    assertThat(cluster.place(ask(12, layers))).isEqualTo("main c:2 d:4 e:6");
    assertThat(cluster.place(ask(6, layers))).contains("0/1 slice(s) fit on level rack");
  }

  /** T-48: racks between blocks and hosts hold whole pairs too. */
  @Test
  void levelsBetweenTwoLayersCountInTheFinerOne() {
    ComparedEngines cluster =
        ComparedEngines.hosts("b/r1/a:cpu=5 b/r2/b:cpu=3 b/r2/c:cpu=3 b/r3/d:cpu=1");
    TopologyRequest layers = TopologyRequest.builder()
        .required(BLOCK)
        .addSliceConstraints(new SliceConstraint(BLOCK, 8), new SliceConstraint(HOST, 2))
        .build();

    assertThat(cluster.place(ask(8, layers))).isEqualTo("main a:4 b:2 c:2");
  }

  /** T-19: what is wanted of inner slices counts the pods that do not fill an outer one. */
  @Test
  void textsCountInnerSlicesOfAllPods() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r1/a:cpu=3");
    TopologyRequest layers = TopologyRequest.builder()
        .preferred(RACK)
        .addSliceConstraints(new SliceConstraint(RACK, 4), new SliceConstraint(HOST, 1))
        .build();

    assertThat(cluster.place(ask(7, layers)))
        .endsWith("; 0/1 slice(s) fit on level rack;"
            + " 3/7 slice(s) fit on level kubernetes.io/hostname");
  }

  /** T-65: of preferred pods the level that the search has come up to. */
  @Test
  void textsCountWhereTheSearchEnded() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r1/a:cpu=3 b/r2/c:cpu=3");
    TopologyRequest layers = TopologyRequest.builder()
        .preferred(RACK)
        .addSliceConstraints(new SliceConstraint(RACK, 4), new SliceConstraint(HOST, 1))
        .build();

    assertThat(cluster.place(ask(4, layers)))
        .endsWith("; 0/1 slice(s) fit on level rack;"
            + " 6/4 slice(s) fit on level kubernetes.io/hostname");
  }

  /** T-21, T-9: of one workload, and of one after another. */
  @Test
  void eachPodTakesOneOfThePodsThatANodeAllows() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/a:cpu=9,pods=3 b/r/b:cpu=9,pods=4");

    assertThat(cluster.place(
            pods("one", 2, "cpu=1", required(HOST)).build(),
            pods("two", 2, "cpu=1", required(HOST)).build()))
        .isEqualTo("one a:2 two b:2");
    assertThat(cluster.place(ask(2, required(HOST)))).isEqualTo("main b:2");
    assertThat(cluster.place(ask(2, required(HOST))))
        .isEqualTo("topology \"dc\" allows to fit only 1 out of 2 pod(s)."
            + " Total nodes: 2; excluded: resource \"pods\": 1");
  }

  /** T-7. */
  @Test
  void aNodeThatSaysNothingOfPodsFitsNone() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/b:cpu=1");
    cluster.apply(Node.builder()
        .from(node(LEVELS, List.of("tas"), "b/r/c:cpu=1"))
        .name("a")
        .putLabels("other", "x")
        .build());
    Node.Builder silent = Node.builder()
        .name("s")
        .putLabels("pool-tas", "yes")
        .putLabels(BLOCK, "b")
        .putLabels(RACK, "r")
        .putLabels(HOST, "a-silent-one")
        .allocatableAmount("cpu", 9);
    cluster.apply(silent.build());

    assertThat(cluster.place(ask(1, required(HOST)))).isEqualTo("main b:1");
    assertThat(cluster.place(ask(3, required(RACK))))
        .contains("only 1 out of 3 pod(s)")
        .endsWith("Total nodes: 3; excluded: resource \"cpu\": 1, resource \"pods\": 1");
  }

  /** T-8. */
  @Test
  void whatOthersUseOfANodeIsNotThere() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r/b:cpu=3");
    cluster.apply(Node.builder()
        .from(node(LEVELS, List.of("tas"), "b/r/a:cpu=5,pods=4"))
        .usedByOthersAmount("cpu", 3)
        .usedByOthersAmount("pods", 3)
        .build());

    assertThat(cluster.place(ask(3, preferred(HOST)))).isEqualTo("main b:3");
    assertThat(cluster.place(ask(2, preferred(HOST)))).contains("only 1 out of 2 pod(s)");
  }

  /**
   * T-6, T-13, T-51: before 0.20 the nodes of one rack count as one, regardless of their
   * properties.
   */
  @Test
  void racksWereTakenAsAWholeIfHostsAreNoLevel() {
    assertThat(placeOnOddNodes(KueueVersion.V0_19)).isEqualTo("main b/r1:3");
    assertThat(placeOnOddNodes(KueueVersion.V0_20))
        .contains("Total nodes: 2; excluded: nodeSelector: 1, taint \"spot:NoSchedule\": 1");
  }

  private static String placeOnOddNodes(KueueVersion version) {
    List<String> levels = List.of(BLOCK, RACK);
    ComparedEngines cluster = ComparedEngines.of(
        Settings.builder().kueueVersion(version).build(), levels, "b/r1/x:cpu=1");
    cluster.apply(Node.builder()
        .from(node(levels, List.of("tas"), "b/r1/y:cpu=2"))
        .addTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE))
        .build());
    PodSet picky = PodSet.builder()
        .from(pods("main", 3, "cpu=1", required(RACK)).build())
        .putNodeSelector("disk", "ssd")
        .build();

    return cluster.place(picky);
  }

  /** T-6: racks of one name in two blocks are two. */
  @Test
  void racksAreDistinguishedByTheirBlocks() {
    ComparedEngines cluster = ComparedEngines.of(List.of(BLOCK, RACK), "b1/r/x:cpu=2 b2/r/y:cpu=2");

    assertThat(cluster.place(ask(3, preferred(RACK)))).isEqualTo("main b1/r:2 b2/r:1");
  }

  /** T-27. */
  @Test
  void namesAreComparedAsTexts() {
    ComparedEngines cluster = ComparedEngines.hosts("b/r2/h2:cpu=1 b/r10/h9:cpu=1 b/r10/h10:cpu=1");

    assertThat(cluster.place(ask(1, required(HOST)))).isEqualTo("main h10:1");
    assertThat(cluster.place(ask(2, required(BLOCK)))).isEqualTo("main h9:1 h2:1");
  }

  /** T-64. */
  @Test
  void aTaintWithoutValueIsNamedByItsKey() {
    ComparedEngines cluster = ComparedEngines.hosts("");
    cluster.apply(Node.builder()
        .from(node(LEVELS, List.of("tas"), "b/r1/y:cpu=2"))
        .addTaints(new Taint("spot", "", Taint.Effect.NO_SCHEDULE))
        .build());

    assertThat(cluster.place(ask(1, required(HOST))))
        .endsWith("Total nodes: 1; excluded: taint \"spot:NoSchedule\": 1");
  }
}
