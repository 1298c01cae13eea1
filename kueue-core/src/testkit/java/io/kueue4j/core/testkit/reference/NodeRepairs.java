package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.reference.placement.Nodes;
import io.kueue4j.core.testkit.reference.placement.Placement;
import io.kueue4j.core.testkit.reference.placement.Pods;
import io.kueue4j.core.testkit.reference.placement.Replacement;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Repairs workloads with failed nodes.
 *
 * <p>Rules, U-25, T-80, T-81, T-86; T-81 as section 17 of the rule index has it.
 */
final class NodeRepairs {
  /** U-25: the order in which workloads with quota are handled. */
  static final Comparator<Job> ORDER = Comparator.comparingLong((Job job) -> -job.priority())
      .thenComparing(Job::queueTime)
      .thenComparing(Job::id);

  /**
   * A failed host of a workload.
   *
   * @param host the host
   * @param search when another place is searched
   */
  record Failure(String host, Search search) {}

  /**
   * The result of the repairs of a cycle.
   *
   * @param replaced admissions with other places
   * @param stopped the evicted workloads
   */
  record Result(ImmutableList<Admission> replaced, ImmutableSortedSet<WorkloadId> stopped) {}

  private final State state;
  private final Instant now;

  NodeRepairs(State state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /**
   * T-80.
   *
   * @return whether the workload is evicted at once
   */
  boolean report(Job job, String host) {
    Optional<Admission> held = job.admission();
    boolean isConcerned = isEnabled(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
        && isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT)
        && !job.isEvicted()
        && held.isPresent()
        && held.get().podSetAssignments().stream().anyMatch(each -> isOn(each, host));
    if (!isConcerned) {
      return false;
    }
    Failure known = job.failure;
    if (known == null) {
      job.failure = new Failure(host, Search.first(now));
      return false;
    }
    if (known.host().equals(host)) {
      return false;
    }
    job.evict(EvictionReason.NODE_FAILURES, now);
    return true;
  }

  /**
   * T-80.
   *
   * @return whether the failure was known
   */
  static boolean withdraw(Job job, String host) {
    Failure known = job.failure;
    boolean isKnown = known != null && known.host().equals(host);
    if (isKnown) {
      job.failure = null;
    }
    return isKnown;
  }

  private boolean isEnabled(FeatureGate gate) {
    return state.specs.isEnabled(gate);
  }

  private static boolean isOn(PodSetAssignment assignment, String host) {
    return assignment
        .topologyAssignment()
        .filter(places -> Replacement.concerns(places, host))
        .isPresent();
  }

  /** U-25: one after the other, before heads are taken. */
  Result repairAll() {
    List<Job> due =
        state.jobs().stream().filter(job -> isDue(job.failure)).sorted(ORDER).toList();
    ImmutableList.Builder<Admission> replaced = ImmutableList.builder();
    ImmutableSortedSet.Builder<WorkloadId> stopped = ImmutableSortedSet.naturalOrder();
    for (Job job : due) {
      Admission old = job.admission().orElseThrow();
      Failure failure = Objects.requireNonNull(job.failure);
      Optional<Admission> repaired = repaired(job, old, failure.host());
      if (repaired.isPresent()) {
        job.failure = null;
        if (!repaired.get().equals(old)) {
          job.replace(repaired.get());
          state.queue(old.clusterQueue()).advanceGeneration();
          replaced.add(repaired.get());
        }
      } else if (isEnabled(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST)) {
        job.evict(EvictionReason.NODE_FAILURES, now);
        stopped.add(job.id());
      } else {
        job.failure = new Failure(failure.host(), failure.search().next(now));
      }
    }
    return new Result(replaced.build(), stopped.build());
  }

  private boolean isDue(@Nullable Failure failure) {
    return failure != null && failure.search().isDue(now);
  }

  /**
   * T-81.
   *
   * @return the admission with other places, empty if there are none
   */
  private Optional<Admission> repaired(Job job, Admission held, String host) {
    TopologyRules rules = new TopologyRules(state.specs, held.clusterQueue());
    Nodes nodes = state.snapshot().nodes;
    Admission.Builder repaired = Admission.builder()
        .workload(held.workload())
        .clusterQueue(held.clusterQueue())
        .quotaReservedTime(held.quotaReservedTime());
    for (PodSetAssignment each : held.podSetAssignments()) {
      PodSetAssignment inUse = inUse(job, each);
      PodSet podSet = job.podSet(each.name());
      if (inUse.count() == 0 || !rules.applyTo(podSet) || !isOn(each, host)) {
        repaired.addPodSetAssignments(inUse);
        continue;
      }
      Optional<TopologyAssignment> places = place(podSet, inUse, host, nodes);
      if (places.isEmpty()) {
        return Optional.empty();
      }
      repaired.addPodSetAssignments(
          PodSetAssignment.builder().from(inUse).topologyAssignment(places).build());
    }
    return Optional.of(repaired.build());
  }

  private Optional<TopologyAssignment> place(
      PodSet podSet, PodSetAssignment assignment, String host, Nodes nodes) {
    return assignment.flavors().values().stream()
        .filter(nodes::hasFlavor)
        .findFirst()
        .flatMap(flavor -> Replacement.find(
            new Pods(podSet, assignment.count(), flavor),
            assignment.topologyAssignment().orElseThrow(),
            host,
            nodes,
            Placement.Options.of(state.specs.settings(), false)));
  }

  /** fewer pods than admitted if some have been reclaimed since. */
  private static PodSetAssignment inUse(Job job, PodSetAssignment assignment) {
    int count = job.countAfterReclaim(job.podSet(assignment.name()));
    if (count >= assignment.count()) {
      return assignment;
    }
    ImmutableMap<String, Long> usage = assignment.resourceUsage().entrySet().stream()
        .collect(toImmutableMap(
            Map.Entry::getKey,
            each -> Amount.multiply(each.getValue() / assignment.count(), count)));
    PodSetAssignment.Builder fewer = PodSetAssignment.builder()
        .name(assignment.name())
        .count(count)
        .putAllFlavors(assignment.flavors())
        .putAllResourceUsage(usage)
        .topologyAssignment(assignment.topologyAssignment());
    assignment.delayedTopologyRequest().ifPresent(fewer::delayedTopologyRequest);
    return fewer.build();
  }
}
