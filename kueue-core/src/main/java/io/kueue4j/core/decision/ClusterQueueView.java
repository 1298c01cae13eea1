package io.kueue4j.core.decision;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.WorkloadId;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A ClusterQueue as of an {@link io.kueue4j.core.EngineView}: its quota and usage, the workloads
 * that hold its quota, and the waiting workloads. Immutable and thread-safe.
 *
 * <pre>{@code
 * ClusterQueueView queue = engine.view().clusterQueue("research").orElseThrow();
 * queue.usage().forEach(quota ->
 *     log(quota.flavor() + " " + quota.resource() + ": " + quota.used() + " of " + quota.nominal()));
 * queue.waiting().forEach(each ->
 *     log(each.positionInClusterQueue() + ". " + each.workload().id()));
 * }</pre>
 *
 * <p>Rules: Y-1.
 *
 * @since 0.1.0
 */
public final class ClusterQueueView {
  private final ClusterQueue spec;
  private final ImmutableList<Inactivity> inactivities;
  private final ImmutableList<QuotaUsage> usage;
  private final ImmutableList<HoldingWorkload> holders;
  private final long weightedShare;
  private final int pendingCount;
  private final int inadmissibleCount;
  private final Supplier<ShapeCounts> shapes;
  private final Supplier<ImmutableList<WaitingWorkload>> waiting;
  private final Supplier<ImmutableList<Admission>> admitted;
  private final Supplier<ImmutableList<WorkloadId>> pending;
  private final Supplier<ImmutableList<WorkloadId>> inadmissible;

  /**
   * The numbers of distinct shapes among the waiting workloads. Workloads of one shape are
   * equivalent for scheduling.
   *
   * @param pending among those that the next cycles try
   * @param inadmissible among those that wait for a change
   * @param waiting among all of them
   */
  public record ShapeCounts(int pending, int inadmissible, int waiting) {}

  /**
   * Creates a view. For engines only; users get views from {@code EngineView}.
   *
   * @param spec the queue as it was applied
   * @param inactivities why it is inactive, empty if it is active
   * @param usage quota and usage
   * @param holders the workloads that hold its quota
   * @param weightedShare how much it borrows
   * @param pendingCount the number of workloads that the next cycles try
   * @param inadmissibleCount the number of workloads that wait for a change
   * @param shapes counts shapes on first use
   * @param waiting lists the waiting workloads on first use
   */
  public ClusterQueueView(
      ClusterQueue spec,
      ImmutableList<Inactivity> inactivities,
      ImmutableList<QuotaUsage> usage,
      ImmutableList<HoldingWorkload> holders,
      long weightedShare,
      int pendingCount,
      int inadmissibleCount,
      Supplier<ShapeCounts> shapes,
      Supplier<ImmutableList<WaitingWorkload>> waiting) {
    this.spec = spec;
    this.inactivities = inactivities;
    this.usage = usage;
    this.holders = holders;
    this.weightedShare = weightedShare;
    this.pendingCount = pendingCount;
    this.inadmissibleCount = inadmissibleCount;
    this.shapes = Suppliers.memoize(shapes::get);
    this.waiting = Suppliers.memoize(waiting::get);
    this.admitted = Suppliers.memoize(
        () -> holders.stream().map(HoldingWorkload::admission).collect(toImmutableList()));
    this.pending = Suppliers.memoize(() -> idsOfWaiting(true));
    this.inadmissible = Suppliers.memoize(() -> idsOfWaiting(false));
  }

  /** {@return the queue as it was applied} */
  public ClusterQueue spec() {
    return spec;
  }

  /** {@return the name} */
  public String name() {
    return spec.name();
  }

  /** {@return whether it is active: it is not stopped and every object that it refers to exists} */
  public boolean isActive() {
    return inactivities.isEmpty();
  }

  /**
   * {@return the first reason why it is inactive: Kueue's reason for the condition {@code Active},
   * and an explanation; absent if it is active (rule M-12)}
   */
  public Optional<String> inactivity() {
    return inactivities.stream().findFirst().map(Inactivity::toString);
  }

  /**
   * {@return every reason why it is inactive, in Kueue's order; empty if it is active (rule M-12)}
   */
  public ImmutableList<Inactivity> inactivities() {
    return inactivities;
  }

  /**
   * {@return quota and usage, in the order of the resource groups; usage without quota comes last}
   */
  public ImmutableList<QuotaUsage> usage() {
    return usage;
  }

  /**
   * {@return the workloads that hold its quota and what each is charged, oldest first: by the time
   * of the quota reservation, then by workload}
   */
  public ImmutableList<HoldingWorkload> holders() {
    return holders;
  }

  /** {@return the admissions of the workloads that hold its quota, in the same order} */
  public ImmutableList<Admission> admitted() {
    return admitted.get();
  }

  /**
   * {@return the admitted workloads that may not start yet, because admission checks have not
   * passed or pods are not placed; in the same order}
   */
  public ImmutableList<WorkloadId> reserving() {
    return idsOfHolders(holder -> !holder.isAdmitted());
  }

  /**
   * {@return the admitted workloads that were evicted and keep their quota until
   * {@link io.kueue4j.core.AdmissionEngine#podsStopped}; in the same order}
   */
  public ImmutableList<WorkloadId> stopping() {
    return idsOfHolders(HoldingWorkload::isStopping);
  }

  /**
   * {@return how much it borrows of the resource that it borrows most of, in thousandths of what
   * its cohort could lend, divided by its weight and rounded up; {@link Long#MAX_VALUE} if it
   * borrows with weight 0, 0 if it does not borrow; rule H-8}
   */
  public long weightedShare() {
    return weightedShare;
  }

  /**
   * {@return the workloads that the next cycles try, in order of service; a workload that tries all
   * flavors concurrently appears once per variant, as {@code name[flavor]} (rule CA-2)}
   */
  public ImmutableList<WorkloadId> pending() {
    return pending.get();
  }

  /** {@return the number of workloads that the next cycles try} */
  public int pendingCount() {
    return pendingCount;
  }

  /**
   * {@return the workloads that wait for a change, in order of service and named as in
   * {@link #pending}}
   */
  public ImmutableList<WorkloadId> inadmissible() {
    return inadmissible.get();
  }

  /**
   * {@return all waiting workloads with their positions, in order of service: those that the next
   * cycles try and those that wait for a change}
   */
  public ImmutableList<WaitingWorkload> waiting() {
    return waiting.get();
  }

  /** {@return the number of workloads that wait for a change} */
  public int inadmissibleCount() {
    return inadmissibleCount;
  }

  /** {@return the number of distinct shapes among the workloads that the next cycles try} */
  public int pendingShapeCount() {
    return shapes.get().pending;
  }

  /** {@return the number of distinct shapes among the workloads that wait for a change} */
  public int inadmissibleShapeCount() {
    return shapes.get().inadmissible;
  }

  /** {@return the number of distinct shapes among all waiting workloads} */
  public int waitingShapeCount() {
    return shapes.get().waiting;
  }

  /** {@return the number of all waiting workloads} */
  public int waitingCount() {
    return pendingCount + inadmissibleCount;
  }

  private ImmutableList<WorkloadId> idsOfHolders(Predicate<HoldingWorkload> which) {
    return holders.stream()
        .filter(which)
        .map(holder -> holder.workload().id())
        .collect(toImmutableList());
  }

  private ImmutableList<WorkloadId> idsOfWaiting(boolean active) {
    return waiting().stream()
        .filter(each -> each.isActive() == active)
        .map(each -> each.workload().id())
        .collect(toImmutableList());
  }

  @Override
  public String toString() {
    return "ClusterQueue " + name() + " [admitted " + holders.size() + ", pending " + pendingCount
        + ", inadmissible " + inadmissibleCount + "]";
  }
}
