package io.kueue4j.core.internal.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Lists;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.WorkloadCompiler;
import io.kueue4j.core.internal.fairness.GpuCohorts;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rule P-9, key by key; its third key is the usage of LocalQueues. */
class CandidateOrderTest {
  private static final Map<String, Double> USAGES =
      Map.of("ns/idle", 0.0, "ns/some", 1.0, "ns/busy", 5.0);

  private final PreemptionFixture fixture = new PreemptionFixture();
  private final GpuCohorts cohorts = fixture.cohorts.with(
      usageBased("own")
          .preemption(Preemption.builder()
              .withinClusterQueue(Preemption.Policy.ANY)
              .reclaimWithinCohort(Preemption.Policy.ANY)
              .build()),
      usageBased("other"),
      GpuCohorts.queue("plain", "c", 0),
      GpuCohorts.queue("no", "c", 0).admissionMode(AdmissionMode.NO_ADMISSION_FAIR_SHARING));
  private final WorkloadCompiler compiler =
      new WorkloadCompiler(new Catalog(), Settings.defaults());
  private final List<QuotaHolder> candidates = new ArrayList<>();
  private int count;

  private static ClusterQueue.Builder usageBased(String name) {
    return GpuCohorts.queue(name, "c", 0)
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
        compiler.compile(workload, ImmutableSortedMap.of(), priority),
        queue,
        new FlavorResource[] {cohorts.gpuPair()},
        new long[] {1},
        1000L * count,
        1000L * count,
        false,
        Footprint.NONE);
    add(holder);
    return holder;
  }

  private void add(QuotaHolder holder) {
    cohorts.queue(holder.clusterQueue()).add(holder);
    candidates.add(holder);
  }

  private void clear() {
    candidates.forEach(holder -> cohorts.queue(holder.clusterQueue()).remove(holder));
    candidates.clear();
  }

  private List<String> sorted(LocalQueueUsage usage) {
    Preemptor preemptor = fixture.preemptor("own", 20);
    Demand demand = fixture.demand("own", 1);
    List<String> names = new ArrayList<>();
    new ClassicalCandidates(
            CandidateIndex.of(preemptor, demand.needed(), usage),
            preemptor,
            demand,
            CandidateLevel.of(preemptor.queue(), demand),
            false)
        .forEachRemaining(
            candidate -> names.add(candidate.holder().workload().source().name()));
    return names;
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
    QuotaHolder idle = candidate("evicted", "own", "idle", 10);
    cohorts.queue("own").replace(idle, idle.evicted(0));
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
    clear();
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
    List<QuotaHolder> reversed = Lists.reverse(List.copyOf(candidates));
    clear();
    reversed.forEach(this::add);
    assertThat(sorted()).isEqualTo(once);
  }
}
