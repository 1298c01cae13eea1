package io.kueue4j.k8s.pod;

import com.google.common.base.Joiner;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TaintEffect;
import io.kueue4j.core.model.Toleration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads what a pod demands of its node: selected labels, tolerations, required node affinity. */
final class SchedulingConstraints {
  private final FieldErrors errors;

  SchedulingConstraints(FieldErrors errors) {
    this.errors = errors;
  }

  /** Adds them to {@code podSet}; what cannot be read is reported and left out. */
  void read(PodSpec spec, String path, PodSet.Builder podSet) {
    Map<String, String> selector = Objects.requireNonNullElse(spec.getNodeSelector(), Map.of());
    selector.forEach((key, value) -> podSet.putNodeSelector(key, Strings.nullToEmpty(value)));
    errors.forEach(
        path + ".tolerations",
        spec.getTolerations(),
        (toleration, at) -> toleration(toleration, at).ifPresent(podSet::addTolerations));
    podSet.addAllNodeAffinity(requiredTerms(spec, path));
  }

  private Optional<Toleration> toleration(
      io.fabric8.kubernetes.api.model.Toleration toleration, String path) {
    Optional<Toleration.Operator> operator = Strings.isNullOrEmpty(toleration.getOperator())
        ? Optional.of(Toleration.Operator.EQUAL)
        : named(Toleration.Operator.values(), toleration.getOperator(), path + ".operator");
    boolean everyEffect = Strings.isNullOrEmpty(toleration.getEffect());
    Optional<TaintEffect> effect = everyEffect
        ? Optional.empty()
        : named(TaintEffect.values(), toleration.getEffect(), path + ".effect");
    if (operator.isEmpty() || (effect.isEmpty() && !everyEffect)) {
      return Optional.empty();
    }
    Long seconds = toleration.getTolerationSeconds();
    return Optional.of(new Toleration(
        Strings.nullToEmpty(toleration.getKey()),
        operator.get(),
        Strings.nullToEmpty(toleration.getValue()),
        effect,
        seconds == null ? OptionalLong.empty() : OptionalLong.of(seconds)));
  }

  private ImmutableList<NodeSelectorTerm> requiredTerms(PodSpec spec, String path) {
    if (spec.getAffinity() == null
        || spec.getAffinity().getNodeAffinity() == null
        || spec.getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution()
            == null) {
      return ImmutableList.of();
    }
    List<io.fabric8.kubernetes.api.model.NodeSelectorTerm> terms = Objects.requireNonNullElse(
        spec.getAffinity()
            .getNodeAffinity()
            .getRequiredDuringSchedulingIgnoredDuringExecution()
            .getNodeSelectorTerms(),
        List.of());
    String at = path + ".affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
        + ".nodeSelectorTerms";
    if (terms.isEmpty()) {
      errors.add(at, "empty; expected at least one term, or no required node affinity");
    }
    ImmutableList.Builder<NodeSelectorTerm> read = ImmutableList.builder();
    errors.forEach(
        at,
        terms,
        (term, field) -> read.add(new NodeSelectorTerm(
            requirements(term.getMatchExpressions(), field + ".matchExpressions"),
            requirements(term.getMatchFields(), field + ".matchFields"))));
    return read.build();
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
                ImmutableList.copyOf(
                    Objects.requireNonNullElse(requirement.getValues(), List.of()))))
            .ifPresent(read::add));
    return read.build();
  }

  /** The constant that Kubernetes calls {@code name}. */
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
