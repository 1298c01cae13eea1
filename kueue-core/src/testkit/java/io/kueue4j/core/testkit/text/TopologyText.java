package io.kueue4j.core.testkit.text;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The text of topologies, nodes, placement requests and placements. */
final class TopologyText {
  private static final String HAS = "has";
  private static final String OTHERS = "others";
  private static final String SLICE = "slice";
  private static final String LAYER = "layer";

  private TopologyText() {}

  static Term print(Topology topology) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(topology.name()));
    topology.levels().forEach(level -> terms.add(Term.of(level)));
    return Term.of("topology", terms);
  }

  static Topology topology(Term term) {
    return new Topology(term.word(0), term.words(1));
  }

  static Term print(Node node) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(node.name()));
    terms.addAll(LabelText.labels(node.labels()));
    node.taints().forEach(taint -> terms.add(LabelText.print(taint)));
    if (!node.ready()) {
      terms.add(Term.of("notReady"));
    }
    if (node.unschedulable()) {
      terms.add(Term.of("cordoned"));
    }
    terms.addAll(amounts(HAS, node.allocatable()));
    terms.addAll(amounts(OTHERS, node.usedByOthers()));
    return Term.of("node", terms);
  }

  static ImmutableSortedMap<String, Long> amounts(Term term) {
    ImmutableSortedMap.Builder<String, Long> amounts = ImmutableSortedMap.naturalOrder();
    term.terms().forEach(part -> amounts.put(part.word(0), part.number(1)));
    return amounts.buildOrThrow();
  }

  static List<Term> amounts(String word, Map<String, Long> amounts) {
    return amounts.entrySet().stream()
        .map(amount -> Term.of(word, amount.getKey(), amount.getValue()))
        .toList();
  }

  static Node node(Term term) {
    Node.Builder node = Node.builder().name(term.word(0));
    for (Term part : term.termsFrom(1)) {
      switch (part.word()) {
        case "label" -> node.putLabels(part.word(0), part.word(1));
        case "taint" -> node.addTaints(LabelText.taint(part));
        case "notReady" -> node.ready(false);
        case "cordoned" -> node.unschedulable(true);
        case HAS -> node.allocatableAmount(part.word(0), part.number(1));
        case OTHERS -> node.usedByOthersAmount(part.word(0), part.number(1));
        default -> throw part.unknown("a part of a node");
      }
    }
    return node.build();
  }

  static Term print(TopologyRequest request) {
    List<Term> terms = new ArrayList<>();
    request.required().ifPresent(level -> terms.add(Term.of("required", level)));
    request.preferred().ifPresent(level -> terms.add(Term.of("preferred", level)));
    request.unconstrained().ifPresent(free -> terms.add(Term.of(free ? "anywhere" : "nowhere")));
    request.sliceTopology().ifPresent(level -> terms.add(Term.of("within", level)));
    request.sliceSize().ifPresent(size -> terms.add(Term.of(SLICE, size)));
    request.podIndexLabel().ifPresent(label -> terms.add(Term.of("index", label)));
    request.subGroupIndexLabel().ifPresent(label -> terms.add(Term.of("subIndex", label)));
    request.subGroupCount().ifPresent(count -> terms.add(Term.of("subGroups", count)));
    request
        .sliceConstraints()
        .forEach(layer -> terms.add(Term.of(LAYER, layer.topology(), layer.size())));
    return Term.of("place", terms);
  }

  static TopologyRequest request(Term term) {
    TopologyRequest.Builder request = TopologyRequest.builder();
    for (Term part : term.terms()) {
      switch (part.word()) {
        case "required" -> request.required(part.word(0));
        case "preferred" -> request.preferred(part.word(0));
        case "anywhere" -> request.unconstrained(true);
        case "nowhere" -> request.unconstrained(false);
        case "within" -> request.sliceTopology(part.word(0));
        case SLICE -> request.sliceSize(part.smallNumber(0));
        case "index" -> request.podIndexLabel(part.word(0));
        case "subIndex" -> request.subGroupIndexLabel(part.word(0));
        case "subGroups" -> request.subGroupCount(part.smallNumber(0));
        case LAYER ->
          request.addSliceConstraints(new SliceConstraint(part.word(0), part.smallNumber(1)));
        default -> throw part.unknown("a part of a request for places");
      }
    }
    return request.build();
  }

  static Term print(TopologyAssignment assignment) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of("levels", assignment.levels().toArray()));
    for (Domain domain : assignment.domains()) {
      List<Object> words = new ArrayList<>();
      words.add(domain.count());
      words.addAll(domain.values());
      terms.add(Term.of("in", words.toArray()));
    }
    return Term.of("at", terms);
  }

  static TopologyAssignment assignment(Term term) {
    return new TopologyAssignment(
        term.term(0).words(0),
        term.termsFrom(1).stream()
            .map(domain -> new Domain(domain.words(1), domain.smallNumber(0)))
            .collect(toImmutableList()));
  }
}
