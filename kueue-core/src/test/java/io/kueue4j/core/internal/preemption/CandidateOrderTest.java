package io.kueue4j.core.internal.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.fairness.GpuCohorts;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rule P-9, key by key; its third key is the usage of LocalQueues. */
class CandidateOrderTest {
  private static final Map<String, Double> USAGES =
      Map.of("ns/idle", 0.0, "ns/some", 1.0, "ns/busy", 5.0);

  private final GpuCohorts cohorts = new GpuCohorts()
      .with(
          usageBased("own"),
          usageBased("other"),
          GpuCohorts.queue("plain", "c", 10),
          GpuCohorts.queue("no", "c", 10).admissionMode(AdmissionMode.NO_ADMISSION_FAIR_SHARING));
  private final WorkloadCompiler compiler =
      new WorkloadCompiler(new Catalog(), true, false, true, false);
  private final List<QuotaHolder> candidates = new ArrayList<>();
  private int count;

  private static ClusterQueue.Builder usageBased(String name) {
    return GpuCohorts.queue(name, "c", 10)
        .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
  }

  private QuotaHolder candidate(String name, String queue, String localQueue, int priority) {
    count++;
    Workload workload = Workload.builder()
        .namespace("ns")
        .name(name)
        .uid(name)
        .queueName(localQueue)
        .addPodSets(PodSet.builder().build())
        .build();
    QuotaHolder holder = new QuotaHolder(
        compiler.compile(workload, priority),
        cohorts.queue(queue),
        new FlavorResource[] {cohorts.gpuPair()},
        new long[] {1},
        1000L * count,
        1000L * count,
        Footprint.NONE);
    candidates.add(holder);
    return holder;
  }

  private List<String> sorted(LocalQueueUsage usage) {
    CandidateOrder order = new CandidateOrder(cohorts.queue("own"), usage);
    return order.sorted(candidates, holder -> holder, order).stream()
        .map(holder -> holder.workload().source().name())
        .toList();
  }

  private List<String> sorted() {
    return sorted(localQueue -> USAGES.getOrDefault(localQueue, 0.0));
  }

  @Test
  void higherUsageGoesBeforeLowerPriority() {
    candidate("idle-low", "own", "idle", 0);
    candidate("busy-high", "own", "busy", 10);
    candidate("some", "own", "some", 5);
    assertThat(sorted()).containsExactly("busy-high", "some", "idle-low");
  }

  @Test
  void inOneLocalQueuePriorityThenTimeThenUidDecide() {
    candidate("b", "own", "busy", 5);
    candidate("newer", "own", "busy", 0);
    candidate("newest", "own", "busy", 0);
    assertThat(sorted()).containsExactly("newest", "newer", "b");
  }

  @Test
  void evictedOnesGoBeforeHigherUsage() {
    candidate("busy", "own", "busy", 0);
    candidate("evicted", "own", "idle", 10).evict(0);
    assertThat(sorted()).containsExactly("evicted", "busy");
  }

  @Test
  void otherQueuesGoBeforeHigherUsage() {
    candidate("busy", "own", "busy", 0);
    candidate("foreign", "other", "idle", 10);
    assertThat(sorted()).containsExactly("foreign", "busy");
  }

  @Test
  void usageDoesNotCountBetweenTwoQueues() {
    candidate("busy", "other", "busy", 5);
    candidate("idle", "plain", "idle", 0);
    assertThat(sorted()).containsExactly("idle", "busy");
  }

  @Test
  void usageCountsOnlyInQueuesServedByIt() {
    candidate("idle-low", "plain", "idle", 0);
    candidate("busy-high", "plain", "busy", 10);
    assertThat(sorted()).containsExactly("idle-low", "busy-high");
    candidates.clear();
    candidate("idle-low", "no", "idle", 0);
    candidate("busy-high", "no", "busy", 10);
    assertThat(sorted()).containsExactly("idle-low", "busy-high");
  }

  @Test
  void withoutUsageEverythingIsAsBefore() {
    candidate("idle-low", "own", "idle", 0);
    candidate("busy-high", "own", "busy", 10);
    assertThat(sorted(LocalQueueUsage.NONE)).containsExactly("idle-low", "busy-high");
  }

  /**
   * By usage {@code busy} goes before {@code idle}, by priority {@code idle} before {@code plain}
   * and that before {@code busy}.
   */
  @Test
  void whereTheComparisonGoesRoundEachQueueKeepsItsOrder() {
    candidate("plain", "plain", "idle", 5);
    candidate("idle", "other", "idle", 0);
    candidate("busy", "other", "busy", 10);
    assertThat(sorted()).containsExactly("plain", "busy", "idle");
  }

  @Test
  void manyCandidatesOfManyQueuesAreAlwaysSorted() {
    List<String> queues = List.of("own", "other", "plain", "no");
    List<String> localQueues = List.of("idle", "some", "busy");
    for (int i = 0; i < 500; i++) {
      candidate("w" + i, queues.get(i * 7 % 4), localQueues.get(i * 11 % 3), i * 31 % 17);
    }
    List<String> once = sorted();
    assertThat(once).hasSize(500).doesNotHaveDuplicates();
    Collections.reverse(candidates);
    assertThat(sorted()).isEqualTo(once);
  }
}
