package io.kueue4j.core.testkit.text;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The complete and exact text of workloads and admissions. Default values are omitted; times are
 * relative to a start.
 */
public final class WorkloadText {
  private static final String HAS = "has";

  private final Instant start;

  /** Creates texts with times relative to {@code start}. */
  public WorkloadText(Instant start) {
    this.start = start;
  }

  /** {@return the text of a workload} */
  public Term print(String word, Workload workload) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(workload.namespace()));
    terms.add(Term.of(workload.name()));
    terms.add(Term.of(workload.queueName()));
    if (!workload.uid().equals(workload.id().toString())) {
      terms.add(Term.of("uid", workload.uid()));
    }
    if (workload.priority() != 0) {
      terms.add(Term.of("priority", workload.priority()));
    }
    workload.priorityClass().ifPresent(name -> terms.add(Term.of("class", name)));
    if (workload.priorityBoost() != 0) {
      terms.add(Term.of("boost", workload.priorityBoost()));
    }
    workload.creationTime().ifPresent(time -> terms.add(Term.of("created", since(time))));
    workload.podSets().forEach(podSet -> terms.add(print(podSet)));
    if (!workload.active()) {
      terms.add(Term.of("inactive"));
    }
    workload.admissionGates().forEach(gate -> terms.add(Term.of("gate", gate)));
    workload.preemptionGates().forEach(gate -> terms.add(Term.of("preemptionGate", gate)));
    if (!workload.allowedFlavors().isEmpty()) {
      terms.add(Term.of("allowed", workload.allowedFlavors().toArray()));
    }
    if (workload.elastic()) {
      terms.add(Term.of("elastic"));
    }
    workload
        .replaces()
        .ifPresent(slice -> terms.add(Term.of("replaces", slice.namespace(), slice.name())));
    workload.sliceName().ifPresent(name -> terms.add(Term.of("slice", name)));
    workload.maximumExecutionTime().ifPresent(most -> terms.add(Term.of("runs", most)));
    workload.admissibilityProblems().forEach(problem -> terms.add(Term.of("problem", problem)));
    return Term.of(word, terms);
  }

  private Duration since(Instant time) {
    return Duration.between(start, time);
  }

  private static Term print(PodSet podSet) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(podSet.name()));
    terms.add(Term.of(Integer.toString(podSet.count())));
    podSet.minCount().ifPresent(count -> terms.add(Term.of("min", count)));
    podSet.requests().forEach((resource, amount) -> terms.add(Term.of("ask", resource, amount)));
    podSet
        .podRequests()
        .ifPresent(requests -> terms.add(Term.of("onNode", TopologyText.amounts(HAS, requests))));
    if (!podSet.topologyRequest().equals(TopologyRequest.none())) {
      terms.add(TopologyText.print(podSet.topologyRequest()));
    }
    podSet.nodeSelector().forEach((key, value) -> terms.add(Term.of("label", key, value)));
    podSet.tolerations().forEach(toleration -> terms.add(LabelText.print(toleration)));
    podSet.nodeAffinity().forEach(term -> terms.add(LabelText.print(term)));
    podSet
        .preferredNodeAffinity()
        .forEach(term ->
            terms.add(Term.of("prefer", term.weight(), LabelText.print(term.preference()))));
    podSet.group().ifPresent(group -> terms.add(Term.of("group", group)));
    if (!podSet.shape().isEmpty()) {
      terms.add(Term.of("shape", podSet.shape()));
    }
    return Term.of("set", terms);
  }

  /** {@return the workload described by {@code term}} */
  public Workload workload(Term term) {
    Workload.Builder workload =
        Workload.builder().namespace(term.word(0)).name(term.word(1)).queueName(term.word(2));
    for (Term part : term.termsFrom(3)) {
      switch (part.word()) {
        case "uid" -> workload.uid(part.word(0));
        case "priority" -> workload.priority(part.smallNumber(0));
        case "class" -> workload.priorityClass(part.word(0));
        case "boost" -> workload.priorityBoost(part.smallNumber(0));
        case "created" -> workload.creationTime(time(part));
        case "set" -> workload.addPodSets(podSet(part));
        case "inactive" -> workload.active(false);
        case "gate" -> workload.addAllAdmissionGates(part.words(0));
        case "preemptionGate" -> workload.addAllPreemptionGates(part.words(0));
        case "allowed" -> workload.allowedFlavors(part.words(0));
        case "elastic" -> workload.elastic(true);
        case "replaces" -> workload.replaces(WorkloadId.of(part.word(0), part.word(1)));
        case "slice" -> workload.sliceName(part.word(0));
        case "runs" -> workload.maximumExecutionTime(Duration.parse(part.word(0)));
        case "problem" -> workload.addAllAdmissibilityProblems(part.words(0));
        default -> throw part.unknown("a part of a workload");
      }
    }
    return workload.build();
  }

  /** {@return the text of a time} */
  public Term print(String word, Instant time) {
    return Term.of(word, since(time));
  }

  /** {@return the time described by {@code term}} */
  public Instant time(Term term) {
    return start.plus(Duration.parse(term.word(0)));
  }

  private static PodSet podSet(Term term) {
    PodSet.Builder podSet = PodSet.builder().name(term.word(0)).count(term.smallNumber(1));
    for (Term part : term.termsFrom(2)) {
      switch (part.word()) {
        case "min" -> podSet.minCount(part.smallNumber(0));
        case "ask" -> podSet.requestAmount(part.word(0), part.number(1));
        case "onNode" -> podSet.podRequests(TopologyText.amounts(part));
        case "place" -> podSet.topologyRequest(TopologyText.request(part));
        case "label" -> podSet.putNodeSelector(part.word(0), part.word(1));
        case "tolerate" -> podSet.addTolerations(LabelText.toleration(part));
        case "affinity" -> podSet.addAllNodeAffinity(ImmutableList.of(LabelText.affinity(part)));
        case "prefer" ->
          podSet.addPreferredNodeAffinity(
              new PreferredNodeTerm(part.smallNumber(0), LabelText.affinity(part.term(1))));
        case "group" -> podSet.group(part.word(0));
        case "shape" -> podSet.shape(part.word(0));
        default -> throw part.unknown("a part of a pod set");
      }
    }
    return podSet.build();
  }

  /** {@return the text of the reason of a preemption} */
  public Term print(PreemptedCondition preempted) {
    return Term.of(
        "preempted", preempted.reason(), since(preempted.lastTransitionTime()).toString());
  }

  /** {@return the condition described by {@code term}} */
  public PreemptedCondition preempted(Term term) {
    return new PreemptedCondition(
        Term.named(term.word(0), PreemptionReason.values()),
        start.plus(Duration.parse(term.word(1))));
  }

  /** {@return the text of an admission, without its workload} */
  public Term print(Admission admission) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(admission.clusterQueue()));
    terms.add(Term.of(since(admission.quotaReservedTime()).toString()));
    admission.podSetAssignments().forEach(assignment -> terms.add(print(assignment)));
    return Term.of("admission", terms);
  }

  private static Term print(PodSetAssignment assignment) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(assignment.name()));
    terms.add(Term.of(Integer.toString(assignment.count())));
    assignment.flavors().forEach((resource, flavor) -> terms.add(Term.of("on", resource, flavor)));
    assignment
        .resourceUsage()
        .forEach((resource, amount) -> terms.add(Term.of("use", resource, amount)));
    assignment.topologyAssignment().ifPresent(place -> terms.add(TopologyText.print(place)));
    return Term.of("set", terms);
  }

  /** {@return the admission of {@code workload} described by {@code term}} */
  public Admission admission(WorkloadId workload, Term term) {
    Admission.Builder admission = Admission.builder()
        .workload(workload)
        .clusterQueue(term.word(0))
        .quotaReservedTime(start.plus(Duration.parse(term.word(1))));
    for (Term set : term.termsFrom(2)) {
      PodSetAssignment.Builder assignment =
          PodSetAssignment.builder().name(set.word(0)).count(set.smallNumber(1));
      for (Term part : set.termsFrom(2)) {
        switch (part.word()) {
          case "on" -> assignment.putFlavors(part.word(0), part.word(1));
          case "use" -> assignment.resourceUsageAmount(part.word(0), part.number(1));
          case "at" -> assignment.topologyAssignment(TopologyText.assignment(part));
          default -> throw part.unknown("on, use or at");
        }
      }
      admission.addPodSetAssignments(assignment.build());
    }
    return admission.build();
  }
}
