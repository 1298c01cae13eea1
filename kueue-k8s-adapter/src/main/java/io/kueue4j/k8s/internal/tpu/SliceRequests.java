package io.kueue4j.k8s.internal.tpu;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The TPU slices that pods request with the annotation
 * {@code cloud.google.com/gke-tpu-slice-topology}, or by selecting nodes by
 * {@code cloud.google.com/gke-tpu-topology}.
 *
 * <p>Rules: TPU-U-1, TPU-U-19, TPU-U-21, TPU-U-22, TPU-U-24, TPU-U-31.
 *
 * @since 0.1.0
 */
public final class SliceRequests {
  private final PodTemplates.Located template;
  private final long chipsPerPod;
  private final int pods;
  private final int parts;
  private final ImmutableList.Builder<Violation> violations = ImmutableList.builder();
  private final Optional<SliceRequest> request;

  /**
   * Reads a template.
   *
   * @param template the template
   * @param chipsPerPod the chips that one pod requests, 0 for none
   * @param pods the number of pods
   * @param parts the number of equal parts of the pods that must not share a slice with each other,
   *     1 if sharing is allowed
   */
  public SliceRequests(PodTemplates.Located template, long chipsPerPod, int pods, int parts) {
    this.template = template;
    this.chipsPerPod = chipsPerPod;
    this.pods = pods;
    this.parts = parts;
    this.request = chipsPerPod > 0 && pods > 0 ? read() : Optional.empty();
  }

  /** {@return the requested slices, empty if there are none or there are violations} */
  public Optional<SliceRequest> request() {
    return request;
  }

  /** {@return the violations, each with the valid values} */
  public List<Violation> violations() {
    return violations.build();
  }

  private Optional<SliceRequest> read() {
    Optional<String> annotation = Optional.ofNullable(template.template().getMetadata())
        .flatMap(metadata -> Optional.ofNullable(metadata.getAnnotations()))
        .map(annotations -> annotations.get(TpuLabels.SLICE_TOPOLOGY));
    String field = annotation.isPresent()
        ? FieldPath.join(template.path(), "metadata.annotations") + "[" + TpuLabels.SLICE_TOPOLOGY
            + "]"
        : selector(TpuLabels.TOPOLOGY);
    Optional<String> text = annotation.or(() -> selected(TpuLabels.TOPOLOGY));
    if (text.isEmpty()) {
      return Optional.empty();
    }
    SliceShape shape;
    try {
      shape = SliceShape.parse(text.get());
    } catch (IllegalArgumentException e) {
      add(field, Strings.nullToEmpty(e.getMessage()));
      return Optional.empty();
    }
    return isOfGeneration(shape, field) && isFilled(shape, field)
        ? Optional.of(request(shape, (int) (pods * chipsPerPod / shape.chips())))
        : Optional.empty();
  }

  private SliceRequest request(SliceShape shape, int count) {
    SliceRequest healthy = SliceRequest.of(shape).withCount(count);
    return PartitionAffinity.allowsDegraded(template.template().getSpec(), shape)
        ? healthy.withDegradedHosts()
        : healthy;
  }

  private boolean isOfGeneration(SliceShape shape, String field) {
    Optional<TpuGeneration> generation =
        selected(TpuLabels.ACCELERATOR).flatMap(TpuGeneration::ofAccelerator);
    if (generation.isEmpty()) {
      return true;
    }
    Optional<String> problem = generation.get().problem(shape);
    problem.ifPresent(text -> add(field, text));
    // A host with one chip is a slice by itself.
    boolean isHost = generation.get().hostBoxes().stream()
        .anyMatch(box -> box.chips() == chipsPerPod && (box.chips() > 1 || shape.chips() == 1));
    if (!isHost) {
      add(
          FieldPath.join(template.path(), "spec.containers"),
          "%d of google.com/tpu for each pod; expected all chips of a host: %s of %s"
              .formatted(
                  chipsPerPod,
                  generation.get().hostBoxes().stream().map(SliceShape::chips).toList(),
                  generation.get().name()));
    }
    return problem.isEmpty() && isHost;
  }

  /** {@return whether each part of the pods fills whole slices} */
  private boolean isFilled(SliceShape shape, String field) {
    int podsPerPart = pods / parts;
    long chips = podsPerPart * chipsPerPod;
    if (chips % shape.chips() == 0) {
      return true;
    }
    String right = shape.chips() % chipsPerPod == 0
        ? "expected " + (chips / shape.chips() + 1) * shape.chips() / chipsPerPod + " pods"
        : "expected pods of as many chips as a host has";
    add(
        field,
        "%d pods%s of %d chips have %d chips, a slice %s has %d; %s"
            .formatted(
                podsPerPart,
                parts > 1 ? " in each job" : "",
                chipsPerPod,
                chips,
                shape,
                shape.chips(),
                right + (parts > 1 ? " in each job" : "")));
    return false;
  }

  private Optional<String> selected(String label) {
    return selector(template.template(), label);
  }

  private static Optional<String> selector(PodTemplateSpec template, String label) {
    return Optional.ofNullable(template.getSpec())
        .map(spec -> spec.getNodeSelector())
        .map((Map<String, String> selector) -> selector.get(label));
  }

  private String selector(String label) {
    return FieldPath.join(template.path(), "spec.nodeSelector") + "[" + label + "]";
  }

  private void add(String field, String problem) {
    violations.add(new Violation(template.object(), field, problem));
  }
}
