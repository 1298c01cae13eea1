package io.kueue4j.k8s.pod;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requirements and preferences of a pod for its node: node selector, tolerations, node
 * affinity.
 */
final class SchedulingConstraints {
  private static final int MAX_WEIGHT = 100;

  private final FieldErrors errors;

  SchedulingConstraints(FieldErrors errors) {
    this.errors = errors;
  }

  /** Adds the constraints to {@code podSet}; invalid ones are reported and skipped. */
  void read(PodSpec spec, String path, PodSet.Builder podSet) {
    Map<String, String> selector = Objects.requireNonNullElse(spec.getNodeSelector(), Map.of());
    selector.forEach((key, value) -> podSet.putNodeSelector(key, Strings.nullToEmpty(value)));
    errors.forEach(
        path + ".tolerations",
        spec.getTolerations(),
        (toleration, at) -> toleration(toleration, at).ifPresent(podSet::addTolerations));
    if (spec.getAffinity() != null && spec.getAffinity().getNodeAffinity() != null) {
      NodeAffinity affinity = spec.getAffinity().getNodeAffinity();
      String at = path + ".affinity.nodeAffinity";
      podSet.addAllNodeAffinity(requiredTerms(affinity, at));
      errors.forEach(
          at + ".preferredDuringSchedulingIgnoredDuringExecution",
          affinity.getPreferredDuringSchedulingIgnoredDuringExecution(),
          (term, field) -> preferredTerm(term, field).ifPresent(podSet::addPreferredNodeAffinity));
    }
  }

  /**
   * {@return the preferred term; empty if it has no conditions, which the API server accepts and
   * which prefers no node}
   */
  private Optional<PreferredNodeTerm> preferredTerm(PreferredSchedulingTerm term, String path) {
    int weight = Objects.requireNonNullElse(term.getWeight(), 0);
    if (weight < 1 || weight > MAX_WEIGHT) {
      errors.add(path + ".weight", weight + "; expected 1 to " + MAX_WEIGHT);
      return Optional.empty();
    }
    return Optional.ofNullable(term.getPreference())
        .map(preference -> new PreferredNodeTerm(weight, term(preference, path + ".preference")));
  }

  private Optional<Toleration> toleration(
      io.fabric8.kubernetes.api.model.Toleration toleration, String path) {
    Optional<Toleration.Operator> operator = Strings.isNullOrEmpty(toleration.getOperator())
        ? Optional.of(Toleration.Operator.EQUAL)
        : named(Toleration.Operator.values(), toleration.getOperator(), path + ".operator");
    boolean everyEffect = Strings.isNullOrEmpty(toleration.getEffect());
    Optional<Taint.Effect> effect = everyEffect
        ? Optional.empty()
        : named(Taint.Effect.values(), toleration.getEffect(), path + ".effect");
    if (operator.isEmpty() || (effect.isEmpty() && !everyEffect)) {
      return Optional.empty();
    }
    Long seconds = toleration.getTolerationSeconds();
    return Optional.of(Toleration.builder()
        .key(Strings.nullToEmpty(toleration.getKey()))
        .operator(operator.get())
        .value(Strings.nullToEmpty(toleration.getValue()))
        .effect(effect)
        .tolerationSeconds(seconds == null ? OptionalLong.empty() : OptionalLong.of(seconds))
        .build());
  }

  private ImmutableList<NodeSelectorTerm> requiredTerms(NodeAffinity affinity, String path) {
    if (affinity.getRequiredDuringSchedulingIgnoredDuringExecution() == null) {
      return ImmutableList.of();
    }
    List<io.fabric8.kubernetes.api.model.NodeSelectorTerm> terms = Objects.requireNonNullElse(
        affinity.getRequiredDuringSchedulingIgnoredDuringExecution().getNodeSelectorTerms(),
        List.of());
    String at = path + ".requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
    if (terms.isEmpty()) {
      errors.add(at, "empty; expected at least one term, or no required node affinity");
    }
    ImmutableList.Builder<NodeSelectorTerm> read = ImmutableList.builder();
    errors.forEach(at, terms, (term, field) -> read.add(term(term, field)));
    return read.build();
  }

  private NodeSelectorTerm term(
      io.fabric8.kubernetes.api.model.NodeSelectorTerm term, String path) {
    return new NodeSelectorTerm(
        requirements(term.getMatchExpressions(), path + ".matchExpressions"),
        requirements(term.getMatchFields(), path + ".matchFields"));
  }

  private ImmutableList<LabelRequirement> requirements(
      @Nullable List<NodeSelectorRequirement> requirements, String path) {
    ImmutableList.Builder<LabelRequirement> read = ImmutableList.builder();
    errors.forEach(
        path,
        requirements,
        (requirement, at) -> named(
                LabelRequirement.Operator.values(), requirement.getOperator(), at + ".operator")
            .map(operator -> new LabelRequirement(
                Strings.nullToEmpty(requirement.getKey()),
                operator,
                texts(requirement.getValues(), at + ".values")))
            .ifPresent(read::add));
    return read.build();
  }

  private ImmutableList<String> texts(@Nullable List<String> values, String path) {
    ImmutableList.Builder<String> read = ImmutableList.builder();
    errors.<String>forEach(path, values, (value, at) -> read.add(value));
    return read.build();
  }

  /** {@return the constant with the name {@code name} in Kubernetes} */
  private <E extends Enum<E>> Optional<E> named(
      E[] constants, @Nullable String name, String field) {
    Optional<E> named = Arrays.stream(constants)
        .filter(constant -> constant.toString().equals(name))
        .findFirst();
    if (named.isEmpty()) {
      errors.add(
          field,
          "\"" + Strings.nullToEmpty(name) + "\"; expected one of "
              + Joiner.on(", ").join(constants));
    }
    return named;
  }
}
