package io.kueue4j.examples.deploy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.examples.cli.RecordedMetrics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Series as Prometheus stores them, in the notation of {@code promtool test rules}: one sample per
 * {@link #INTERVAL}.
 *
 * <p>Of a recording, gauges keep their later value, and counters grow by the difference of both in
 * each interval. Mutable.
 */
final class SampleSeries {
  static final String INTERVAL = "2m";

  private static final int COUNT = 300;

  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z0-9_:]+)(?:\\{(.*)\\})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z0-9_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /**
   * The labels that Prometheus adds by the ServiceMonitor, which keeps the labels of the series.
   */
  private static final ImmutableMap<String, String> TARGET = ImmutableMap.of(
      "job", "kueue4j-controller",
      "namespace", "kueue4j-system",
      "pod", "kueue4j-controller-0");

  private final Map<String, String> values = new LinkedHashMap<>();

  private record Sample(String name, String labels, double value) {}

  private static Map<String, Sample> parse(String text) {
    Map<String, Sample> samples = new LinkedHashMap<>();
    text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
      Matcher sample = SAMPLE.matcher(line);
      if (!sample.matches()) {
        throw new AssertionError("no sample: " + line);
      }
      String labels = sample.group(2) == null ? "" : sample.group(2);
      String number = sample.group(3).replace("+Inf", "Infinity");
      samples.put(
          sample.group(1) + "{" + labels + "}",
          new Sample(sample.group(1), labels, Double.parseDouble(number)));
    });
    return samples;
  }

  /** {@return the series of a recording} */
  static SampleSeries of(RecordedMetrics recorded) {
    Map<String, String> types = new TreeMap<>();
    Matcher type = TYPE.matcher(recorded.after());
    while (type.find()) {
      types.put(type.group(1), type.group(2));
    }
    Map<String, Sample> before = parse(recorded.before());
    SampleSeries series = new SampleSeries();
    parse(recorded.after()).forEach((key, sample) -> {
      boolean isGauge = "gauge".equals(types.get(sample.name()));
      Sample earlier = before.get(key);
      double first = earlier == null ? 0 : earlier.value();
      series.values.put(
          target(sample.name(), sample.labels()),
          isGauge ? constant(sample.value()) : growing(first, sample.value() - first));
    });
    series.put("up", "", constant(1));
    return series;
  }

  static SampleSeries empty() {
    return new SampleSeries();
  }

  static String constant(double value) {
    return growing(value, 0);
  }

  static String growing(double value, double perInterval) {
    return number(value) + "+" + number(perInterval) + "x" + COUNT;
  }

  private static String number(double value) {
    return Double.isInfinite(value) ? "Inf" : Double.toString(value).replace("E", "e");
  }

  private static String target(String name, String labels) {
    Map<String, String> all = new TreeMap<>(TARGET);
    Matcher label = LABEL.matcher(labels);
    while (label.find()) {
      all.put(label.group(1), label.group(2));
    }
    return write(name, all);
  }

  private static String write(String name, Map<String, String> labels) {
    StringBuilder text = new StringBuilder(name).append('{');
    labels.forEach(
        (label, value) -> text.append(label).append("=\"").append(value).append("\","));
    text.setLength(text.length() - 1);
    return text.append('}').toString();
  }

  /** Adds or replaces a series of the controller. */
  @CanIgnoreReturnValue
  SampleSeries put(String name, String labels, String newValues) {
    values.put(target(name, labels), newValues);
    return this;
  }

  /** Adds a series of another target. */
  @CanIgnoreReturnValue
  SampleSeries putOther(String name, Map<String, String> labels, double value) {
    values.put(write(name, labels), constant(value));
    return this;
  }

  /** Replaces the values of each series; the function receives the series and its values. */
  @CanIgnoreReturnValue
  SampleSeries change(BiFunction<String, String, String> change) {
    values.replaceAll(change);
    return this;
  }

  /** {@return the values of a series} */
  String get(String series) {
    String found = values.get(series);
    if (found == null) {
      throw new AssertionError("no series " + series);
    }
    return found;
  }

  /** {@return the names of the series} */
  ImmutableList<String> names() {
    return values.keySet().stream()
        .map(series -> series.substring(0, series.indexOf('{')))
        .distinct()
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return the series of some metrics as a test of promtool takes them} */
  ImmutableList<ImmutableMap<String, String>> input(Set<String> metrics) {
    return values.entrySet().stream()
        .filter(
            entry -> metrics.contains(entry.getKey().substring(0, entry.getKey().indexOf('{'))))
        .map(entry -> ImmutableMap.of("series", entry.getKey(), "values", entry.getValue()))
        .collect(ImmutableList.toImmutableList());
  }
}
