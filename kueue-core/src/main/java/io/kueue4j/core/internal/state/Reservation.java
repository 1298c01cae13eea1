package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.Places;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.compiled.PodRequest;
import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.Footprint.PlacedPods;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.topology.Placement.LeafCount;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.resource.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An admission in force and the quota that it holds.
 *
 * <p>Rules: N-5, R-7, Q-18, L-24, E-1, T-9, T-81.
 *
 * @param admission the decision
 * @param holder the charge for it
 */
public record Reservation(Admission admission, QuotaHolder holder) {
  /**
   * {@return the reservation of {@code admission}, less the quota of reclaimable pods; not charged
   * yet}
   */
  static Reservation of(Admission admission, WorkloadRecord record, StateContext context) {
    boolean reclaimsPods = context.settings().isEnabled(FeatureGate.RECLAIMABLE_PODS);
    // A pod set without pods in use releases its places, too.
    boolean freesDomains =
        reclaimsPods && context.settings().includes(KueueFix.RECLAIMED_PODS_FREE_DOMAINS);
    Map<FlavorResource, Long> usage = new TreeMap<>();
    List<PodSetAssignment> placed = new ArrayList<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      int count = countInUse(podSet, record.compiled(), reclaimsPods);
      podSet.flavors().forEach((resource, flavor) -> {
        FlavorResource pair = context.catalog().pair(flavor, resource);
        usage.merge(pair, charged(podSet, resource, count), Amount::add);
      });
      if (count > 0 || !freesDomains) {
        placed.add(podSet);
      }
    }
    FlavorResource[] pairs = usage.keySet().toArray(new FlavorResource[0]);
    long[] amounts = usage.values().stream().mapToLong(Long::longValue).toArray();
    QuotaHolder holder =
        holder(admission, record, pairs, amounts, footprint(record, admission, placed));
    return new Reservation(admission, holder);
  }

  /**
   * {@return the reservation of an admission just decided by {@code assignment}; not charged yet}
   */
  static Reservation of(
      Admission admission, WorkloadRecord record, Assignment assignment, Inventories inventories) {
    return new Reservation(
        admission,
        holder(
            admission,
            record,
            assignment.usage().pairs(),
            assignment.usage().amounts(),
            footprint(record.compiled(), assignment.places(), inventories)));
  }

  /** {@return the name of the ClusterQueue whose quota is held} */
  public String clusterQueue() {
    return admission.clusterQueue();
  }

  /** {@return this reservation of an evicted workload} */
  Reservation evicted(long queueTimeMillis) {
    return new Reservation(admission, holder.evicted(queueTimeMillis));
  }

  private static QuotaHolder holder(
      Admission admission,
      WorkloadRecord record,
      FlavorResource[] pairs,
      long[] amounts,
      Footprint footprint) {
    return new QuotaHolder(
        record.compiled(),
        admission.clusterQueue(),
        pairs,
        amounts,
        TimeMath.saturatedMillis(admission.quotaReservedTime()),
        // By creation even after an eviction, which ends with the reservation; rules L-4, U-5.
        record.creationTimeMillis(),
        false,
        footprint);
  }

  private static Footprint footprint(
      CompiledWorkload workload, @Nullable Places places, Inventories inventories) {
    if (places == null) {
      return Footprint.NONE;
    }
    ImmutableList.Builder<PlacedPods> pods = ImmutableList.builder();
    for (Places.PodSetPlace place : places.podSets()) {
      Inventory inventory = Objects.requireNonNull(inventories.of(place.flavor()));
      for (LeafCount leaf : place.leaves()) {
        pods.add(new PlacedPods(
            ImmutableList.of(place.flavor()),
            inventory.values(leaf.leaf()),
            workload.podSet(place.podSet()).podRequest(),
            leaf.count()));
      }
    }
    return Footprint.of(pods.build(), Objects.requireNonNull(places).slicesOf(workload));
  }

  /**
   * {@return the footprint of the pods of {@code placed} at their assigned places, and of the TPU
   * slices of an admission}
   */
  private static Footprint footprint(
      WorkloadRecord record, Admission admission, List<PodSetAssignment> placed) {
    ImmutableList.Builder<PlacedPods> pods = ImmutableList.builder();
    for (PodSetAssignment podSet : placed) {
      podSet.topologyAssignment().ifPresent(assignment -> {
        PodRequest request = record.compiled().podSetNamed(podSet.name()).podRequest();
        // The flavors may be applied later, so their nodes are not resolved here.
        ImmutableList<String> flavors =
            podSet.flavors().values().stream().distinct().collect(toImmutableList());
        assignment
            .domains()
            .forEach(domain ->
                pods.add(new PlacedPods(flavors, domain.values(), request, domain.count())));
      });
    }
    return Footprint.of(pods.build(), TpuSliceHoldings.slices(admission));
  }

  /** {@return the amount of a resource charged for {@code count} pods of an admitted pod set} */
  public static long charged(PodSetAssignment podSet, String resource, int count) {
    long ofAll = podSet.resourceUsage().getOrDefault(resource, 0L);
    return count < podSet.count() ? Amount.multiply(ofAll / podSet.count(), count) : ofAll;
  }

  /**
   * {@return {@code admission} with the pods that need quota now and their charges; places do not
   * change. Pod sets on TPU slices do not change, because each TPU slice is held as a whole}
   *
   * @param reclaimsPods whether reclaimable pods release their quota
   */
  public static Admission inUse(
      Admission admission, CompiledWorkload workload, boolean reclaimsPods) {
    return Admission.builder()
        .from(admission)
        .podSetAssignments(Lists.transform(
            admission.podSetAssignments(),
            podSet -> inUse(podSet, countInUse(podSet, workload, reclaimsPods))))
        .build();
  }

  private static PodSetAssignment inUse(PodSetAssignment podSet, int count) {
    if (count == podSet.count() || !podSet.slices().isEmpty()) {
      return podSet;
    }
    return PodSetAssignment.builder()
        .from(podSet)
        .count(count)
        .resourceUsage(Maps.asMap(
            podSet.resourceUsage().keySet(), resource -> charged(podSet, resource, count)))
        .build();
  }

  /**
   * {@return the number of pods of an admitted pod set that need quota: fewer than admitted when
   * the workload was scaled down, or if {@code reclaimsPods} when some are reclaimable}
   */
  public static int countInUse(
      PodSetAssignment assignment, CompiledWorkload workload, boolean reclaimsPods) {
    int reclaimable =
        reclaimsPods ? workload.reclaimablePods().getOrDefault(assignment.name(), 0) : 0;
    return workload.source().podSets().stream()
        .filter(podSet -> podSet.name().equals(assignment.name()))
        .mapToInt(podSet -> podSet.count() - Math.min(reclaimable, podSet.count()))
        .map(count -> Math.min(count, assignment.count()))
        .findFirst()
        .orElse(assignment.count());
  }
}
