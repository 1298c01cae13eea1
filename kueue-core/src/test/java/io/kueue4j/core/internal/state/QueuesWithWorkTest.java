package io.kueue4j.core.internal.state;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.queue.QueueRules;
import io.kueue4j.core.internal.quota.Forest;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueuesWithWorkTest {
  private static final Instant NOW = Instant.ofEpochSecond(1000);

  private final Catalog catalog = new Catalog();
  private final Forest forest = new Forest(catalog);
  private final WorkloadCompiler compiler = new WorkloadCompiler(catalog, true, false, true, false);
  private final Map<String, QueueState> queues = new HashMap<>();
  private final QueuesWithWork agenda = new QueuesWithWork(new Journal());

  private QueueState queue(String name) {
    QueueState queue = new QueueState(
        forest.put(ClusterQueue.builder().name(name).build()),
        new PendingQueue(new QueueRules(true, true)));
    queues.put(name, queue);
    return queue;
  }

  private PendingWorkload push(QueueState queue, boolean requeued) {
    Workload workload = Workload.builder()
        .namespace("team")
        .name("job")
        .queueName("queue")
        .requeued(requeued)
        .addPodSets(PodSet.builder().build())
        .build();
    PendingWorkload pending = new PendingWorkload(
        compiler.compile(workload, 0), "the record", 0, requeued ? Instant.MIN : Instant.MAX);
    queue.pending().push(pending, NOW);
    agenda.add(queue);
    return pending;
  }

  private List<String> names() {
    return agenda.inOrder(name -> requireNonNull(queues.get(name))).stream()
        .map(QueueState::name)
        .toList();
  }

  @Test
  void listsQueuesWithWorkByName() {
    for (String name : List.of("b", "d", "a", "c")) {
      push(queue(name), true);
    }
    agenda.add(queue("idle"));

    assertThat(names()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void dropsAQueueWithoutWorkUntilItHasSomeAgain() {
    QueueState queue = queue("a");
    push(queue, true);
    queue.pending().pop();

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
    agenda.add(queue);

    assertThat(names()).containsExactly("a");
  }

  @Test
  void forgetsAQueueThatWasRemoved() {
    QueueState queue = queue("a");
    push(queue, true);
    push(queue("b"), true);

    agenda.remove(queue);

    assertThat(names()).containsExactly("b");
  }
}
