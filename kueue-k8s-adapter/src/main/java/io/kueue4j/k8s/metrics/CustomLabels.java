package io.kueue4j.k8s.metrics;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.kueue4j.core.model.WorkloadId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The custom labels of series, in addition to the labels of their metric.
 *
 * @param labels the labels
 * @param metadata finds the metadata of objects
 */
record CustomLabels(ImmutableList<CustomLabel> labels, CustomLabel.Metadata metadata) {
  static final CustomLabels NONE =
      new CustomLabels(ImmutableList.of(), (source, namespace, name) -> Optional.empty());

  private static final ImmutableSet<KueueMetric> OF_WORKLOADS = Sets.immutableEnumSet(
      KueueMetric.PENDING_WORKLOADS,
      KueueMetric.ADMITTED_ACTIVE_WORKLOADS,
      KueueMetric.LOCAL_QUEUE_ADMITTED_ACTIVE_WORKLOADS,
      KueueMetric.LOCAL_QUEUE_ADMITTED_WORKLOADS_TOTAL,
      KueueMetric.LOCAL_QUEUE_ADMISSION_WAIT_TIME_SECONDS);

  CustomLabels {
    Set<String> names = new HashSet<>();
    for (CustomLabel label : labels) {
      checkArgument(
          names.add(label.source() + " " + label.name()),
          "there are two custom labels called \"%s\" for %s, expected one",
          label.name(),
          label.source());
      checkArgument(
          label.source() != CustomLabel.Source.WORKLOAD
              || !label.trackedValues().isEmpty(),
          "the custom label \"%s\" for workloads tracks any value, expected withTrackedValues, as"
              + " each value makes up series of its own",
          label.name());
    }
    for (CustomLabel label : labels) {
      checkArgument(
          label.source() != CustomLabel.Source.WORKLOAD
              || (!names.contains(CustomLabel.Source.CLUSTER_QUEUE + " " + label.name())
                  && !names.contains(CustomLabel.Source.LOCAL_QUEUE + " " + label.name())),
          "the custom label \"%s\" is for workloads and for queues, expected different names, as"
              + " some series have both",
          label.name());
    }
  }

  /** {@return whether series of that metric have labels with metadata of workloads} */
  boolean tellWorkloads(KueueMetric metric) {
    return OF_WORKLOADS.contains(metric)
        && labels.stream().anyMatch(label -> label.source() == CustomLabel.Source.WORKLOAD);
  }

  /** {@return the custom tags of a series of that metric for a workload} */
  ImmutableMap<String, String> ofWorkload(KueueMetric metric, WorkloadId workload) {
    if (!tellWorkloads(metric)) {
      return ImmutableMap.of();
    }
    // An attempt on one flavor is reported as its workload.
    String name = Splitter.on('[').split(workload.name()).iterator().next();
    Optional<ObjectMeta> found =
        metadata.find(CustomLabel.Source.WORKLOAD, workload.namespace(), name);
    return labels.stream()
        .filter(label -> label.source() == CustomLabel.Source.WORKLOAD)
        .collect(toImmutableMap(CustomLabel::labelName, label -> label.value(found)));
  }

  /** {@return the tags of a series with the custom labels added} */
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
      case WORKLOAD -> Optional.empty();
    };
  }

  private static CustomLabel.@Nullable Source source(KueueMetric metric) {
    if (metric.group() == KueueMetric.Group.LOCAL_QUEUE) {
      return CustomLabel.Source.LOCAL_QUEUE;
    }
    if (metric.group() == KueueMetric.Group.COHORT) {
      return CustomLabel.Source.COHORT;
    }
    return metric.labels().contains("cluster_queue")
            || metric.labels().contains("preempting_cluster_queue")
        ? CustomLabel.Source.CLUSTER_QUEUE
        : null;
  }
}
