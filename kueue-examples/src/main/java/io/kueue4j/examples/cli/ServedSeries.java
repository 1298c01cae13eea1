package io.kueue4j.examples.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import io.kueue4j.examples.monitoring.MicrometerSink;
import io.kueue4j.k8s.metrics.KueueMetric;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The series of Kueue's metrics that a controller serves: what its dashboard and alerts read, so
 * that a ClusterQueue with its LocalQueue takes less than 2 kB of Prometheus' text. All series with
 * all buckets take ten times as much.
 *
 * <p>Series of queues and cohorts have no {@code replica_role}, because only the replica that leads
 * has them. Histograms of queues count all priority classes together, and have few buckets or none.
 * What is not so is left out: a status other than {@code active}, and a share that is zero.
 */
final class ServedSeries implements KueueMetrics.Sink {
  private static final ImmutableSet<KueueMetric.Group> COMPLETE =
      Sets.immutableEnumSet(KueueMetric.Group.HEALTH, KueueMetric.Group.COHORT);

  private static final ImmutableSet<KueueMetric> OF_QUEUES = Sets.immutableEnumSet(
      KueueMetric.PENDING_WORKLOADS,
      KueueMetric.UNADMITTED_WORKLOADS,
      KueueMetric.ADMITTED_ACTIVE_WORKLOADS,
      KueueMetric.ADMITTED_WORKLOADS_TOTAL,
      KueueMetric.ADMISSION_WAIT_TIME_SECONDS,
      KueueMetric.FINISHED_WORKLOADS_TOTAL,
      KueueMetric.EXECUTION_TIME_SECONDS,
      KueueMetric.EVICTED_WORKLOADS_TOTAL,
      KueueMetric.PREEMPTED_WORKLOADS_TOTAL,
      KueueMetric.WORKLOAD_EVICTION_LATENCY_SECONDS,
      KueueMetric.CLUSTER_QUEUE_STATUS,
      KueueMetric.CLUSTER_QUEUE_INFO,
      KueueMetric.CLUSTER_QUEUE_WEIGHTED_SHARE,
      KueueMetric.CLUSTER_QUEUE_RESOURCE_PENDING,
      KueueMetric.CLUSTER_QUEUE_RESOURCE_RESERVATION,
      KueueMetric.CLUSTER_QUEUE_NOMINAL_QUOTA,
      KueueMetric.LOCAL_QUEUE_PENDING_WORKLOADS,
      KueueMetric.LOCAL_QUEUE_ADMITTED_ACTIVE_WORKLOADS,
      KueueMetric.PROMISED_WORKLOADS,
      KueueMetric.PROMISE_CHANGES_TOTAL,
      KueueMetric.PROMISED_STARTS_TOTAL,
      KueueMetric.PROMISE_DELAY_SECONDS);

  /** Among Kueue's; the alert about slow admissions needs some on both sides of four hours. */
  private static final Set<Double> BUCKETS = ImmutableSet.of(40.0, 640.0, 10_240.0, 20_480.0);

  private final KueueMetrics.Sink sink;

  ServedSeries(MeterRegistry registry) {
    sink = new MicrometerSink(registry, ServedSeries::buckets);
  }

  private static List<Double> buckets(KueueMetric histogram) {
    if (COMPLETE.contains(histogram.group())) {
      return histogram.buckets();
    }
    return histogram == KueueMetric.EXECUTION_TIME_SECONDS
        ? ImmutableList.of()
        : histogram.buckets().stream()
            .filter(BUCKETS::contains)
            .collect(ImmutableList.toImmutableList());
  }

  private static boolean isServed(KueueMetric metric) {
    return COMPLETE.contains(metric.group()) || OF_QUEUES.contains(metric);
  }

  @Override
  public void add(KueueMetric counter, Map<String, String> tags, double amount) {
    if (isServed(counter)) {
      sink.add(counter, served(counter, tags), amount);
    }
  }

  @Override
  public void set(KueueMetric gauge, Map<String, String> tags, double value) {
    if (!isServed(gauge)) {
      return;
    }
    if (value == 0 && isZeroLeftOut(gauge, tags)) {
      remove(gauge, tags);
    } else {
      sink.set(gauge, served(gauge, tags), value);
    }
  }

  private static boolean isZeroLeftOut(KueueMetric gauge, Map<String, String> tags) {
    return gauge == KueueMetric.CLUSTER_QUEUE_WEIGHTED_SHARE
        || (gauge == KueueMetric.CLUSTER_QUEUE_STATUS && !"active".equals(tags.get("status")));
  }

  @Override
  public void record(KueueMetric histogram, Map<String, String> tags, double value) {
    if (isServed(histogram)) {
      sink.record(histogram, served(histogram, tags), value);
    }
  }

  @Override
  public void remove(KueueMetric metric, Map<String, String> tags) {
    sink.remove(metric, served(metric, tags));
  }

  private static Map<String, String> served(KueueMetric metric, Map<String, String> tags) {
    return metric.group() == KueueMetric.Group.HEALTH
        ? tags
        : ImmutableMap.copyOf(Maps.filterKeys(
            tags,
            label -> !label.equals("replica_role")
                && !(metric.type() == KueueMetric.Type.HISTOGRAM
                    && label.equals("priority_class"))));
  }
}
