package io.kueue4j.core.internal.quota;

import static io.kueue4j.core.internal.quota.GpuForest.lending;
import static io.kueue4j.core.internal.quota.GpuForest.quota;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.internal.versioned.Journal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CohortTreeTest {
  private final GpuForest gpus = new GpuForest();
  private final GpuForest other = new GpuForest(gpus.catalog);
  private QueueQuota a = gpus.queue("a", "left", lending(10, 4));

  @BeforeEach
  void twoTrees() {
    gpus.cohort("left", "root");
    gpus.queue("b", "right", quota(5));
    gpus.cohort("right", "root", quota(3));
    gpus.queue("alone", quota(7));
    a = gpus.forest.queue("a").orElseThrow();
    gpus.use(a, 8);
  }

  private QueueQuota copied(String queue) {
    return other.forest.queue(queue).orElseThrow();
  }

  private void copy(String tree) {
    other.forest.add(gpus.forest.tree(tree).copy(new Journal()));
  }

  @Test
  void aTreeIsNamedAfterItsRoot() {
    assertThat(gpus.forest.treeNames()).containsExactly("cohort root", "queue alone");
    assertThat(gpus.forest.treeName(a)).isEqualTo("cohort root");
    assertThat(gpus.forest.treeNameOfCohort("right")).hasValue("cohort root");
    assertThat(gpus.forest.treeNameOfCohort("unknown")).isEmpty();
    assertThatThrownBy(() -> gpus.forest.tree("cohort unknown"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> gpus.forest.tree("queue unknown"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aCohortAndAQueueMayHaveTheSameName() {
    gpus.queue("root", quota(1));
    assertThat(gpus.forest.tree("queue root").queues()).hasSize(1);
    assertThat(gpus.forest.tree("cohort root").queues()).hasSize(2);
  }

  @Test
  void aCopyHasTheSameFigures() {
    copy("cohort root");

    for (String queue : new String[] {"a", "b"}) {
      QueueQuota original = gpus.forest.queue(queue).orElseThrow();
      assertThat(other.usage(copied(queue))).isEqualTo(gpus.usage(original));
      assertThat(other.available(copied(queue))).isEqualTo(gpus.available(original));
      assertThat(other.potential(copied(queue))).isEqualTo(gpus.potential(original));
      assertThat(other.level(copied(queue), 20)).isEqualTo(gpus.level(original, 20));
      assertThat(copied(queue).generation()).isEqualTo(original.generation());
      assertThat(copied(queue).layout().queue(copied(queue).node())).isSameAs(copied(queue));
    }
    assertThat(other.forest.queue("alone")).isEmpty();
  }

  @Test
  void usageOfACopyIsItsOwn() {
    copy("cohort root");

    other.use(copied("a"), 4);
    gpus.use(gpus.forest.queue("b").orElseThrow(), 1);

    assertThat(gpus.usage(a)).isEqualTo(8);
    assertThat(other.usage(copied("a"))).isEqualTo(12);
    assertThat(other.usage(copied("b"))).isZero();
  }

  @Test
  void aCopyCanBeRebuiltApart() {
    copy("cohort root");
    copy("queue alone");

    other.forest.put(GpuForest.queueSpec("alone", "right", quota(7)));
    other.forest.rebuild();

    assertThat(other.forest.treeNames()).containsExactly("cohort root");
    assertThat(other.available(copied("alone"))).isEqualTo(7 + 5 + 3 + 2);
    assertThat(gpus.forest.treeNames()).containsExactly("cohort root", "queue alone");
    assertThat(gpus.available(gpus.forest.queue("alone").orElseThrow())).isEqualTo(7);
  }
}
