package io.kueue4j.examples.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.simulation.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WatchQueueTest {
  private final StrictCluster cluster =
      StrictCluster.create(ServerVersion.KUBERNETES_1_35, VirtualClock.create());
  private final WatchQueue queue = WatchQueue.open(cluster);

  private Job create(String name) {
    return cluster.create("anna", ApiContract.job(name));
  }

  private Job scale(Job job, int parallelism) {
    return cluster.replace(
        "anna",
        job.toBuilder().editSpec().withParallelism(parallelism).endSpec().build());
  }

  private static String text(ClusterEvent event) {
    HasMetadata object = event.object();
    return (event.isDeleted() ? "deleted " : "changed ") + object.getMetadata().getName() + " "
        + object.getMetadata().getResourceVersion();
  }

  private List<String> rest() {
    List<String> texts = new ArrayList<>();
    for (Optional<ClusterEvent> event = queue.next(); event.isPresent(); event = queue.next()) {
      texts.add(text(event.get()));
    }
    return texts;
  }

  @Test
  void tellsWhatHappensInOrder() {
    assertThat(queue.list())
        .extracting(object -> object.getMetadata().getName())
        .containsExactly("default");

    Job a = create("a");
    create("b");
    scale(a, 2);
    cluster.delete("anna", ObjectKey.of(a));

    assertThat(rest()).containsExactly("changed a 2", "changed b 3", "changed a 4", "deleted a 5");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void keepsTheOrderOfOneObjectWhateverElseItMixes() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Job a = create("a" + seed);
      Job b = create("b" + seed);
      scale(scale(a, 2), 3);
      scale(b, 2);
      List<ClusterEvent> received = new ArrayList<>();
      while (!queue.isEmpty()) {
        queue.nextOfAny(random).ifPresent(received::add);
      }
      for (Job job : List.of(a, b)) {
        assertThat(received)
            .filteredOn(event ->
                event.object().getMetadata().getName().equals(job.getMetadata().getName()))
            .extracting(event -> Long.valueOf(event.object().getMetadata().getResourceVersion()))
            .isSorted();
      }
    }
  }

  @Test
  void repeatsOldVersions() {
    Job a = create("a");
    scale(a, 2);
    rest();

    List<String> repeated = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      queue.repeat(new Random(i)).ifPresent(event -> repeated.add(text(event)));
    }

    assertThat(repeated).contains("changed a 2", "changed a 3");
  }

  @Test
  void aNewListTellsWhatIsOtherwiseThanWasKnown() {
    queue.list();
    Job gone = create("gone");
    Job changed = create("changed");
    create("same");
    rest();
    scale(scale(changed, 2), 3);
    cluster.delete("anna", ObjectKey.of(gone));
    Job brief = create("brief");
    cluster.delete("anna", ObjectKey.of(brief));
    create("new");

    queue.relist();

    assertThat(rest())
        .as("not what came and went, and of what is gone the last known version")
        .containsExactly("changed changed 6", "changed new 10", "deleted gone 2");
  }
}
