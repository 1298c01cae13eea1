package io.kueue4j.k8s.metrics;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.WorkloadId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The series written so far; finds those whose objects no longer exist and removes them.
 * Thread-safe; calls of the sink never overlap.
 */
final class Series {
  private final KueueMetrics.Sink sink;
  private final ImmutableSet<KueueMetric.Group> groups;
  private final Supplier<KueueMetrics.ReplicaRole> role;
  private final CustomLabels labels;

  /** The series with their sequence numbers, which increase with every new one. */
  private final Map<Key, Long> known = new LinkedHashMap<>();

  private long count;

  /** A series. */
  record Key(KueueMetric metric, ImmutableMap<String, String> tags) {}

  Series(
      KueueMetrics.Sink sink,
      ImmutableSet<KueueMetric.Group> groups,
      Supplier<KueueMetrics.ReplicaRole> role,
      CustomLabels labels) {
    this.sink = sink;
    this.groups = groups;
    this.role = role;
    this.labels = labels;
  }

  /** {@return whether a metric is enabled} */
  boolean has(KueueMetric metric) {
    return has(metric.group());
  }

  /** {@return whether the metrics of a group are enabled} */
  boolean has(KueueMetric.Group group) {
    return groups.contains(group);
  }

  /** {@return the series with the given label values, as written by this replica} */
  Key key(KueueMetric metric, String... values) {
    return new Key(metric, labels.addTo(metric, metric.tags(role.get(), values)));
  }

  /** {@return whether series of a metric have labels with metadata of workloads} */
  boolean tellsWorkloads(KueueMetric metric) {
    return labels.tellWorkloads(metric);
  }

  /** {@return the series that counts a workload} */
  Key key(KueueMetric metric, WorkloadId workload, String... values) {
    ImmutableMap<String, String> more = labels.ofWorkload(metric, workload);
    Key key = key(metric, values);
    return more.isEmpty()
        ? key
        : new Key(
            metric,
            ImmutableMap.<String, String>builder().putAll(key.tags).putAll(more).buildOrThrow());
  }

  synchronized void increment(KueueMetric counter, WorkloadId workload, String... values) {
    if (has(counter)) {
      sink.add(counter, note(key(counter, workload, values)).tags, 1);
    }
  }

  synchronized void record(
      KueueMetric histogram, WorkloadId workload, double value, String... values) {
    if (has(histogram)) {
      sink.record(histogram, note(key(histogram, workload, values)).tags, value);
    }
  }

  synchronized void increment(KueueMetric counter, String... values) {
    if (has(counter)) {
      sink.add(counter, note(key(counter, values)).tags, 1);
    }
  }

  synchronized void record(KueueMetric histogram, double value, String... values) {
    if (has(histogram)) {
      sink.record(histogram, note(key(histogram, values)).tags, value);
    }
  }

  /**
   * {@return a lower bound for the sequence numbers of series written for the first time from now
   * on}
   */
  synchronized long mark() {
    return count;
  }

  /**
   * Sets all gauges, and removes obsolete series: gauges that are not among the given ones, and
   * series older than {@code mark} that match {@code isGone}.
   */
  synchronized void refresh(Map<Key, Double> gauges, long mark, Predicate<Key> isGone) {
    Iterator<Map.Entry<Key, Long>> all = known.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Key, Long> each = all.next();
      Key key = each.getKey();
      boolean gone = key.metric.type() == KueueMetric.Type.GAUGE
          ? !gauges.containsKey(key)
          : each.getValue() < mark && isGone.test(key);
      if (gone) {
        all.remove();
        sink.remove(key.metric, key.tags);
      }
    }
    gauges.forEach((key, value) -> sink.set(key.metric, note(key).tags, value));
  }

  private Key note(Key key) {
    if (known.putIfAbsent(key, count) == null) {
      count++;
    }
    return key;
  }
}
