package io.kueue4j.core.internal.state;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which ClusterQueues have work for a cycle. */
class QueueStoreTest {
  private static final Instant NOW = Instant.ofEpochSecond(1000);

  private final StateContext context =
      new StateContext(Settings.defaults(), new Catalog(), new Journal());
  private final Configuration configuration = new Configuration(context);
  private final QueueStore queues = new QueueStore(
      context,
      configuration,
      new UsageLedger(AdmissionFairSharing.of(Duration.ZERO), context.journal()),
      new PreemptionHistory(Optional.empty(), context.journal()));
  private final WorkloadStore workloads = new WorkloadStore(context, configuration, queues);

  private QueueState queue(String name) {
    return queues.put(ClusterQueue.builder().name(name).build());
  }

  private PendingWorkload push(QueueState queue, boolean requeued) {
    Workload workload = Workload.builder()
        .namespace("team")
        .name("job")
        .queueName("queue")
        .addPodSets(PodSet.builder().build())
        .build();
    PendingWorkload pending = new PendingWorkload(
        workloads.compile(workload, ImmutableSortedMap.of()),
        "the record",
        0,
        requeued ? Instant.MIN : Instant.MAX);
    queue.pending().push(pending, NOW);
    queues.changed(queue);
    return pending;
  }

  private List<String> names() {
    return queues.withWork().stream().map(QueueState::name).toList();
  }

  @Test
  void listsQueuesWithWorkByName() {
    for (String name : List.of("b", "d", "a", "c")) {
      push(queue(name), true);
    }
    queues.changed(queue("idle"));

    assertThat(names()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void dropsAQueueWithoutWorkUntilItHasSomeAgain() {
    QueueState queue = queue("a");
    push(queue, true);
    queue.pending().leave(requireNonNull(queue.pending().head()));

    assertThat(names()).isEmpty();

    push(queue, true);
    assertThat(names()).containsExactly("a");
  }

  @Test
  void keepsAQueueWhoseWorkloadsWaitForTheirTime() {
    QueueState queue = queue("a");
    PendingWorkload pending = push(queue, false);

    assertThat(names()).containsExactly("a");

    queue.pending().leave(pending);
    assertThat(names()).isEmpty();
  }

  @Test
  void listsAQueueOnceHoweverOftenItIsAdded() {
    QueueState queue = queue("a");
    push(queue, true);
    queues.changed(queue);

    assertThat(names()).containsExactly("a");
  }

  @Test
  void forgetsAQueueThatWasRemoved() {
    QueueState queue = queue("a");
    push(queue, true);
    push(queue("b"), true);

    queues.remove(queue);

    assertThat(names()).containsExactly("b");
  }
}
