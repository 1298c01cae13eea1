package io.kueue4j.k8s.job;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.PodSchedulingGateBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.k8s.internal.yaml.Elements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds the settings of an admission to pod templates, and restores templates; always on copies. */
final class PodTemplateEditor {
  private PodTemplateEditor() {}

  static JobSnapshot.PodTemplate snapshot(JobPodSet podSet) {
    ObjectMeta metadata = metadata(podSet.template());
    PodSpec spec = spec(podSet.template());
    return new JobSnapshot.PodTemplate(
        podSet.name(),
        podSet.template().getMetadata() != null,
        copy(metadata.getLabels()),
        copy(metadata.getAnnotations()),
        copy(spec.getNodeSelector()),
        Elements.of(spec.getTolerations()).stream()
            .map(toleration -> new TolerationBuilder(toleration).build())
            .collect(ImmutableList.toImmutableList()),
        Elements.of(spec.getSchedulingGates()).stream()
            .map(gate -> new PodSchedulingGateBuilder(gate).build())
            .collect(ImmutableList.toImmutableList()),
        Optional.ofNullable(spec.getAffinity())
            .map(affinity -> new AffinityBuilder(affinity).build()),
        podSet.counts());
  }

  /** Adds {@code info}; a key that exists with another value is a conflict. */
  static PodTemplateSpec start(JobPodSet podSet, PodSetInfo info) {
    ObjectMeta metadata = metadata(podSet.template());
    PodSpec spec = spec(podSet.template());
    Map<String, String> nodeSelector = orEmpty(spec.getNodeSelector());
    for (ResourceFlavor flavor : info.flavors()) {
      nodeSelector = merge(podSet, "spec.nodeSelector", nodeSelector, flavor.nodeLabels());
    }
    nodeSelector = merge(podSet, "spec.nodeSelector", nodeSelector, info.nodeSelector());
    Map<String, String> labels =
        merge(podSet, "metadata.labels", orEmpty(metadata.getLabels()), info.labels());
    Map<String, String> annotations = merge(
        podSet, "metadata.annotations", orEmpty(metadata.getAnnotations()), info.annotations());
    for (PodSetUpdate update : info.updates()) {
      nodeSelector = merge(podSet, "spec.nodeSelector", nodeSelector, update.nodeSelector());
      labels = merge(podSet, "metadata.labels", labels, update.labels());
      annotations = merge(podSet, "metadata.annotations", annotations, update.annotations());
    }
    List<Toleration> tolerations =
        tolerations(Elements.of(spec.getTolerations()), info.tolerations());
    List<PodSchedulingGate> gates = new ArrayList<>(Elements.of(spec.getSchedulingGates()));
    for (String added : info.schedulingGates()) {
      if (gates.stream().noneMatch(gate -> added.equals(gate.getName()))) {
        gates.add(new PodSchedulingGate(added));
      }
    }
    return new PodTemplateSpecBuilder(podSet.template())
        .withMetadata(new ObjectMetaBuilder(metadata)
            .withLabels(labels)
            .withAnnotations(annotations)
            .build())
        .withSpec(new PodSpecBuilder(spec)
            .withNodeSelector(nodeSelector)
            .withTolerations(tolerations)
            .withSchedulingGates(gates)
            .withAffinity(SliceAffinity.add(spec.getAffinity(), info.nodeAffinity()))
            .build())
        .build();
  }

  /** {@return the tolerations with those added that are not among them} */
  static ImmutableList<Toleration> tolerations(
      List<Toleration> given, List<io.kueue4j.core.model.Toleration> added) {
    List<Toleration> tolerations = new ArrayList<>(given);
    for (io.kueue4j.core.model.Toleration one : added) {
      Toleration toleration = write(one);
      if (tolerations.stream().noneMatch(present -> same(present, toleration))) {
        tolerations.add(toleration);
      }
    }
    return ImmutableList.copyOf(tolerations);
  }

  /** Restores {@code snapshot}; of the present labels only {@code surviving} ones are kept. */
  static PodTemplateSpec restore(
      PodTemplateSpec template, JobSnapshot.PodTemplate snapshot, Set<String> surviving) {
    Map<String, String> labels = new LinkedHashMap<>(snapshot.labels());
    labels.putAll(Maps.filterKeys(orEmpty(metadata(template).getLabels()), surviving::contains));
    ObjectMeta metadata = new ObjectMetaBuilder(metadata(template))
        .withLabels(labels)
        .withAnnotations(snapshot.annotations())
        .build();
    boolean empty = metadata.equals(new ObjectMeta());
    return new PodTemplateSpecBuilder(template)
        .withMetadata(empty && !snapshot.hasMetadata() ? null : metadata)
        .withSpec(new PodSpecBuilder(spec(template))
            .withNodeSelector(snapshot.nodeSelector())
            .withTolerations(snapshot.tolerations())
            .withSchedulingGates(snapshot.schedulingGates())
            .withAffinity(snapshot.affinity().orElse(null))
            .build())
        .build();
  }

  private static Map<String, String> merge(
      JobPodSet podSet, String field, Map<String, String> present, Map<String, String> added) {
    Map<String, String> merged = new LinkedHashMap<>(present);
    added.forEach((key, value) -> {
      String given = merged.putIfAbsent(key, value);
      if (given != null && !given.equals(value)) {
        throw JobStartException.conflict(podSet, field, key, given, value);
      }
    });
    return merged;
  }

  private static Toleration write(io.kueue4j.core.model.Toleration toleration) {
    return new TolerationBuilder()
        .withKey(Strings.emptyToNull(toleration.key()))
        .withOperator(toleration.operator().toString())
        .withValue(Strings.emptyToNull(toleration.value()))
        .withEffect(toleration.effect().map(Object::toString).orElse(null))
        .withTolerationSeconds(
            toleration.tolerationSeconds().isPresent()
                ? (Long) toleration.tolerationSeconds().getAsLong()
                : null)
        .build();
  }

  /**
   * {@return whether Kubernetes treats them as equal: an absent operator is Equal, seconds are
   * ignored}
   */
  private static boolean same(Toleration a, Toleration b) {
    return Strings.nullToEmpty(a.getKey()).equals(Strings.nullToEmpty(b.getKey()))
        && Strings.nullToEmpty(a.getValue()).equals(Strings.nullToEmpty(b.getValue()))
        && Strings.nullToEmpty(a.getEffect()).equals(Strings.nullToEmpty(b.getEffect()))
        && operator(a).equals(operator(b));
  }

  private static String operator(Toleration toleration) {
    return Optional.ofNullable(Strings.emptyToNull(toleration.getOperator())).orElse("Equal");
  }

  private static ObjectMeta metadata(PodTemplateSpec template) {
    return Objects.requireNonNullElseGet(template.getMetadata(), ObjectMeta::new);
  }

  private static PodSpec spec(PodTemplateSpec template) {
    return Objects.requireNonNullElseGet(template.getSpec(), PodSpec::new);
  }

  private static ImmutableSortedMap<String, String> copy(@Nullable Map<String, String> map) {
    return ImmutableSortedMap.copyOf(Maps.transformValues(orEmpty(map), Strings::nullToEmpty));
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
