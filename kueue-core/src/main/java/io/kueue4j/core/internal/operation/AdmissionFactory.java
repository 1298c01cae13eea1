package io.kueue4j.core.internal.operation;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Attempt;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.attempt.PodSetFlavors;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.flavor.WorkloadPlacer;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.VariantNames;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Translates the decisions of a cycle into API values.
 *
 * <p>Rules: P-20, S-22, M-31.
 */
final class AdmissionFactory {
  private final EngineState state;
  private final WorkloadPlacer placer;
  private @Nullable Written last;

  /** The assignment of a pod set that is not placed. Equal workloads share one instance. */
  private record Written(PodSetFlavors flavors, PodSetAssignment assignment) {}

  AdmissionFactory(EngineState state, WorkloadPlacer placer) {
    this.state = state;
    this.placer = placer;
  }

  /**
   * {@return the victims with the quota that each frees; victims with equal holdings share one
   * list}
   */
  ImmutableList<PreemptionVictim> victims(Head preemptor, List<Victim> victims) {
    ImmutableList.Builder<PreemptionVictim> found =
        ImmutableList.builderWithExpectedSize(victims.size());
    for (Victim victim : victims) {
      found.add(new PreemptionVictim(
          state.variants().nameOfVictim(victim.holder().id()),
          victim.holder().clusterQueue(),
          VariantNames.submitted(preemptor.id()),
          victim.reason(),
          victim.holder().heldQuotas()));
    }
    return found.build();
  }

  /** {@return the admission of {@code head} by the outcome of its attempt} */
  Admission admission(Head head, Attempt attempt, Instant now) {
    Admission.Builder admission = Admission.builder()
        .workload(head.id())
        .clusterQueue(head.queue().name())
        .quotaReservedTime(now);
    Assignment assignment = Objects.requireNonNull(attempt.assignment());
    for (PodSetFlavors podSet : assignment.podSets()) {
      admission.addPodSetAssignments(toAssignment(head, podSet, assignment.places()));
    }
    return admission.build();
  }

  private PodSetAssignment toAssignment(Head head, PodSetFlavors podSet, @Nullable Places places) {
    String name = head.compiled().podSet(podSet.podSet()).source().name();
    boolean isDelayed = placer.isDelayed(head.compiled(), head.queue().quota(), podSet);
    boolean isPlain = places == null && !isDelayed;
    Written known = last;
    if (isPlain
        && known != null
        && known.assignment.name().equals(name)
        && known.flavors.isSameChoice(podSet)) {
      return known.assignment;
    }
    PodSetAssignment.Builder assignment =
        PodSetAssignment.builder().name(name).count(podSet.count());
    for (int i = 0; i < podSet.size(); i++) {
      String resource = podSet.resource(i).name();
      assignment.putFlavors(resource, podSet.pair(i).flavor());
      assignment.resourceUsageAmount(resource, podSet.amount(i));
    }
    Places.PodSetPlace place = places == null ? null : places.of(podSet.podSet());
    if (place != null) {
      assignment.topologyAssignment(toAssignment(place));
    } else if (isDelayed) {
      assignment.delayedTopologyRequest(DelayedTopologyRequest.PENDING);
    }
    Places.PodSetSlices of = places == null ? null : places.slicesOf(podSet.podSet());
    if (of != null) {
      of.slices().forEach(slice -> assignment.addSlices(new SliceAssignment(of.poolSet(), slice)));
    }
    PodSetAssignment written = assignment.build();
    last = isPlain ? new Written(podSet, written) : last;
    return written;
  }

  /** {@return the places of pods} */
  TopologyAssignment toAssignment(Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(state.inventories().of(place.flavor()));
    return new TopologyAssignment(
        inventory.assignedLevels(),
        place.leaves().stream()
            .map(leaf -> new TopologyAssignment.Domain(inventory.values(leaf.leaf()), leaf.count()))
            .collect(toImmutableList()));
  }

  // ----- messages, as in the conditions Evicted and Preempted

  /**
   * {@return the message to a victim: the preemptor, the reason, and the cohort paths of both
   * workloads}
   */
  static String message(Head preemptor, Victim victim) {
    return "Preempted to accommodate workload " + preemptor.id() + " (UID: "
        + preemptor.compiled().source().uid() + ") in ClusterQueue "
        + preemptor.queue().name() + dueTo(victim.reason()) + "; preemptor path: "
        + path(preemptor.queue().quota()) + "; preemptee path: "
        + path(preemptor.queue().quota().tree().layout().queueOf(victim.holder()));
  }

  /** {@return the message to a victim of an unknown preemptor} */
  static String message(PreemptionReason reason) {
    return "Preempted to accommodate another workload" + dueTo(reason);
  }

  private static String dueTo(PreemptionReason reason) {
    return " due to "
        + switch (reason) {
          case IN_CLUSTER_QUEUE -> "prioritization in the ClusterQueue";
          case IN_COHORT_RECLAMATION -> "reclamation within the cohort";
          case IN_COHORT_FAIR_SHARING -> "Fair Sharing within the cohort";
          case IN_COHORT_RECLAIM_WHILE_BORROWING -> "reclamation within the cohort while borrowing";
        };
  }

  /** {@return the path from the root cohort to the queue} */
  private static String path(QueueQuota queue) {
    List<String> path = new ArrayList<>(queue.cohortsAbove().reverse());
    path.add(queue.name());
    return "/" + String.join("/", path);
  }
}
