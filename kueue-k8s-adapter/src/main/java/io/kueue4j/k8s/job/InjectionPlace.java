package io.kueue4j.k8s.job;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object without a class of its own that a start writes for the pods of a pod set.
 *
 * @param labels the field of the labels
 * @param annotations the field of the annotations
 * @param nodeSelector the field of the node selector
 * @param tolerations the field of the tolerations
 * @param schedulingGates the field of the scheduling gates
 * @param base what the pods get from elsewhere, which is therefore not written here
 * @param skeleton what is created first if the objects around these fields may be missing
 */
record InjectionPlace(
    RawPath labels,
    RawPath annotations,
    RawPath nodeSelector,
    RawPath tolerations,
    RawPath schedulingGates,
    PodTemplateSpec base,
    Optional<Skeleton> skeleton) {

  /**
   * An object that a start creates where it is missing.
   *
   * @param path its path
   * @param content its content; if a shorter list exists, the missing items are added
   */
  record Skeleton(RawPath path, Object content) {
    /** {@return {@code root} with this skeleton} */
    Object in(Object root) {
      Object present = RawTree.get(root, path);
      if (present == null) {
        return RawTree.with(root, path, RawTree.copy(content));
      }
      if (present instanceof List<?> items
          && content instanceof List<?> wanted
          && items.size() < wanted.size()) {
        List<Object> all = new ArrayList<>(items);
        wanted.subList(items.size(), wanted.size()).forEach(item -> all.add(RawTree.copy(item)));
        return RawTree.with(root, path, all);
      }
      return root;
    }
  }

  /** {@return the fields of the pod template at {@code path}} */
  static InjectionPlace template(RawPath path) {
    RawPath metadata = path.field("metadata");
    RawPath spec = path.field("spec");
    return new InjectionPlace(
        metadata.field("labels"),
        metadata.field("annotations"),
        spec.field("nodeSelector"),
        spec.field("tolerations"),
        spec.field("schedulingGates"),
        new PodTemplateSpec(),
        Optional.empty());
  }

  /**
   * {@return the fields of a partial pod template at {@code path} that is merged into {@code base}}
   */
  static InjectionPlace patch(RawPath path, PodTemplateSpec base) {
    InjectionPlace template = template(path);
    return new InjectionPlace(
        template.labels,
        template.annotations,
        template.nodeSelector,
        template.tolerations,
        template.schedulingGates,
        base,
        Optional.empty());
  }

  /** {@return the fields of an object at {@code path} that has the five fields itself} */
  static InjectionPlace flat(RawPath path, PodTemplateSpec base) {
    return new InjectionPlace(
        path.field("labels"),
        path.field("annotations"),
        path.field("nodeSelector"),
        path.field("tolerations"),
        path.field("schedulingGates"),
        base,
        Optional.empty());
  }

  InjectionPlace withSkeleton(RawPath path, Object content) {
    return new InjectionPlace(
        labels,
        annotations,
        nodeSelector,
        tolerations,
        schedulingGates,
        base,
        Optional.of(new Skeleton(path, content)));
  }

  InjectionPlace withSchedulingGates(RawPath path) {
    return new InjectionPlace(labels, annotations, nodeSelector, tolerations, path, base, skeleton);
  }

  ImmutableList<RawPath> fields() {
    return ImmutableList.of(labels, annotations, nodeSelector, tolerations, schedulingGates);
  }

  /** {@return {@code root} with the five fields of {@code template} written} */
  Object write(Object root, PodTemplateSpec template) {
    ObjectMeta metadata = metadata(template);
    PodSpec spec = spec(template);
    Object written = writeMap(root, labels, metadata.getLabels(), metadata(base).getLabels());
    written =
        writeMap(written, annotations, metadata.getAnnotations(), metadata(base).getAnnotations());
    written = writeMap(written, nodeSelector, spec.getNodeSelector(), spec(base).getNodeSelector());
    written =
        writeList(written, tolerations, added(spec.getTolerations(), spec(base).getTolerations()));
    return writeList(
        written,
        schedulingGates,
        added(spec.getSchedulingGates(), spec(base).getSchedulingGates()));
  }

  /** Writes a mapping; existing entries keep their position and notation. */
  private Object writeMap(
      Object root,
      RawPath path,
      @Nullable Map<String, String> wanted,
      @Nullable Map<String, String> elsewhere) {
    Map<String, String> entries = Objects.requireNonNullElse(wanted, Map.of());
    Map<String, Object> present = RawTree.mapping(RawTree.get(root, path));
    Map<String, Object> edited = new LinkedHashMap<>();
    present.forEach((key, value) -> {
      if (entries.containsKey(key) && Objects.equals(entries.get(key), value)) {
        edited.put(key, value);
      }
    });
    entries.forEach((key, value) -> {
      if (elsewhere == null || !Objects.equals(elsewhere.get(key), value)) {
        edited.put(key, value);
      }
    });
    return edited.equals(present) ? root : put(root, path, edited);
  }

  private <T> Object writeList(Object root, RawPath path, List<T> wanted) {
    List<Object> present =
        RawTree.get(root, path) instanceof List<?> list ? new ArrayList<>(list) : List.of();
    List<Object> edited = new ArrayList<>();
    for (T item : wanted) {
      edited.add(present.stream()
          .filter(candidate -> RawValues.sameObject(candidate, item))
          .findFirst()
          .orElseGet(() -> RawValues.of(item)));
    }
    return edited.equals(present) ? root : put(root, path, edited);
  }

  private static <T> List<T> added(@Nullable List<T> wanted, @Nullable List<T> elsewhere) {
    return Elements.<T>of(wanted).stream()
        .filter(item -> elsewhere == null || !elsewhere.contains(item))
        .toList();
  }

  private Object put(Object root, RawPath path, Object value) {
    Object made = root;
    if (skeleton.isPresent() && path.text().startsWith(skeleton.get().path().text())) {
      made = skeleton.get().in(root);
    }
    return RawTree.with(made, path, value);
  }

  private static ObjectMeta metadata(PodTemplateSpec template) {
    return Objects.requireNonNullElseGet(template.getMetadata(), ObjectMeta::new);
  }

  private static PodSpec spec(PodTemplateSpec template) {
    return Objects.requireNonNullElseGet(template.getSpec(), PodSpec::new);
  }
}
