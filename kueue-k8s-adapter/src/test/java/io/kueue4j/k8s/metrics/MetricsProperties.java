package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Counters and gauges agree, whatever happens. */
class MetricsProperties {
  static final int JOBS = 6;

  /** Sums of series by metric. */
  private static final class Sums implements KueueMetrics.Sink {
    private final Map<KueueMetric, Double> counters = new HashMap<>();
    private final Map<KueueMetric, Map<Map<String, String>, Double>> gauges = new HashMap<>();

    @Override
    public void add(KueueMetric counter, Map<String, String> tags, double amount) {
      counters.merge(counter, amount, Double::sum);
    }

    @Override
    public void set(KueueMetric gauge, Map<String, String> tags, double value) {
      gauges.computeIfAbsent(gauge, key -> new HashMap<>()).put(tags, value);
    }

    @Override
    public void record(KueueMetric histogram, Map<String, String> tags, double value) {
      assertThat(value).isNotNegative();
      counters.merge(histogram, 1.0, Double::sum);
    }

    @Override
    public void remove(KueueMetric metric, Map<String, String> tags) {
      gauges.getOrDefault(metric, new HashMap<>()).remove(tags);
    }

    double counted(KueueMetric metric) {
      return counters.getOrDefault(metric, 0.0);
    }

    double gauge(KueueMetric metric) {
      return gauges.getOrDefault(metric, Map.of()).values().stream()
          .mapToDouble(value -> value)
          .sum();
    }
  }

  private final Sums sums = new Sums();
  private final KueueMetrics metrics = KueueMetrics.builder(sums).build();
  private long seconds;
  private final AdmissionEngine engine = AdmissionEngine.builder()
      .clock(() -> Instant.ofEpochSecond(seconds))
      .listener(metrics, failure -> {
        throw new InternalError("metrics must not fail", failure);
      })
      .build();
  private double released;

  private static Workload job(int number) {
    return Workload.builder()
        .namespace("ns")
        .name("job-" + number)
        .queueName(number % 2 == 0 ? "a" : "b")
        .priority(number / 2)
        .creationTime(Instant.EPOCH)
        .addPodSets(
            PodSet.builder().count(1 + number % 3).requestAmount("cpu", 1000).build())
        .build();
  }

  private void act(int action, int number) {
    WorkloadId id = job(number).id();
    boolean known = isKnown(id);
    boolean holds = engine.admission(id).isPresent();
    switch (action) {
      case 0 -> engine.submit(job(number));
      case 1 -> metrics.attempt(engine::runCycle);
      case 2 -> {
        AdmissionResult unused = engine.tryAdmit(job(number)).result();
      }
      case 3 -> {
        boolean stopping = known && holds && isStopping(id);
        engine.podsStopped(id);
        if (stopping) {
          assertThat(isStopping(id)).isFalse();
          released++;
        }
      }
      case 4 -> {
        if (known) {
          engine.lifecycle().evict(id, EvictionReason.NODE_FAILURES, "gone");
        }
      }
      case 5 -> released += !engine.finish(id).removed().isEmpty() && holds ? 1 : 0;
      case 6 -> released += !engine.delete(id).removed().isEmpty() && holds ? 1 : 0;
      default -> seconds += 3;
    }
  }

  private boolean isStopping(WorkloadId id) {
    return engine.view().clusterQueues().stream()
        .anyMatch(queue -> queue.stopping().contains(id));
  }

  private boolean isKnown(WorkloadId id) {
    return engine.view().clusterQueues().stream()
        .anyMatch(queue -> queue.pending().contains(id)
            || queue.inadmissible().contains(id)
            || queue.admitted().stream()
                .anyMatch(admission -> admission.workload().equals(id)));
  }

  @Property(tries = 150)
  void whatWasReservedIsHeldOrWasGivenBack(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 7 * JOBS + 5) Integer> calls) {
    engine.apply(ResourceFlavor.of("f"));
    for (String name : new String[] {"a", "b"}) {
      engine.apply(
          ClusterQueue.builder()
              .name(name)
              .cohort("c")
              .namespaceSelector(LabelSelector.everything())
              .preemption(Preemption.builder()
                  .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                  .reclaimWithinCohort(Preemption.Policy.ANY)
                  .build())
              .addResourceGroups(
                  ResourceGroup.of(FlavorQuotas.of("f", ResourceQuota.of("cpu", "2"))))
              .build(),
          LocalQueue.of("ns", name, name));
    }
    for (int call : calls) {
      act(call / JOBS, call % JOBS);
      metrics.refresh(engine);
      double reserving = sums.gauge(KueueMetric.RESERVING_ACTIVE_WORKLOADS);
      assertThat(sums.counted(KueueMetric.QUOTA_RESERVED_WORKLOADS_TOTAL) - released)
          .isEqualTo(reserving);
      assertThat(sums.gauge(KueueMetric.LOCAL_QUEUE_RESERVING_ACTIVE_WORKLOADS))
          .isEqualTo(reserving);
      assertThat(sums.gauge(KueueMetric.COHORT_SUBTREE_ADMITTED_ACTIVE_WORKLOADS))
          .isEqualTo(sums.gauge(KueueMetric.ADMITTED_ACTIVE_WORKLOADS));
      assertThat(sums.gauge(KueueMetric.PENDING_WORKLOADS))
          .isEqualTo(engine.view().clusterQueues().stream()
              .mapToInt(ClusterQueueView::waitingCount)
              .sum());
      assertThat(sums.gauge(KueueMetric.LOCAL_QUEUE_RESOURCE_RESERVATION))
          .isEqualTo(sums.gauge(KueueMetric.CLUSTER_QUEUE_RESOURCE_RESERVATION));
      assertThat(sums.gauge(KueueMetric.COHORT_SUBTREE_RESOURCE_RESERVATIONS))
          .isEqualTo(sums.gauge(KueueMetric.CLUSTER_QUEUE_RESOURCE_RESERVATION));
      assertThat(sums.counted(KueueMetric.EVICTED_WORKLOADS_TOTAL))
          .isGreaterThanOrEqualTo(sums.counted(KueueMetric.WORKLOAD_EVICTION_LATENCY_SECONDS))
          .isGreaterThanOrEqualTo(sums.counted(KueueMetric.PREEMPTED_WORKLOADS_TOTAL));
    }
  }
}
