package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static io.kueue4j.core.internal.quota.GpuForest.shareTree;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Cohorts of a forest: which exist, and what they declare. */
class ForestCohortsTest {
  private final GpuForest gpus = new GpuForest();

  @Test
  void existAsSoonAsAQueueNamesThem() {
    QueueQuota a = gpus.queue("a", "c", quota(1));
    QueueQuota b = gpus.queue("b", "c", quota(2));

    assertThat(gpus.available(a)).isEqualTo(3);
    assertThat(gpus.treeOf(b)).containsExactly("a", "b");
    assertThat(gpus.forest.cohort("c")).isEmpty();
  }

  @Test
  void existAsSoonAsACohortNamesThem() {
    gpus.cohort("left", "root");
    gpus.cohort("right", "root");
    QueueQuota a = gpus.queue("a", "left", quota(1));
    QueueQuota b = gpus.queue("b", "right", quota(2));

    assertThat(shareTree(a, b)).isTrue();
    assertThat(gpus.available(a)).isEqualTo(3);
  }

  @Test
  void ofATreeAreOrderedByName() {
    for (String name : List.of("n", "b", "z", "a")) {
      gpus.cohort(name, "root");
    }
    gpus.cohort("under-b", "b");
    gpus.queue("q-a", "a", quota(1));
    gpus.queue("q-z", "z", quota(1));

    List<QueueQuota> oneOfAll = gpus.forest.queueOfEachTree(List.of("z", "a"));
    assertThat(oneOfAll).hasSize(1);
    assertThat(oneOfAll.get(0).tree().layout().cohorts())
        .containsExactly("root", "a", "b", "under-b", "n", "z");
  }

  @Test
  void becomeExplicitWhenApplied() {
    QueueQuota a = gpus.queue("a", "c", quota(1));

    gpus.cohort("c", quota(5));

    assertThat(gpus.available(a)).isEqualTo(6);
    assertThat(gpus.forest.cohort("c")).isPresent();
  }

  @Test
  void keepTheirMembersButNeitherQuotaNorParentWhenRemoved() {
    gpus.cohort("c", "root", quota(5));
    QueueQuota a = gpus.queue("a", "c", quota(1));
    QueueQuota b = gpus.queue("b", "c", quota(1));
    QueueQuota above = gpus.queue("above", "root", quota(7));

    gpus.removeCohort("c");

    assertThat(gpus.available(a)).isEqualTo(2);
    assertThat(shareTree(a, b)).isTrue();
    assertThat(shareTree(a, above)).isFalse();
    assertThat(gpus.available(above)).isEqualTo(7);
  }

  @Test
  void disappearWhenRemovedWithoutMembers() {
    gpus.cohort("c", "root", quota(5));
    QueueQuota above = gpus.queue("above", "root", quota(7));

    gpus.removeCohort("c");
    assertThat(gpus.available(above)).isEqualTo(7);

    QueueQuota a = gpus.queue("a", "c", quota(1));
    assertThat(gpus.available(a)).as("a new implicit cohort").isEqualTo(1);
  }

  @Test
  void disappearWithTheirLastMemberIfImplicit() {
    QueueQuota a = gpus.queue("a", "c", quota(1));

    gpus.remove(a);

    assertThat(gpus.forest.queueOfEachTree(List.of("c"))).isEmpty();
    assertThat(gpus.forest.queue("a")).isEmpty();
  }

  @Test
  void implicitChainDisappearsWithTheCohortThatNamedIt() {
    gpus.cohort("c", "root");

    gpus.removeCohort("c");

    QueueQuota a = gpus.queue("a", "root", quota(1));
    QueueQuota b = gpus.queue("b", "c", quota(1));
    assertThat(shareTree(a, b)).isFalse();
  }

  @Test
  void stayWithoutMembersIfExplicit() {
    gpus.cohort("c", quota(5));
    QueueQuota a = gpus.queue("a", "c", quota(1));
    gpus.remove(a);

    assertThat(gpus.available(gpus.queue("b", "c", quota(1)))).isEqualTo(6);
  }

  @Test
  void takeTheirSubtreeAlongWhenTheyGetAnotherParent() {
    gpus.cohort("m", "left");
    QueueQuota a = gpus.queue("a", "m", quota(1));
    QueueQuota left = gpus.queue("l", "left", quota(2));
    QueueQuota right = gpus.queue("r", "right", quota(4));
    gpus.use(a, 3);

    gpus.cohort("m", "right");

    assertThat(gpus.available(left)).isEqualTo(2);
    assertThat(gpus.available(right)).isEqualTo(2);
    assertThat(gpus.usage(a)).isEqualTo(3);
  }
}
