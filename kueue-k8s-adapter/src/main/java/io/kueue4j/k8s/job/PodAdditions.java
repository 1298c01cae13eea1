package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a job adds to its pods beyond their template. */
record PodAdditions(
    Map<String, String> labels,
    Map<String, String> annotations,
    Map<String, String> nodeSelector,
    ImmutableList<Toleration> tolerations,
    ImmutableList<PodSchedulingGate> schedulingGates) {

  /** Reads an object that has the five fields itself. */
  static PodAdditions read(JobFields fields, RawPath path) {
    return new PodAdditions(
        fields.texts(path.field("labels")),
        fields.texts(path.field("annotations")),
        fields.texts(path.field("nodeSelector")),
        fields.objects(path.field("tolerations"), Toleration.class),
        fields.objects(path.field("schedulingGates"), PodSchedulingGate.class));
  }

  /** {@return the difference between the templates of {@code before} and {@code after}} */
  static PodAdditions between(JobPodSet before, JobPodSet after) {
    ObjectMeta metadataBefore = metadata(before);
    ObjectMeta metadataAfter = metadata(after);
    PodSpec specBefore = spec(before);
    PodSpec specAfter = spec(after);
    return new PodAdditions(
        added(metadataBefore.getLabels(), metadataAfter.getLabels()),
        added(metadataBefore.getAnnotations(), metadataAfter.getAnnotations()),
        added(specBefore.getNodeSelector(), specAfter.getNodeSelector()),
        added(specBefore.getTolerations(), specAfter.getTolerations()),
        added(specBefore.getSchedulingGates(), specAfter.getSchedulingGates()));
  }

  /**
   * {@return a copy of {@code pod} with these additions}
   *
   * @throws JobStartException if the pod has a key with another value
   */
  Pod addTo(Pod pod, JobPodSet podSet) {
    ObjectMeta metadata = JobMetadata.metadata(pod);
    PodSpec spec = Objects.requireNonNullElseGet(pod.getSpec(), PodSpec::new);
    checkConflicts(podSet, "metadata.labels", metadata.getLabels(), labels);
    checkConflicts(podSet, "metadata.annotations", metadata.getAnnotations(), annotations);
    checkConflicts(podSet, "spec.nodeSelector", spec.getNodeSelector(), nodeSelector);
    PodSpecBuilder edited = new PodSpecBuilder(spec);
    edited.addToNodeSelector(nodeSelector);
    tolerations.stream()
        .filter(toleration -> !spec.getTolerations().contains(toleration))
        .forEach(edited::addToTolerations);
    schedulingGates.stream()
        .filter(gate -> !spec.getSchedulingGates().contains(gate))
        .forEach(edited::addToSchedulingGates);
    return new PodBuilder(pod)
        .withMetadata(new ObjectMetaBuilder(metadata)
            .addToLabels(labels)
            .addToAnnotations(annotations)
            .build())
        .withSpec(edited.build())
        .build();
  }

  private static void checkConflicts(
      JobPodSet podSet,
      String field,
      @Nullable Map<String, String> present,
      Map<String, String> added) {
    added.forEach((key, value) -> {
      String given = present == null ? null : present.get(key);
      if (given != null && !given.equals(value)) {
        throw JobStartException.conflict(podSet, field, key, given, value);
      }
    });
  }

  private static Map<String, String> added(
      @Nullable Map<String, String> before, @Nullable Map<String, String> after) {
    Map<String, String> added = new LinkedHashMap<>();
    if (after != null) {
      added.putAll(after);
    }
    if (before != null) {
      added.entrySet().removeAll(before.entrySet());
    }
    return added;
  }

  private static <T> ImmutableList<T> added(@Nullable List<T> before, @Nullable List<T> after) {
    return Elements.<T>of(after).stream()
        .filter(item -> before == null || !before.contains(item))
        .collect(ImmutableList.toImmutableList());
  }

  private static ObjectMeta metadata(JobPodSet podSet) {
    return Objects.requireNonNullElseGet(podSet.template().getMetadata(), ObjectMeta::new);
  }

  private static PodSpec spec(JobPodSet podSet) {
    return Objects.requireNonNullElseGet(podSet.template().getSpec(), PodSpec::new);
  }

  private boolean isEmpty() {
    return labels.isEmpty()
        && annotations.isEmpty()
        && nodeSelector.isEmpty()
        && tolerations.isEmpty()
        && schedulingGates.isEmpty();
  }

  /** {@return a copy of {@code template} with these additions, which override its values} */
  PodTemplateSpec addTo(PodTemplateSpec template) {
    if (isEmpty()) {
      return template;
    }
    ObjectMetaBuilder metadata = template.getMetadata() == null
        ? new ObjectMetaBuilder()
        : new ObjectMetaBuilder(template.getMetadata());
    PodSpecBuilder spec =
        template.getSpec() == null ? new PodSpecBuilder() : new PodSpecBuilder(template.getSpec());
    Map<String, String> selector = new LinkedHashMap<>();
    if (template.getSpec() != null && template.getSpec().getNodeSelector() != null) {
      selector.putAll(template.getSpec().getNodeSelector());
    }
    selector.putAll(nodeSelector);
    return new PodTemplateSpecBuilder(template)
        .withMetadata(metadata.addToLabels(labels).addToAnnotations(annotations).build())
        .withSpec(spec.withNodeSelector(selector)
            .addAllToTolerations(tolerations)
            .addAllToSchedulingGates(schedulingGates)
            .build())
        .build();
  }
}
