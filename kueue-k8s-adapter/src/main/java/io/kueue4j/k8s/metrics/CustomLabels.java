package io.kueue4j.k8s.metrics;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The labels that series have beside those of their metric.
 *
 * @param labels the labels
 * @param metadata finds what they tell
 */
record CustomLabels(ImmutableList<CustomLabel> labels, CustomLabel.Metadata metadata) {
  static final CustomLabels NONE =
      new CustomLabels(ImmutableList.of(), (source, namespace, name) -> Optional.empty());

  CustomLabels {
    Set<String> names = new HashSet<>();
    for (CustomLabel label : labels) {
      checkArgument(
          names.add(label.source() + " " + label.name()),
          "there are two custom labels called \"%s\" for %s, expected one",
          label.name(),
          label.source());
    }
  }

  /** {@return the tags of a series with those that the labels add} */
  ImmutableMap<String, String> addTo(KueueMetric metric, ImmutableMap<String, String> tags) {
    if (labels.isEmpty()) {
      return tags;
    }
    ImmutableMap.Builder<String, String> all =
        ImmutableMap.<String, String>builder().putAll(tags);
    CustomLabel.Source source = source(metric);
    for (CustomLabel label : labels) {
      if (source != null && label.source() == source) {
        all.put(label.labelName(), label.value(metadata(source, tags)));
      }
    }
    return all.buildOrThrow();
  }

  private Optional<ObjectMeta> metadata(
      CustomLabel.Source source, ImmutableMap<String, String> tags) {
    return switch (source) {
      case LOCAL_QUEUE ->
        metadata.find(source, tags.getOrDefault("namespace", ""), tags.getOrDefault("name", ""));
      case COHORT -> metadata.find(source, "", tags.getOrDefault("cohort", ""));
      case CLUSTER_QUEUE ->
        metadata.find(
            source,
            "",
            tags.getOrDefault("cluster_queue", tags.getOrDefault("preempting_cluster_queue", "")));
    };
  }

  private static CustomLabel.@Nullable Source source(KueueMetric metric) {
    if (metric.group() == MetricGroup.LOCAL_QUEUE) {
      return CustomLabel.Source.LOCAL_QUEUE;
    }
    if (metric.group() == MetricGroup.COHORT) {
      return CustomLabel.Source.COHORT;
    }
    return metric.labels().contains("cluster_queue")
            || metric.labels().contains("preempting_cluster_queue")
        ? CustomLabel.Source.CLUSTER_QUEUE
        : null;
  }
}
