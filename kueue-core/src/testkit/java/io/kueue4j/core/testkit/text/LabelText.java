package io.kueue4j.core.testkit.text;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The text of labels, selectors, taints and tolerations. */
final class LabelText {
  private static final String NO_EFFECT = "all";

  private LabelText() {}

  static List<Term> labels(Map<String, String> labels) {
    List<Term> terms = new ArrayList<>();
    labels.forEach((key, value) -> terms.add(Term.of("label", key, value)));
    return terms;
  }

  static ImmutableSortedMap<String, String> labels(List<Term> terms) {
    ImmutableSortedMap.Builder<String, String> labels = ImmutableSortedMap.naturalOrder();
    for (Term term : terms) {
      labels.put(term.word(0), term.word(1));
    }
    return labels.buildOrThrow();
  }

  static Term print(LabelSelector selector) {
    return Term.of(
        "select",
        Term.all(labels(selector.matchLabels()), requirements(selector.matchExpressions())));
  }

  static LabelSelector selector(Term term) {
    return new LabelSelector(
        labels(named(term, "label")), requirementsOf(named(term, "expression")));
  }

  static List<Term> named(Term term, String word) {
    return term.terms().stream().filter(below -> below.word().equals(word)).toList();
  }

  private static List<Term> requirements(List<LabelRequirement> requirements) {
    return requirements.stream()
        .map(requirement -> requirement("expression", requirement))
        .toList();
  }

  private static Term requirement(String word, LabelRequirement requirement) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(requirement.key()));
    terms.add(Term.of(requirement.operator().toString()));
    requirement.values().forEach(value -> terms.add(Term.of(value)));
    return Term.of(word, terms);
  }

  private static ImmutableList<LabelRequirement> requirementsOf(List<Term> terms) {
    return terms.stream()
        .map(term -> new LabelRequirement(
            term.word(0),
            Term.named(term.word(1), LabelRequirement.Operator.values()),
            term.words(2)))
        .collect(toImmutableList());
  }

  static Term print(NodeSelectorTerm affinity) {
    List<Term> fields = affinity.matchFields().stream()
        .map(requirement -> requirement("field", requirement))
        .toList();
    return Term.of("affinity", Term.all(requirements(affinity.matchExpressions()), fields));
  }

  static NodeSelectorTerm affinity(Term term) {
    return new NodeSelectorTerm(
        requirementsOf(named(term, "expression")), requirementsOf(named(term, "field")));
  }

  static Term print(Taint taint) {
    return Term.of("taint", taint.key(), taint.value(), taint.effect());
  }

  static Taint taint(Term term) {
    return new Taint(term.word(0), term.word(1), Term.named(term.word(2), Taint.Effect.values()));
  }

  static Term print(Toleration toleration) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(toleration.key()));
    terms.add(Term.of(toleration.operator().toString()));
    terms.add(Term.of(toleration.value()));
    terms.add(Term.of(toleration.effect().map(Taint.Effect::toString).orElse(NO_EFFECT)));
    toleration.tolerationSeconds().ifPresent(time -> terms.add(Term.of(Long.toString(time))));
    return Term.of("tolerate", terms);
  }

  static Toleration toleration(Term term) {
    return Toleration.builder()
        .key(term.word(0))
        .operator(Term.named(term.word(1), Toleration.Operator.values()))
        .value(term.word(2))
        .effect(
            term.word(3).equals(NO_EFFECT)
                ? Optional.empty()
                : Optional.of(Term.named(term.word(3), Taint.Effect.values())))
        .tolerationSeconds(
            term.terms().size() > 4 ? OptionalLong.of(term.number(4)) : OptionalLong.empty())
        .build();
  }
}
