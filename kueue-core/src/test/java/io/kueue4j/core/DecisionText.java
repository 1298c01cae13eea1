package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Streams.stream;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision.FinishedSlice;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The decisions of an engine, as short texts for comparisons. */
final class DecisionText {
  private DecisionText() {}

  /** {@return the names of the admitted workloads} */
  static ImmutableList<String> admitted(Decisions decisions) {
    return names(decisions.admitted());
  }

  /** {@return the names of the workloads that hold quota of a queue} */
  static ImmutableList<String> admitted(EngineView view, String queue) {
    return names(view.clusterQueue(queue).orElseThrow().admitted());
  }

  /** {@return the victims as {@code victim for preemptor: reason}} */
  static ImmutableList<String> preempted(Decisions decisions) {
    return victims(decisions.preempted());
  }

  /**
   * {@return the decisions that differ from nothing, by kind: {@code admitted [a on spot], pending
   * [b NO_FIT]}, without the flavor if it is the default one}
   */
  static String summary(Decisions decisions) {
    List<String> preempted = decisions.preempted().stream()
        .map(victim -> victim.workload().name() + " for " + victim.preemptor().name())
        .toList();
    List<String> pending = decisions.pending().stream()
        .map(each -> each.workload().name() + " " + each.cause())
        .toList();
    return Stream.of(
            "admitted " + withFlavors(decisions.admitted()),
            "reserved " + withFlavors(decisions.reserved()),
            "preempted " + preempted,
            "evicted " + evictions(decisions.evicted()),
            "suspended " + decisions.suspended(),
            "pending " + pending)
        .filter(part -> !part.endsWith("[]"))
        .collect(Collectors.joining(", "));
  }

  static ImmutableList<String> names(Iterable<Admission> admissions) {
    return stream(admissions)
        .map(admission -> admission.workload().name())
        .collect(toImmutableList());
  }

  /** {@return the admissions as {@code a on spot}, as {@code a} in the default flavor} */
  static ImmutableList<String> withFlavors(Iterable<Admission> admissions) {
    return stream(admissions)
        .map(admission -> admission.workload().name()
            + (flavor(admission).equals(Cluster.FLAVOR) ? "" : " on " + flavor(admission)))
        .collect(toImmutableList());
  }

  /** {@return the flavor of the cpus of the first pod set, or {@code none}} */
  static String flavor(Admission admission) {
    return admission.podSetAssignments().get(0).flavors().getOrDefault("cpu", "none");
  }

  /** {@return the hosts of each pod set: {@code x1:2 x2:3 + anywhere}} */
  static String place(Admission admission) {
    return admission.podSetAssignments().stream()
        .map(DecisionText::place)
        .collect(Collectors.joining(" + "));
  }

  private static String place(PodSetAssignment podSet) {
    return podSet
        .topologyAssignment()
        .map(assignment -> assignment.domains().stream()
            .map(domain -> domain.values().get(0) + ":" + domain.count())
            .collect(Collectors.joining(" ")))
        .orElse("anywhere");
  }

  /** {@return the hosts of an admitted workload, or why it has none} */
  static String placeOrReasons(AdmissionResult result) {
    return result.match(
        admitted -> place(admitted.admission()),
        reserved -> "reserved " + reserved.reasons(),
        preempting -> "preempting " + preempting.victims(),
        pending -> pending.reasons().toString(),
        rejected -> "rejected " + rejected.reasons());
  }

  /** {@return the victims as {@code victim for preemptor: reason}} */
  static ImmutableList<String> victims(Iterable<PreemptionVictim> victims) {
    return stream(victims)
        .map(victim ->
            victim.workload().name() + " for " + victim.preemptor().name() + ": " + victim.reason())
        .collect(toImmutableList());
  }

  /** {@return the evictions as {@code a Reason/cause}} */
  static ImmutableList<String> evictions(Iterable<Eviction> evictions) {
    return stream(evictions)
        .map(eviction -> eviction.workload().name() + " " + eviction.reason()
            + eviction.cause().map(cause -> "/" + cause).orElse(""))
        .collect(toImmutableList());
  }

  /** {@return the finished elastic slices, as {@code slice -> successor: reason}} */
  static ImmutableList<String> finished(Iterable<FinishedSlice> slices) {
    return stream(slices)
        .map(slice ->
            slice.workload().name() + " -> " + slice.successor().name() + ": " + slice.reason())
        .collect(toImmutableList());
  }

  /** {@return the reasons of a result that admits nothing, as {@code code flavor asked}} */
  static ImmutableList<String> reasons(AdmissionResult result) {
    return result
        .match(
            admitted -> ImmutableList.<Reason>of(),
            AdmissionResult.Reserved::reasons,
            preempting -> ImmutableList.<Reason>of(),
            AdmissionResult.Pending::reasons,
            AdmissionResult.Rejected::reasons)
        .stream()
        .map(reason -> reason.code() + " " + reason.flavor().orElse("-")
            + reason.asked().stream().mapToObj(asked -> " " + asked).collect(Collectors.joining()))
        .collect(toImmutableList());
  }

  static ImmutableList<ReasonCode> codes(Iterable<Reason> reasons) {
    return stream(reasons).map(Reason::code).collect(toImmutableList());
  }
}
