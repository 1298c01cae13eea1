package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.FeatureGate;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.testkit.reference.placement.PlacedPods;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A workload and what is remembered of it.
 *
 * <p>Rules, M-22, U-1, U-5, U-6, U-20, L-4, L-9, T-9.
 */
final class Job {
  /** What makes "whatever happens to one happens to the other". */
  record Shape(long priority, ImmutableList<PodSet> podSets) {}

  /** U-3 without the sticky workload; what upstream leaves open ends with namespace and name. */
  static final Comparator<Job> SERVICE_ORDER = Comparator.comparingLong(
          (Job job) -> -job.priority())
      .thenComparing(Job::queueTime)
      .thenComparing(Job::uid)
      .thenComparing(Job::id);

  private final Specs specs;
  private final Instant submitted;
  private Workload workload;
  private @Nullable Admission admission;
  private boolean evicted;

  /** Whether it was deactivated and still has to stop, though it holds nothing any more (L-12). */
  private boolean stopping;

  private @Nullable Instant preemptedTime;
  private @Nullable PreemptionReason preemptionReason;

  /** Where the walk over flavors got to, null if it starts anew. */
  @Nullable
  ScanMemory memory;

  /** Grows when the spec changes; a status does not count (U-11). */
  long specGeneration = 1;

  Job(Specs specs, Workload workload, Instant submitted) {
    this.specs = specs;
    this.workload = workload;
    this.submitted = submitted;
  }

  /** {@return one to try out: it has the same past, but the walk over flavors starts anew} */
  Job trial() {
    Job trial = new Job(specs, workload, submitted);
    trial.stopping = stopping;
    trial.preemptedTime = preemptedTime;
    trial.preemptionReason = preemptionReason;
    trial.specGeneration = specGeneration;
    return trial;
  }

  Workload workload() {
    return workload;
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
    if (preemptedTime != null
        && preemptionReason == PreemptionReason.IN_COHORT_RECLAIM_WHILE_BORROWING
        && !specs.isEnabled(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT)) {
      return seconds(preemptedTime).plusMillis(1);
    }
    return seconds(workload.creationTime().orElse(submitted));
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** U-1, but for the queues, which may come and go. */
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
    return workload.requeued()
        && workload.requeueAt().filter(time -> now.isBefore(time)).isEmpty();
  }

  /** */
  private int countAfterReclaim(PodSet podSet) {
    int reclaimable = specs.isEnabled(FeatureGate.RECLAIMABLE_PODS)
        ? workload.reclaimablePods().getOrDefault(podSet.name(), 0)
        : 0;
    return podSet.count() - Math.min(reclaimable, podSet.count());
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
    ImmutableList<PodSet> podSets = workload.podSets().stream()
        .map(podSet ->
            PodSet.builder().from(podSet).count(countAfterReclaim(podSet)).build())
        .collect(toImmutableList());
    return Optional.of(new Shape(priority(), podSets));
  }

  // ----- quota

  Optional<Admission> admission() {
    return Optional.ofNullable(admission);
  }

  /** L-4: nothing that came before counts any more. */
  void reserve(Admission decided) {
    admission = decided;
    evicted = false;
    preemptedTime = null;
    preemptionReason = null;
    memory = null;
  }

  /** L-9: told to stop; the quota stays charged. */
  void preempt(PreemptionReason reason, Instant now) {
    evicted = true;
    preemptedTime = now;
    preemptionReason = reason;
  }

  boolean isEvicted() {
    return evicted;
  }

  /** Gives the quota back. */
  void release() {
    admission = null;
    evicted = false;
  }

  /** {@return when quota was reserved, of one that holds some (P-9, U-6)} */
  Instant reservedTime() {
    return seconds(admission().orElseThrow().quotaReservedTime());
  }

  /** {@return what it holds, if it holds quota} */
  Optional<Holder> holder() {
    return admission().map(held -> {
      Map<FlavorResource, Long> usage = new LinkedHashMap<>();
      held.podSetAssignments().forEach(assignment -> charge(assignment, usage));
      return new Holder(this, held.clusterQueue(), ImmutableMap.copyOf(usage), placed(held), 0);
    });
  }

  /** T-9: as admitted, also when pods have been reclaimed since. */
  private ImmutableList<PlacedPods> placed(Admission held) {
    ImmutableList.Builder<PlacedPods> placed = ImmutableList.builder();
    for (PodSetAssignment assignment : held.podSetAssignments()) {
      Optional<String> flavor =
          assignment.flavors().values().stream().filter(specs::hasTopology).findFirst();
      if (flavor.isPresent() && assignment.topologyAssignment().isPresent()) {
        placed.addAll(PlacedPods.of(
            podSet(assignment.name(), workload.podSets()),
            flavor.get(),
            assignment.topologyAssignment().get()));
      }
    }
    return placed.build();
  }

  /** as admitted, but fewer when pods have been reclaimed since. */
  private void charge(PodSetAssignment assignment, Map<FlavorResource, Long> usage) {
    int count = countAfterReclaim(podSet(assignment.name(), workload.podSets()));
    assignment.flavors().forEach((resource, flavor) -> {
      long admitted = assignment.resourceUsage().getOrDefault(resource, 0L);
      long amount = count < assignment.count()
          ? Amount.multiply(admitted / assignment.count(), count)
          : admitted;
      usage.merge(new FlavorResource(flavor, resource), amount, Amount::add);
    });
  }

  private static PodSet podSet(String name, List<PodSet> podSets) {
    return podSets.stream()
        .filter(podSet -> podSet.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public String toString() {
    return id().toString();
  }
}
