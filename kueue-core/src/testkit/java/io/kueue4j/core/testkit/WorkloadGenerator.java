package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Generates workloads, changes of them, and admissions by other engines. */
final class WorkloadGenerator {
  private static final ImmutableList<Integer> EXTREMES =
      ImmutableList.of(Integer.MIN_VALUE, Integer.MAX_VALUE);

  /** The number of workloads before priorities rise. */
  private static final int RISE = 4;

  private static final Duration TICK = Duration.ofSeconds(1);

  private final Dice dice;
  private final ClusterGenerator cluster;
  private int created;

  /** The workload created last. */
  private @Nullable Workload last;

  WorkloadGenerator(Dice dice, ClusterGenerator cluster) {
    this.dice = dice;
    this.cluster = cluster;
  }

  /** {@return a new workload} */
  Workload create(Instant now) {
    return create(now, dice.upTo(cluster.queueCount - 1));
  }

  /** {@return a new workload for the ClusterQueue with that number} */
  Workload create(Instant now, int queue) {
    created++;
    return create("w" + created, now, queue);
  }

  private Workload create(String name, Instant now, int queue) {
    Workload.Builder workload = Workload.builder()
        .namespace(
            cluster.temper().isCrowded() && !dice.oneIn(8)
                ? ClusterGenerator.NAMESPACES.get(0)
                : dice.pick(ClusterGenerator.NAMESPACES))
        .name(name)
        .queueName("l" + queue)
        .creationTime(cluster.temper().isTied() ? now : now.minus(TICK.multipliedBy(dice.upTo(2))));
    if (cluster.has(Feature.PRIORITIES)) {
      workload.priority(priority());
      if (dice.oneIn(6)) {
        workload.priorityClass(dice.pick(ClusterGenerator.CLASSES));
      }
      if (dice.oneIn(12)) {
        workload.priorityBoost(dice.oneIn(6) ? dice.pick(EXTREMES) : dice.between(-1, 1));
      }
    }
    int sets =
        cluster.has(Feature.POD_SETS) ? dice.between(1, cluster.temper().isTight() ? 2 : 3) : 1;
    boolean isElastic = cluster.has(Feature.ELASTIC_JOBS) && !dice.oneIn(3);
    if (isElastic) {
      workload.elastic(true).sliceName(name);
    }
    boolean mayShrink = cluster.has(Feature.PARTIAL_ADMISSION) && !isElastic;
    int shrinking = mayShrink ? dice.upTo(2 * sets) : sets;
    List<PodSet> podSets = new ArrayList<>();
    for (int i = 0; i < sets; i++) {
      podSets.add(podSet("p" + i, i == shrinking, sets > 1));
    }
    if (last != null && dice.oneIn(4)) {
      // Workloads of one shape fail together.
      workload
          .addAllPodSets(last.podSets())
          .priority(last.priority())
          .elastic(last.elastic())
          .sliceName(last.elastic() ? Optional.of(name) : Optional.empty());
    } else {
      workload.addAllPodSets(placed(podSets, isElastic));
    }
    addHolds(workload);
    if (cluster.has(Feature.PODS_READY) && dice.oneIn(8)) {
      workload.maximumExecutionTime(TICK.multipliedBy(dice.between(1, 6)));
    }
    if (cluster.has(Feature.GATES)) {
      addGates(workload);
    }
    last = workload.build();
    return last;
  }

  private int priority() {
    if (dice.oneIn(24)) {
      return dice.pick(EXTREMES);
    }
    return cluster.temper().isRising() && !dice.oneIn(4)
        ? Math.min(created / RISE - 1, 2)
        : dice.between(-1, 2);
  }

  /** Members of a group request the same placement; two of them may be placed together (T-90). */
  private List<PodSet> placed(List<PodSet> podSets, boolean isElastic) {
    TopologyGenerator topologies = cluster.topologies();
    if (topologies == null) {
      return podSets;
    }
    TopologyRequest together = request(topologies, isElastic);
    int members = 0;
    List<PodSet> placed = new ArrayList<>();
    for (PodSet podSet : podSets) {
      PodSet.Builder asking = PodSet.builder().from(podSet);
      if (podSet.group().isPresent()) {
        members++;
      }
      boolean isMember = podSet.group().isPresent() && members <= 2;
      asking.group(isMember ? podSet.group() : Optional.empty());
      if (cluster.has(Feature.SELECTORS) && dice.oneIn(3)) {
        asking.addAllPreferredNodeAffinity(topologies.likedNodes());
      }
      placed.add(asking
          .topologyRequest(isMember ? together : request(topologies, isElastic))
          .build());
    }
    return placed;
  }

  /** Elastic jobs that keep their places must not request a level (T-88). */
  private TopologyRequest request(TopologyGenerator topologies, boolean isElastic) {
    return isElastic && !dice.oneIn(6)
        ? TopologyRequest.builder().unconstrained(true).build()
        : topologies.request();
  }

  private void addHolds(Workload.Builder workload) {
    if (!cluster.has(Feature.HOLDS) || !dice.oneIn(6)) {
      return;
    }
    switch (dice.upTo(2)) {
      case 0 -> workload.active(false);
      case 1 -> workload.addAllAdmissionGates(ImmutableSortedSet.of("gate"));
      default -> workload.addAllAdmissibilityProblems(ImmutableSortedSet.of("a limit is exceeded"));
    }
  }

  private void addGates(Workload.Builder workload) {
    if (dice.oneIn(2)) {
      workload.addAllPreemptionGates(
          dice.pick(List.of(List.of("g0"), List.of("g1"), List.of("g0", "g1"))));
    }
    if (dice.oneIn(3)) {
      workload.allowedFlavors(List.of("f" + dice.upTo(cluster.flavorCount - 1)));
    }
  }

  private PodSet podSet(String name, boolean shrinks, boolean hasSiblings) {
    boolean mayBeEmpty = cluster.has(Feature.ZERO_REQUESTS);
    int most = cluster.temper().isTight() ? (shrinks ? 4 : 2) : 4;
    int count = mayBeEmpty && dice.oneIn(6) ? 0 : dice.between(1, most);
    PodSet.Builder podSet = PodSet.builder().name(name).count(count);
    if (shrinks && count > 0) {
      podSet.minCount(dice.between(mayBeEmpty ? 0 : 1, count));
    }
    for (String resource : List.of(QuotaGenerator.GPU, QuotaGenerator.CPU)) {
      if (cluster.quotas().isRequested(resource)) {
        podSet.requestAmount(resource, cluster.quotas().request(resource));
      }
    }
    if (mayBeEmpty && dice.oneIn(8)) {
      podSet.requestAmount("memory", dice.upTo(1));
    }
    if (hasSiblings && dice.oneIn(3)) {
      podSet.group("together");
    }
    if (cluster.has(Feature.SELECTORS)) {
      if (dice.oneIn(4)) {
        podSet.putNodeSelector(ClusterGenerator.NODE, dice.oneIn(2) ? "x" : "y");
      }
      if (dice.oneIn(8)) {
        podSet.addAllNodeAffinity(List.of(NodeSelectorTerm.of(
            ClusterGenerator.requirement(dice.oneIn(4) ? "absent" : ClusterGenerator.NODE, dice))));
      }
      if (dice.oneIn(2)) {
        podSet.addTolerations(Toleration.exists("spot"));
      }
    }
    return podSet.build();
  }

  /** {@return whether the next change is that pods end} */
  boolean reclaims() {
    return cluster.has(Feature.RECLAIMABLE_PODS) && dice.oneIn(3);
  }

  /** {@return a change of a workload by its owner, which may be invalid} */
  Workload change(Workload old, boolean holdsQuota, Instant now) {
    if (old.elastic() && dice.oneIn(2)) {
      return resized(old, holdsQuota ? -1 : dice.upTo(2) - 1);
    }
    if (!holdsQuota && dice.oneIn(3)) {
      return Workload.builder()
          .from(create(old.name(), now, dice.upTo(cluster.queueCount - 1)))
          .namespace(old.namespace())
          .uid(old.uid())
          .build();
    }
    Workload.Builder changed = Workload.builder().from(old);
    if (old.priorityClass().isPresent() && dice.oneIn(3)) {
      changed.priorityClass(dice.pick(ClusterGenerator.CLASSES));
    } else if (cluster.has(Feature.PRIORITIES)) {
      changed.priority(priority());
    }
    if (!holdsQuota || dice.oneIn(6)) {
      changed.queueName("l" + dice.upTo(cluster.queueCount - 1));
    }
    // A running workload would be evicted, which the harness does not follow.
    if (!holdsQuota && cluster.has(Feature.HOLDS) && dice.oneIn(4)) {
      changed.active(!old.active());
    }
    return changed.build();
  }

  /** {@return an elastic slice that replaces an elastic workload, with more pods, rarely fewer} */
  Workload successor(Workload old, Instant now) {
    created++;
    Workload larger = resized(old, dice.oneIn(6) ? -1 : 1);
    String name = "w" + created;
    return Workload.builder()
        .from(larger)
        .name(name)
        .uid(old.namespace() + "/" + name)
        .creationTime(now)
        .priority(dice.oneIn(4) ? priority() : old.priority())
        .replaces(old.id())
        .build();
  }

  /** {@return the workload with {@code more} additional pods in one pod set} */
  private Workload resized(Workload old, int more) {
    int changed = dice.upTo(old.podSets().size() - 1);
    List<PodSet> podSets = new ArrayList<>(old.podSets());
    PodSet podSet = podSets.get(changed);
    int count = Math.max(0, podSet.count() + more);
    podSets.set(changed, PodSet.builder().from(podSet).count(count).build());
    return Workload.builder().from(old).podSets(podSets).build();
  }

  /** {@return the numbers of reclaimable pods after more have ended, rarely invalid} */
  SortedMap<String, Integer> reclaimable(Workload workload, SortedMap<String, Integer> before) {
    SortedMap<String, Integer> reclaimable = new TreeMap<>(before);
    PodSet podSet = dice.pick(workload.podSets());
    reclaimable.merge(
        podSet.name(), dice.upTo(podSet.count() + (dice.oneIn(9) ? 1 : 0)), Math::max);
    return reclaimable;
  }

  /** {@return an admission of {@code workload} in any queue, whether it fits or not} */
  Admission admission(Workload workload, Instant now) {
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue("q" + dice.upTo(cluster.queueCount - 1))
        .quotaReservedTime(now);
    for (PodSet podSet : workload.podSets()) {
      int number = dice.upTo(cluster.flavorCount - 1);
      String flavor = "f" + number;
      ImmutableSortedMap.Builder<String, Long> usage = ImmutableSortedMap.naturalOrder();
      ImmutableSortedMap.Builder<String, String> flavors = ImmutableSortedMap.naturalOrder();
      podSet.requests().forEach((resource, amount) -> {
        usage.put(resource, Amount.multiply(amount, podSet.count()));
        flavors.put(resource, flavor);
      });
      PodSetAssignment.Builder assignment = PodSetAssignment.builder()
          .name(podSet.name())
          .count(podSet.count())
          .putAllFlavors(flavors.buildOrThrow())
          .putAllResourceUsage(usage.buildOrThrow());
      TopologyGenerator topologies = cluster.topologies();
      if (topologies != null && topologies.hasTopology(number) && podSet.count() > 0) {
        assignment.topologyAssignment(topologies.place(number, podSet.count()));
      }
      admission.addPodSetAssignments(assignment.build());
    }
    return admission.build();
  }
}
