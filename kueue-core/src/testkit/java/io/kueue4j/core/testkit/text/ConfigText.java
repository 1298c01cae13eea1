package io.kueue4j.core.testkit.text;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The complete and exact text of configuration objects. Default values are omitted. */
public final class ConfigText {
  private static final String STRICT = "strict";
  private static final String INACTIVE = "inactive";
  private static final String EVERYTHING = "all";
  private static final String USAGE_BASED = "usageBased";

  private ConfigText() {}

  /** {@return the text of an object} */
  public static Term print(ConfigObject object) {
    List<Term> terms = new ArrayList<>();
    if (object instanceof ClusterQueue queue) {
      return printQueue(queue);
    }
    if (object instanceof Cohort cohort) {
      terms.add(Term.of(cohort.name()));
      cohort.parent().ifPresent(parent -> terms.add(Term.of("in", parent)));
      terms.addAll(QuotaText.print(cohort.resourceGroups()));
      addWeight(cohort.fairSharingWeight(), terms);
      return Term.of("cohort", terms);
    }
    if (object instanceof LocalQueue queue) {
      terms.add(Term.of(queue.namespace()));
      terms.add(Term.of(queue.name()));
      terms.add(Term.of(queue.clusterQueue()));
      addStop(queue.stopPolicy(), terms);
      addWeight(queue.fairSharingWeight(), terms);
      return Term.of("local", terms);
    }
    if (object instanceof ResourceFlavor flavor) {
      terms.add(Term.of(flavor.name()));
      terms.addAll(LabelText.labels(flavor.nodeLabels()));
      flavor.nodeTaints().forEach(taint -> terms.add(LabelText.print(taint)));
      flavor.tolerations().forEach(toleration -> terms.add(LabelText.print(toleration)));
      flavor.topologyName().ifPresent(topology -> terms.add(Term.of("topology", topology)));
      return Term.of("flavor", terms);
    }
    if (object instanceof Namespace namespace) {
      terms.add(Term.of(namespace.name()));
      terms.addAll(LabelText.labels(namespace.labels()));
      return Term.of("namespace", terms);
    }
    if (object instanceof Topology topology) {
      return TopologyText.print(topology);
    }
    if (object instanceof Node node) {
      return TopologyText.print(node);
    }
    if (object instanceof AdmissionCheck check) {
      terms.add(Term.of(check.name()));
      terms.add(Term.of(check.controllerName()));
      if (!check.active()) {
        terms.add(Term.of(INACTIVE));
      }
      return Term.of("check", terms);
    }
    WorkloadPriorityClass priorityClass = (WorkloadPriorityClass) object;
    return Term.of("class", priorityClass.name(), priorityClass.value());
  }

  private static Term printQueue(ClusterQueue queue) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(queue.name()));
    queue.cohort().ifPresent(cohort -> terms.add(Term.of("in", cohort)));
    if (queue.queueingStrategy() == QueueingStrategy.STRICT_FIFO) {
      terms.add(Term.of(STRICT));
    }
    queue
        .namespaceSelector()
        .ifPresent(selector -> terms.add(
            selector.equals(LabelSelector.everything())
                ? Term.of(EVERYTHING)
                : LabelText.print(selector)));
    terms.addAll(QuotaText.print(queue.resourceGroups()));
    FlavorFungibility fungibility = queue.flavorFungibility();
    if (!fungibility.equals(FlavorFungibility.DEFAULT)) {
      List<Object> words = new ArrayList<>();
      words.add(fungibility.whenCanBorrow());
      words.add(fungibility.whenCanPreempt());
      fungibility.preference().ifPresent(words::add);
      terms.add(Term.of("fungibility", words.toArray()));
    }
    Preemption preemption = queue.preemption();
    if (!preemption.equals(Preemption.never())) {
      List<Object> words = new ArrayList<>();
      words.add(preemption.withinClusterQueue());
      words.add(preemption.reclaimWithinCohort());
      words.add(preemption.borrowWithinCohort());
      preemption.maxPriorityThreshold().ifPresent(words::add);
      terms.add(Term.of("preempt", words.toArray()));
    }
    queue.admissionChecks().forEach(check -> {
      List<Object> words = new ArrayList<>();
      words.add(check.name());
      words.addAll(check.onFlavors());
      terms.add(Term.of("check", words.toArray()));
    });
    if (queue.admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING) {
      terms.add(Term.of(USAGE_BASED));
    }
    addStop(queue.stopPolicy(), terms);
    addWeight(queue.fairSharingWeight(), terms);
    return Term.of("queue", terms);
  }

  private static void addStop(StopPolicy policy, List<Term> terms) {
    if (policy != StopPolicy.NONE) {
      terms.add(Term.of("stop", policy));
    }
  }

  private static void addWeight(double weight, List<Term> terms) {
    if (weight != 1) {
      terms.add(Term.of("weight", weight));
    }
  }

  // ----- reading

  /** {@return the object described by {@code term}} */
  public static ConfigObject object(Term term) {
    return switch (term.word()) {
      case "queue" -> queue(term);
      case "cohort" -> cohort(term);
      case "local" ->
        LocalQueue.builder()
            .namespace(term.word(0))
            .name(term.word(1))
            .clusterQueue(term.word(2))
            .stopPolicy(stop(term))
            .fairSharingWeight(weight(term))
            .build();
      case "flavor" -> flavor(term);
      case "topology" -> TopologyText.topology(term);
      case "node" -> TopologyText.node(term);
      case "check" ->
        new AdmissionCheck(term.word(0), term.word(1), !term.words(2).contains(INACTIVE));
      case "namespace" ->
        new Namespace(term.word(0), LabelText.labels(LabelText.named(term, "label")));
      case "class" -> new WorkloadPriorityClass(term.word(0), term.smallNumber(1));
      default ->
        throw term.unknown(
            "queue, cohort, local, flavor, topology, node, check, namespace or class");
    };
  }

  private static ClusterQueue queue(Term term) {
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name(term.word(0))
        .stopPolicy(stop(term))
        .fairSharingWeight(weight(term));
    ImmutableList.Builder<AdmissionCheckRule> checks = ImmutableList.builder();
    for (Term part : term.termsFrom(1)) {
      switch (part.word()) {
        case "in" -> queue.cohort(part.word(0));
        case STRICT -> queue.queueingStrategy(QueueingStrategy.STRICT_FIFO);
        case EVERYTHING -> queue.namespaceSelector(LabelSelector.everything());
        case "select" -> queue.namespaceSelector(LabelText.selector(part));
        case "group" -> queue.addResourceGroups(QuotaText.group(part));
        case "fungibility" -> queue.flavorFungibility(fungibility(part));
        case "preempt" -> queue.preemption(preemption(part));
        case "check" -> checks.add(new AdmissionCheckRule(part.word(0), part.words(1)));
        case USAGE_BASED -> queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
        case "stop", "weight" -> {}
        default -> throw part.unknown("a part of a queue");
      }
    }
    return queue.addAllAdmissionChecks(checks.build()).build();
  }

  private static FlavorFungibility fungibility(Term term) {
    return new FlavorFungibility(
        Term.named(term.word(0), FlavorFungibility.Policy.values()),
        Term.named(term.word(1), FlavorFungibility.Policy.values()),
        term.words(2).stream()
            .map(word -> Term.named(word, FlavorFungibility.Preference.values()))
            .findFirst());
  }

  private static Preemption preemption(Term term) {
    return Preemption.builder()
        .withinClusterQueue(Term.named(term.word(0), Preemption.Policy.values()))
        .reclaimWithinCohort(Term.named(term.word(1), Preemption.Policy.values()))
        .borrowWithinCohort(Term.named(term.word(2), Preemption.Policy.values()))
        .maxPriorityThreshold(
            term.terms().size() > 3 ? OptionalInt.of(term.smallNumber(3)) : OptionalInt.empty())
        .build();
  }

  private static Cohort cohort(Term term) {
    return Cohort.builder()
        .name(term.word(0))
        .parent(first(term, "in"))
        .addResourceGroups(LabelText.named(term, "group").stream()
            .map(QuotaText::group)
            .toArray(ResourceGroup[]::new))
        .fairSharingWeight(weight(term))
        .build();
  }

  private static ResourceFlavor flavor(Term term) {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder()
        .name(term.word(0))
        .putAllNodeLabels(LabelText.labels(LabelText.named(term, "label")))
        .addAllNodeTaints(LabelText.named(term, "taint").stream()
            .map(LabelText::taint)
            .collect(toImmutableList()))
        .addAllTolerations(LabelText.named(term, "tolerate").stream()
            .map(LabelText::toleration)
            .collect(toImmutableList()));
    first(term, "topology").ifPresent(flavor::topologyName);
    return flavor.build();
  }

  private static StopPolicy stop(Term term) {
    return first(term, "stop")
        .map(word -> Term.named(word, StopPolicy.values()))
        .orElse(StopPolicy.NONE);
  }

  private static double weight(Term term) {
    return first(term, "weight").map(word -> Double.parseDouble(word)).orElse(1.0);
  }

  private static Optional<String> first(Term term, String word) {
    return LabelText.named(term, word).stream().map(below -> below.word(0)).findFirst();
  }
}
