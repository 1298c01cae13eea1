package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableSet;
import com.google.common.util.concurrent.AtomicDouble;
import io.kueue4j.k8s.metrics.KueueMetric;
import io.kueue4j.k8s.metrics.KueueMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.NamingConvention;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores Kueue's metrics in a registry of Micrometer.
 *
 * <p>Their names are kept, also in registries for Prometheus, which would otherwise truncate some
 * of them. For each histogram Micrometer adds a gauge of the recent maximum, with the suffix
 * {@code _max}, which {@link MetricsHandler} does not serve.
 */
public final class MicrometerSink implements KueueMetrics.Sink {
  private static final ImmutableSet<String> NAMES = Arrays.stream(KueueMetric.values())
      .map(KueueMetric::metricName)
      .collect(ImmutableSet.toImmutableSet());

  private final MeterRegistry registry;
  private final Function<? super KueueMetric, List<Double>> buckets;
  private final Map<Series, Meter> meters = new HashMap<>();
  private final Map<Series, AtomicDouble> gauges = new HashMap<>();

  private record Series(KueueMetric metric, Map<String, String> tags) {}

  /** Stores meters in {@code registry}. */
  public MicrometerSink(MeterRegistry registry) {
    this(registry, KueueMetric::buckets);
  }

  /**
   * Stores meters in {@code registry}.
   *
   * @param buckets chooses the buckets of a histogram; without any, its number and sum are stored
   */
  public MicrometerSink(
      MeterRegistry registry, Function<? super KueueMetric, List<Double>> buckets) {
    this.registry = registry;
    this.buckets = buckets;
    registry.config().namingConvention(keepingNames(registry.config().namingConvention()));
  }

  private static NamingConvention keepingNames(NamingConvention otherwise) {
    return new NamingConvention() {
      @Override
      public String name(String name, Meter.Type type, @Nullable String baseUnit) {
        return NAMES.contains(name) ? name : otherwise.name(name, type, baseUnit);
      }

      @Override
      public String tagKey(String key) {
        return otherwise.tagKey(key);
      }

      @Override
      public String tagValue(String value) {
        return otherwise.tagValue(value);
      }
    };
  }

  @Override
  public void add(KueueMetric counter, Map<String, String> tags, double amount) {
    Meter meter = meters.computeIfAbsent(
        new Series(counter, tags),
        series -> Counter.builder(counter.metricName())
            .description(counter.help())
            .tags(tags(tags))
            .register(registry));
    ((Counter) meter).increment(amount);
  }

  @Override
  public void set(KueueMetric gauge, Map<String, String> tags, double value) {
    Series series = new Series(gauge, tags);
    gauges.computeIfAbsent(series, key -> newGauge(key, value)).set(value);
  }

  private AtomicDouble newGauge(Series series, double value) {
    AtomicDouble holder = new AtomicDouble(value);
    meters.put(
        series,
        Gauge.builder(series.metric.metricName(), holder, AtomicDouble::get)
            .description(series.metric.help())
            .tags(tags(series.tags))
            .strongReference(true)
            .register(registry));
    return holder;
  }

  @Override
  public void record(KueueMetric histogram, Map<String, String> tags, double value) {
    Meter meter = meters.computeIfAbsent(
        new Series(histogram, tags),
        series -> Timer.builder(histogram.metricName())
            .description(histogram.help())
            .serviceLevelObjectives(buckets.apply(histogram).stream()
                .map(MicrometerSink::duration)
                .toArray(Duration[]::new))
            .tags(tags(tags))
            .register(registry));
    ((Timer) meter).record(duration(value));
  }

  /**
   * Converts to a duration: all histograms measure times, and Micrometer's others round up to
   * integers.
   */
  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  @Override
  public void remove(KueueMetric metric, Map<String, String> tags) {
    Series series = new Series(metric, tags);
    gauges.remove(series);
    Meter meter = meters.remove(series);
    if (meter != null) {
      registry.remove(meter);
    }
  }

  private static Tags tags(Map<String, String> tags) {
    return Tags.of(tags.entrySet().stream()
        .map(tag -> Tag.of(tag.getKey(), tag.getValue()))
        .toList());
  }
}
