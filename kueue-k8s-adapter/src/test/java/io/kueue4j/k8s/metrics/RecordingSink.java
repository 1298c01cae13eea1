package io.kueue4j.k8s.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Stores series in maps, and checks the guarantees for sinks. */
final class RecordingSink implements KueueMetrics.Sink {
  private final Map<String, Double> values = new TreeMap<>();
  private final Map<String, List<Double>> observations = new TreeMap<>();

  @Override
  public void add(KueueMetric counter, Map<String, String> tags, double amount) {
    assertThat(counter.type()).isEqualTo(KueueMetric.Type.COUNTER);
    values.merge(key(counter, tags), amount, Double::sum);
  }

  @Override
  public void set(KueueMetric gauge, Map<String, String> tags, double value) {
    assertThat(gauge.type()).isEqualTo(KueueMetric.Type.GAUGE);
    values.put(key(gauge, tags), value);
  }

  @Override
  public void record(KueueMetric histogram, Map<String, String> tags, double value) {
    assertThat(histogram.type()).isEqualTo(KueueMetric.Type.HISTOGRAM);
    observations.computeIfAbsent(key(histogram, tags), key -> new ArrayList<>()).add(value);
  }

  @Override
  public void remove(KueueMetric metric, Map<String, String> tags) {
    String key = key(metric, tags);
    boolean known = values.containsKey(key) || observations.containsKey(key);
    assertThat(known).as("removes only what there is: %s", key).isTrue();
    values.remove(key);
    observations.remove(key);
  }

  private static String key(KueueMetric metric, Map<String, String> tags) {
    List<String> names = List.copyOf(tags.keySet());
    int own = metric.labels().size();
    assertThat(names.subList(0, own)).isEqualTo(metric.labels());
    assertThat(names.subList(own, names.size())).allMatch(name -> name.startsWith("custom_"));
    return metric.metricName() + "{" + Joiner.on(',').withKeyValueSeparator('=').join(tags) + "}";
  }

  /** {@return the value of a series, labels without the role; null if there is none} */
  @Nullable
  Double value(String series) {
    return values.get(series.replace("}", ",replica_role=standalone}"));
  }

  /** {@return the value of a series with all its labels; null if there is none} */
  @Nullable
  Double rawValue(String series) {
    return values.get(series);
  }

  List<Double> observed(String series) {
    return observations.getOrDefault(
        series.replace("}", ",replica_role=standalone}"), ImmutableList.of());
  }

  /** {@return the names of all series that contain the text} */
  List<String> seriesWith(String text) {
    return Stream.concat(values.keySet().stream(), observations.keySet().stream())
        .filter(key -> key.contains(text))
        .toList();
  }
}
