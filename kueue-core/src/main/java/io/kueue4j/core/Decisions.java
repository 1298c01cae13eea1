package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.cycle.Attempt;
import io.kueue4j.core.cycle.Candidate;
import io.kueue4j.core.flavor.Places;
import io.kueue4j.core.flavor.PodPlacer;
import io.kueue4j.core.flavor.PodSetFlavors;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.preemption.Victim;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.topology.Inventory;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what a cycle has decided, by the names that callers know.
 *
 * <p>Rules: S-22, M-31.
 */
final class Decisions {
  private final EngineState state;
  private final PodPlacer placer;
  private @Nullable Written last;

  /**
   * What was written down of pods that are not placed: for workloads of one kind it is the same.
   */
  private record Written(PodSetFlavors flavors, PodSetAssignment assignment) {}

  Decisions(EngineState state, PodPlacer placer) {
    this.state = state;
    this.placer = placer;
  }

  /** {@return victims, with what their end frees; those that hold the same share the list of it} */
  ImmutableList<PreemptionVictim> victims(Candidate preemptor, List<Victim> victims) {
    ImmutableList.Builder<PreemptionVictim> found =
        ImmutableList.builderWithExpectedSize(victims.size());
    QuotaHolder last = null;
    ImmutableList<PreemptionVictim.HeldQuota> frees = ImmutableList.of();
    for (Victim victim : victims) {
      if (last == null || !holdsSame(last, victim.holder())) {
        last = victim.holder();
        frees = held(last, state.catalog());
      }
      found.add(new PreemptionVictim(
          state.variants().nameOfVictim(victim.holder().workload().source().id()),
          victim.holder().queue().name(),
          VariantNames.submitted(preemptor.compiled().source().id()),
          victim.reason(),
          frees));
    }
    return found.build();
  }

  private static boolean holdsSame(QuotaHolder some, QuotaHolder other) {
    if (some.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < some.size(); i++) {
      if (some.pair(i) != other.pair(i) || some.amount(i) != other.amount(i)) {
        return false;
      }
    }
    return true;
  }

  /** {@return what a holder is charged} */
  static ImmutableList<PreemptionVictim.HeldQuota> held(QuotaHolder holder, Catalog catalog) {
    ImmutableList.Builder<PreemptionVictim.HeldQuota> held =
        ImmutableList.builderWithExpectedSize(holder.size());
    for (int i = 0; i < holder.size(); i++) {
      held.add(new PreemptionVictim.HeldQuota(
          catalog.flavorName(catalog.flavorOfPair(holder.pair(i))),
          catalog.resourceName(catalog.resourceOfPair(holder.pair(i))),
          holder.amount(i)));
    }
    return held.build();
  }

  /** {@return the admission of what was decided for {@code candidate}} */
  Admission admission(Candidate candidate, Attempt attempt, Instant now) {
    Admission.Builder admission = Admission.builder()
        .workload(candidate.compiled().source().id())
        .clusterQueue(candidate.queue().name())
        .quotaReservedTime(now);
    Objects.requireNonNull(attempt.assignment())
        .podSets()
        .forEach(podSet -> admission.addPodSetAssignments(
            toAssignment(candidate, podSet, attempt.assignment().places())));
    return admission.build();
  }

  private PodSetAssignment toAssignment(
      Candidate candidate, PodSetFlavors podSet, @Nullable Places places) {
    String name = candidate.compiled().podSet(podSet.podSet()).source().name();
    boolean isDelayed = placer.isDelayed(candidate.compiled(), candidate.queue().quota(), podSet);
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
      String resource = state.catalog().resourceName(podSet.resource(i));
      assignment.putFlavors(
          resource, state.catalog().flavorName(state.catalog().flavorOfPair(podSet.pair(i))));
      assignment.putResourceUsage(resource, podSet.amount(i));
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

  /** {@return where pods go, in names} */
  TopologyAssignment toAssignment(Places.PodSetPlace place) {
    Inventory inventory = Objects.requireNonNull(state.inventories().of(place.flavor()));
    return new TopologyAssignment(
        inventory.assignedLevels(),
        place.leaves().stream()
            .map(leaf -> new TopologyAssignment.Domain(inventory.values(leaf.leaf()), leaf.count()))
            .collect(toImmutableList()));
  }
}
