package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.lending;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.support.CompiledQueues;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A forest and its fork share trees until one of them changes a tree. */
class ForestForksTest {
  private final Catalog catalog = new Catalog();
  private final Journal journal = new Journal();
  private final List<String> copied = new ArrayList<>();
  private final Forest forest =
      new Forest(catalog, TrialParticipant.NONE, true, journal, queue -> copied.add(queue.name()));

  @BeforeEach
  void twoTrees() {
    put("a", "left", lending(10, 4));
    put("b", "right", quota(5));
    forest.put(Cohort.builder().name("left").parent("root").build());
    forest.put(Cohort.builder()
        .name("right")
        .parent("root")
        .addResourceGroups(GpuForest.group(quota(3)))
        .build());
    forest.put(GpuForest.queueSpec("alone", quota(7)).build());
    forest.rebuild();
    use(forest, "a", 8);
  }

  private void put(String name, String cohort, ResourceQuota quota) {
    forest.put(GpuForest.queueSpec(name, cohort, quota));
  }

  private Forest fork() {
    journal.share();
    Forest fork = CompiledQueues.emptyForest(catalog);
    fork.share(forest);
    return fork;
  }

  private FlavorResource pair() {
    return catalog.pair(GpuForest.FLAVOR, GpuForest.GPU);
  }

  private static QueueQuota queue(Forest of, String name) {
    return of.queue(name).orElseThrow();
  }

  private void use(Forest of, String name, long gpus) {
    QueueQuota queue = queue(of, name);
    queue.tree().add(queue.node(), queue.tree().column(pair()), gpus);
  }

  private long usage(Forest of, String name) {
    return queue(of, name).usage(pair());
  }

  @Test
  void aTreeIsNamedAfterItsRoot() {
    assertThat(forest.treeName(queue(forest, "a"))).isEqualTo("cohort root");
    assertThat(forest.treeName(queue(forest, "alone"))).isEqualTo("queue alone");
  }

  @Test
  void aForkHasTheSameTreesAndCopiesNone() {
    Forest fork = fork();

    assertThat(queue(fork, "a")).isSameAs(queue(forest, "a"));
    assertThat(queue(fork, "a").isShared()).isTrue();
    assertThat(copied).isEmpty();
  }

  @Test
  void aSharedTreeCannotBeChanged() {
    Forest unused = fork();

    assertThatThrownBy(() -> use(forest, "a", 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> queue(forest, "a").tree().checkpoint())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> queue(forest, "a").advanceGeneration())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCopyHasTheSameFiguresAndUsageOfItsOwn() {
    Forest fork = fork();
    forest.own(queue(forest, "a"));

    assertThat(copied).containsExactlyInAnyOrder("a", "b");
    QueueQuota copy = queue(forest, "a");
    assertThat(copy.isShared()).isFalse();
    assertThat(copy.available(pair())).isEqualTo(queue(fork, "a").available(pair()));
    assertThat(copy.generation()).isEqualTo(queue(fork, "a").generation());
    assertThat(copy.cohortsAbove()).containsExactly("left", "root");
    assertThat(copy.tree().layout().queue(copy.node())).isSameAs(copy);

    use(forest, "a", 4);
    assertThat(usage(forest, "a")).isEqualTo(12);
    assertThat(usage(fork, "a")).isEqualTo(8);
  }

  @Test
  void aQueueMovesInOneOfTwoForests() {
    Forest fork = fork();

    fork.put(GpuForest.queueSpec("alone", "right", quota(7)));
    fork.rebuild();

    assertThat(queue(fork, "alone").available(pair())).isEqualTo(7 + 5 + 3 + 2);
    assertThat(queue(forest, "alone").available(pair())).isEqualTo(7);
    assertThat(queue(forest, "b").available(pair())).isEqualTo(5 + 3 + 2);
    assertThat(usage(fork, "a")).isEqualTo(8);
  }

  @Test
  void aCohortIsRemovedInOneOfTwoForests() {
    Forest fork = fork();

    forest.removeCohort("right");
    forest.rebuild();

    assertThat(forest.cohort("right")).isEmpty();
    assertThat(fork.cohort("right")).isPresent();
    assertThat(queue(fork, "b").cohortsAbove()).containsExactly("right", "root");
    assertThat(queue(forest, "b").cohortsAbove()).containsExactly("right");
  }
}
