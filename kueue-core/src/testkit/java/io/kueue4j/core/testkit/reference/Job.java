package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PodSetAssignment.DelayedTopologyRequest;
import io.kueue4j.core.model.PodsReadyPolicy.RequeuingTimestamp;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A workload with its state.
 *
 * <p>Rules, M-22, U-1, U-5, U-6, U-20, F-9, L-4, L-8, L-9, L-12, L-17, L-19, L-25,
 * T-9.
 */
final class Job {
  /** What determines scheduling: workloads with equal shapes have equal results. */
  record Shape(long priority, ImmutableList<PodSet> podSets, SortedSet<String> allowedFlavors) {}

  /** U-3 without the sticky workload; what upstream leaves open ends with namespace and name. */
  static final Comparator<Job> SERVICE_ORDER = Comparator.comparingLong(
          (Job job) -> -job.priority())
      .thenComparing(Job::queueTime)
      .thenComparing(Job::uid)
      .thenComparing(Job::id);

  private final Specs specs;
  private final Instant submitted;
  private Workload workload;

  /** The number of pods that need no quota any more, by pod set (L-24). */
  private Map<String, Integer> reclaimable = Map.of();

  private @Nullable Admission admission;

  /** Whether it may run (L-5). */
  private boolean admitted;

  private boolean evicted;
  final Checks checks = new Checks();
  final Readiness readiness = new Readiness();

  /** The delayed placement of its pods, null if there is none. */
  @Nullable
  Search placement;

  /** Whether it was deactivated and has not stopped yet, though it holds no quota (L-12). */
  private boolean stopping;

  /** A host of its pods that has failed, null if none has. */
  NodeRepairs.@Nullable Failure failure;

  /** Why it was last evicted, null if it has held quota since (L-4). */
  private @Nullable EvictionReason evictionReason;

  private Instant evictionTime = Instant.MIN;

  /** The stopped queue that it waits for, null if there is none (L-9). */
  private @Nullable EvictionReason awaited;

  private Instant requeueAt = Instant.MIN;
  private @Nullable Instant preemptedTime;
  private @Nullable PreemptionReason preemptionReason;

  /** Where the search over flavors resumes, null if it starts again. */
  @Nullable
  ScanMemory memory;

  private final Set<String> openGates = new TreeSet<>();

  /** Incremented when the spec changes; status changes do not count (U-11). */
  long specGeneration = 1;

  Job(Specs specs, Workload workload, Instant submitted) {
    this.specs = specs;
    this.workload = workload;
    this.submitted = submitted;
  }

  /** {@return a copy for a trial, whose search over flavors starts again} */
  Job trial() {
    Job trial = new Job(specs, workload, submitted);
    trial.reclaimable = reclaimable;
    trial.stopping = stopping;
    trial.checks.copy(checks);
    trial.evictionReason = evictionReason;
    trial.evictionTime = evictionTime;
    trial.preemptedTime = preemptedTime;
    trial.preemptionReason = preemptionReason;
    trial.specGeneration = specGeneration;
    trial.openGates.addAll(openGates);
    return trial;
  }

  Workload workload() {
    return workload;
  }

  Map<String, Integer> reclaimable() {
    return reclaimable;
  }

  void setReclaimable(Map<String, Integer> changed) {
    reclaimable = changed;
  }

  WorkloadId id() {
    return workload.id();
  }

  String uid() {
    return workload.uid();
  }

  /** Replaces the workload by another version of it. */
  void change(Workload changed) {
    boolean sameSpec = workload.queueName().equals(changed.queueName())
        && workload.podSets().equals(changed.podSets())
        && workload.priority() == changed.priority()
        && workload.priorityClass().equals(changed.priorityClass())
        && workload.active() == changed.active();
    if (!sameSpec) {
      specGeneration++;
    }
    workload = changed;
  }

  long priority() {
    return specs.effectivePriority(workload);
  }

  /** U-5, U-6. */
  Instant queueTime() {
    boolean followsTimeout = specs
        .podsReady()
        .filter(policy -> policy.requeuingTimestamp() == RequeuingTimestamp.EVICTION)
        .isPresent();
    if (evictionReason == EvictionReason.ADMISSION_CHECK
        || (evictionReason == EvictionReason.PODS_READY_TIMEOUT && followsTimeout)) {
      return seconds(evictionTime);
    }
    if (preemptedTime != null
        && preemptionReason == PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING
        && !specs.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT)) {
      return seconds(preemptedTime).plusMillis(1);
    }
    return creationTime();
  }

  Instant creationTime() {
    return seconds(workload.creationTime().orElse(submitted));
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** U-1, except for the queues, which may be added and removed. */
  boolean mayBeQueued() {
    boolean gated =
        !workload.admissionGates().isEmpty() && specs.isEnabled(FeatureGate.ADMISSION_GATED_BY);
    return workload.active() && !gated && admission == null && !stopping;
  }

  boolean isStopping() {
    return stopping;
  }

  void setStopping(boolean nowStopping) {
    stopping = nowStopping;
  }

  /** U-20. */
  boolean isBackoffOver(Instant now) {
    return awaited == null && !now.isBefore(requeueAt);
  }

  /** */
  int countAfterReclaim(PodSet podSet) {
    int ended = specs.isEnabled(FeatureGate.RECLAIMABLE_PODS)
        ? reclaimable.getOrDefault(podSet.name(), 0)
        : 0;
    return podSet.count() - Math.min(ended, podSet.count());
  }

  /** what its pods request, one entry for each pod set in their order. */
  ImmutableList<PodSetRequests> requests() {
    return workload.podSets().stream()
        .map(podSet -> PodSetRequests.of(podSet, countAfterReclaim(podSet)))
        .collect(toImmutableList());
  }

  /** R-10; absent with the gate off. */
  Optional<Shape> shape() {
    if (!specs.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)) {
      return Optional.empty();
    }
    boolean namesCount =
        !specs.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING_IGNORE_POD_SET_NAME);
    ImmutableList<PodSet> podSets = workload.podSets().stream()
        .map(podSet -> PodSet.builder()
            .from(podSet)
            .name(namesCount ? podSet.name() : "any")
            .count(countAfterReclaim(podSet))
            .build())
        .collect(toImmutableList());
    return Optional.of(new Shape(priority(), podSets, allowedFlavors()));
  }

  /** F-9: empty for all. */
  SortedSet<String> allowedFlavors() {
    return specs.isEnabled(FeatureGate.CONCURRENT_ADMISSION)
        ? workload.allowedFlavors()
        : ImmutableSortedSet.of();
  }

  // ----- elastic jobs

  boolean isSlice() {
    return specs.isEnabled(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
        && (workload.elastic() || workload.replaces().isPresent());
  }

  /** E-2, E-3: the slice that it names, of its own namespace. */
  Optional<WorkloadId> replaces() {
    return isSlice()
        ? workload.replaces().filter(id -> id.namespace().equals(workload.namespace()))
        : Optional.empty();
  }

  /** L-4: the condition stays until quota is reserved again. */
  boolean wasEvicted() {
    return evictionReason != null;
  }

  // ----- preemption gates

  /** L-25: a gate is closed until it is opened. */
  boolean mayPreempt() {
    boolean gatesCount = specs.isEnabled(FeatureGate.CONCURRENT_ADMISSION)
        || specs.isEnabled(FeatureGate.MULTIKUEUE_ORCHESTRATED_PREEMPTION);
    return !gatesCount || openGates.containsAll(workload.preemptionGates());
  }

  /** {@return whether that changes anything} */
  boolean setGate(String gate, boolean open) {
    return open ? openGates.add(gate) : openGates.remove(gate);
  }

  // ----- quota

  Optional<Admission> admission() {
    return Optional.ofNullable(admission);
  }

  /** L-4: earlier state is cleared. */
  void reserve(Admission decided) {
    admission = decided;
    evicted = false;
    evictionReason = null;
    preemptedTime = null;
    preemptionReason = null;
    memory = null;
  }

  /** T-81: the same quota with other places. */
  void replace(Admission repaired) {
    admission = repaired;
  }

  /** L-9, L-25: the quota stays charged, gates close. */
  void evict(EvictionReason reason, Instant now) {
    evicted = true;
    evictionReason = reason;
    evictionTime = now;
    failure = null;
    placement = null;
    checks.reset(now);
    openGates.clear();
  }

  /** L-9: evicted for another workload. */
  void preempt(PreemptionReason reason, Instant now) {
    evict(EvictionReason.PREEMPTED, now);
    preemptedTime = now;
    preemptionReason = reason;
  }

  boolean isEvicted() {
    return evicted;
  }

  /** L-12, L-18. */
  void deactivate(Instant now) {
    if (evictionReason == null) {
      boolean holds = admission != null;
      evict(EvictionReason.DEACTIVATED, now);
      evicted = holds;
    }
    requeueAt = Instant.MIN;
    readiness.forgetTimeouts();
  }

  /** L-9: records that its pods have stopped, and the queue that it waits for. */
  void stop(Instant now) {
    stopping = false;
    readiness.ended(now);
    boolean awaitsQueue = evictionReason == EvictionReason.CLUSTER_QUEUE_STOPPED
        || evictionReason == EvictionReason.LOCAL_QUEUE_STOPPED;
    awaited = awaitsQueue ? evictionReason : null;
  }

  Optional<EvictionReason> awaited() {
    return Optional.ofNullable(awaited);
  }

  void endWait() {
    awaited = null;
  }

  /** L-8: never earlier than before. */
  void waitUntil(Instant time) {
    requeueAt = requeueAt.isBefore(time) ? time : requeueAt;
  }

  /** L-17. */
  void delayUntil(Instant time) {
    requeueAt = time;
  }

  /** Releases the quota. */
  void release() {
    admission = null;
    admitted = false;
    evicted = false;
    failure = null;
    placement = null;
  }

  boolean isAdmitted() {
    return admitted;
  }

  void setAdmitted(boolean nowAdmitted, Instant now) {
    admitted = nowAdmitted;
    if (nowAdmitted) {
      readiness.started(now);
    } else {
      readiness.ended(now);
    }
  }

  /** T-78. */
  boolean isPlaced() {
    return admission().orElseThrow().podSetAssignments().stream().noneMatch(Job::isDelayed);
  }

  static boolean isDelayed(PodSetAssignment assignment) {
    return assignment.delayedTopologyRequest().equals(Optional.of(DelayedTopologyRequest.PENDING));
  }

  /** {@return when its quota was reserved (P-9, U-6)} */
  Instant reservedTime() {
    return seconds(admission().orElseThrow().quotaReservedTime());
  }

  /** {@return the holder, if it holds quota} */
  Optional<Holder> holder() {
    return admission().map(held -> {
      Map<FlavorResource, Long> usage = new LinkedHashMap<>();
      held.podSetAssignments()
          .forEach(assignment -> charges(assignment)
              .forEach((resource, charge) -> usage.merge(
                  new FlavorResource(charge.flavor(), resource), charge.amount(), Amount::add)));
      return new Holder(this, held.clusterQueue(), ImmutableMap.copyOf(usage), placed(held), 0);
    });
  }

  /** T-9, L-24: as admitted, unless all pods of a pod set have been reclaimed since. */
  private ImmutableList<PlacedPods> placed(Admission held) {
    ImmutableList.Builder<PlacedPods> placed = ImmutableList.builder();
    for (PodSetAssignment assignment : held.podSetAssignments()) {
      Optional<String> flavor =
          assignment.flavors().values().stream().filter(specs::hasTopology).findFirst();
      boolean isFree = specs.isEnabled(FeatureGate.RECLAIMABLE_PODS)
          && specs.settings().includes(KueueFix.RECLAIMED_PODS_FREE_DOMAINS)
          && countAfterReclaim(podSet(assignment.name())) == 0;
      if (!isFree && flavor.isPresent() && assignment.topologyAssignment().isPresent()) {
        placed.addAll(PlacedPods.of(
            podSet(assignment.name()),
            flavor.get(),
            assignment.topologyAssignment().get()));
      }
    }
    return placed.build();
  }

  /** The usage of a resource. */
  record Charge(String flavor, long amount) {}

  /** {@return the usage of a pod set, by resource; only for a workload with quota} */
  ImmutableMap<String, Charge> charges(String podSet) {
    return admission().orElseThrow().podSetAssignments().stream()
        .filter(assignment -> assignment.name().equals(podSet))
        .findFirst()
        .map(this::charges)
        .orElse(ImmutableMap.of());
  }

  /** R-7, E-1: as admitted, but less if pods were reclaimed or are no longer requested. */
  private ImmutableMap<String, Charge> charges(PodSetAssignment assignment) {
    int count = countAfterReclaim(podSet(assignment.name()));
    ImmutableMap.Builder<String, Charge> charges = ImmutableMap.builder();
    assignment.flavors().forEach((resource, flavor) -> {
      long admitted = assignment.resourceUsage().getOrDefault(resource, 0L);
      long amount = count < assignment.count()
          ? Amount.multiply(admitted / assignment.count(), count)
          : admitted;
      charges.put(resource, new Charge(flavor, amount));
    });
    return charges.buildOrThrow();
  }

  PodSet podSet(String name) {
    return workload.podSets().get(indexOf(name));
  }

  /** {@return the position of a pod set that it has} */
  int indexOf(String podSet) {
    return workload.podSets().stream().map(PodSet::name).toList().indexOf(podSet);
  }

  @Override
  public String toString() {
    return id().toString();
  }
}
