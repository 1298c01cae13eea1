package io.kueue4j.examples.controller.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which quota nodes belong together, and which replica decides on them. */
class QueueTreesTest {
  private final QueueTrees trees = new QueueTrees();

  private void queue(String name, String cohort, String... flavors) {
    boolean unused = trees.putQueue(name, cohort, List.of(flavors));
  }

  private void cohort(String name, String parent) {
    boolean unused = trees.putCohort(name, parent);
  }

  private void topologyFlavor(String name, String pool) {
    boolean unused = trees.putTopologyFlavor(
        name, pool.isEmpty() ? ImmutableMap.of() : ImmutableMap.of("pool", pool));
  }

  private boolean areTogether(String one, String other) {
    Map<String, String> all = trees.trees();
    return Objects.equals(all.get(QueueTrees.ofQueue(one)), all.get(QueueTrees.ofQueue(other)));
  }

  @Test
  void queuesOfOneRootBelongTogether() {
    queue("a", "left");
    queue("b", "right");
    queue("c", "other");
    queue("alone", "");
    cohort("left", "root");
    cohort("right", "root");

    assertThat(areTogether("a", "b")).isTrue();
    assertThat(areTogether("a", "c")).isFalse();
    assertThat(areTogether("alone", "c")).isFalse();
    assertThat(trees.trees())
        .containsKeys(QueueTrees.ofCohort("left"), QueueTrees.ORPHANS)
        .doesNotContainKey(QueueTrees.ofCohort("root"));

    cohort("right", "other");
    assertThat(areTogether("a", "b")).isFalse();
    assertThat(areTogether("c", "b")).isTrue();
  }

  @Test
  void aCycleOfCohortsIsOneTree() {
    queue("a", "one");
    queue("b", "two");
    cohort("one", "two");
    cohort("two", "one");

    assertThat(areTogether("a", "b")).isTrue();
  }

  @Test
  void treesThatShareNodesOfATopologyBelongTogether() {
    queue("a", "", "tpu");
    queue("b", "", "tpu");
    queue("c", "", "cpu");
    queue("d", "", "cpu");
    queue("e", "", "gpu");
    queue("f", "", "everywhere");
    topologyFlavor("tpu", "tpu");
    topologyFlavor("gpu", "gpu");

    assertThat(areTogether("a", "b")).isTrue();
    assertThat(areTogether("c", "d")).as("a flavor without topology").isFalse();
    assertThat(areTogether("a", "e")).as("flavors of different nodes").isFalse();

    topologyFlavor("everywhere", "");
    assertThat(areTogether("a", "e")).as("by a flavor of all nodes").isTrue();
    assertThat(trees.removeQueue("f")).isTrue();
    assertThat(areTogether("a", "e")).as("a flavor that is not used").isFalse();
    assertThat(trees.removeTopologyFlavor("tpu")).isTrue();
    assertThat(areTogether("a", "b")).isFalse();
  }

  @Test
  void aJobWithoutAQueueLeadsToTheOrphans() {
    queue("a", "");
    assertThat(trees.putLocalQueue("team", "main", "a")).isTrue();
    assertThat(trees.putLocalQueue("team", "main", "a")).isFalse();

    assertThat(trees.node(trees.clusterQueue("team", "main").orElseThrow()))
        .isEqualTo(QueueTrees.ofQueue("a"));
    assertThat(trees.clusterQueue("team", "other")).isEmpty();
    assertThat(trees.node("b")).isEqualTo(QueueTrees.ORPHANS);
    assertThat(trees.removeLocalQueue("team", "main")).isTrue();
    assertThat(trees.clusterQueue("team", "main")).isEmpty();
  }

  @Test
  void aReplicaThatJoinsTakesItsShareAndMovesNothingElse() {
    Map<String, Integer> counts = new HashMap<>();
    int moved = 0;
    for (int i = 0; i < 1000; i++) {
      String before = Rendezvous.owner("tree" + i, List.of("a", "b"));
      String after = Rendezvous.owner("tree" + i, List.of("c", "b", "a"));
      counts.merge(after, 1, Integer::sum);
      if (!before.equals(after)) {
        moved++;
        assertThat(after).isEqualTo("c");
      }
    }
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(270, 400));
    assertThat(moved).isEqualTo(counts.get("c"));
    assertThatThrownBy(() -> Rendezvous.owner("tree", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
