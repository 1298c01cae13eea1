package io.kueue4j.core.decision;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.immutables.value.Value;

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
@Value.Immutable
public abstract class ClusterQueueView {
  ClusterQueueView() {}

  /** {@return a new builder; all values are required} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A workload that holds quota of a ClusterQueue, and how much, as of an
   * {@link io.kueue4j.core.EngineView}. Immutable.
   *
   * @param workload the workload
   * @param admission its admission
   * @param isAdmitted whether it may run; if not, it waits for admission checks or for the
   *     placement of its pods
   * @param isStopping whether it was evicted and
   *     {@link io.kueue4j.core.AdmissionEngine#podsStopped} has not been called since
   * @param held what it is charged: the admitted amounts less those released by reclaimable pods or
   *     scaling down, by flavor and resource; an amount may be 0
   * @since 0.1.0
   */
  public record HoldingWorkload(
      Workload workload,
      Admission admission,
      boolean isAdmitted,
      boolean isStopping,
      List<PreemptionVictim.HeldQuota> held) {
    /** Copies what it is given. */
    public HoldingWorkload {
      held = ImmutableList.copyOf(held);
    }
  }

  /**
   * A workload that waits in a ClusterQueue, and its position, as of an
   * {@link io.kueue4j.core.EngineView}. Immutable.
   *
   * @param workload the workload
   * @param priority its priority, without its boost; the value of its priority class if it has one
   * @param positionInClusterQueue the number of workloads of the ClusterQueue that are served
   *     before it, including those that wait for a change
   * @param positionInLocalQueue the number of these that belong to the same LocalQueue
   * @param isActive whether the next cycles try it; if not, it waits for a change
   * @since 0.1.0
   */
  public record WaitingWorkload(
      Workload workload,
      int priority,
      int positionInClusterQueue,
      int positionInLocalQueue,
      boolean isActive) {}

  /**
   * The quota of one resource in one flavor of a ClusterQueue, and its usage. Amounts are
   * milli-units of cpu, whole units of everything else. Immutable.
   *
   * @param flavor the flavor
   * @param resource the resource
   * @param nominal the nominal quota, 0 if the ClusterQueue no longer declares one
   * @param used the amount that workloads hold
   * @param available the amount available to one more workload, including what it could borrow
   * @since 0.1.0
   */
  public record QuotaUsage(
      String flavor, String resource, long nominal, long used, long available) {
    /** {@return the usage above the nominal quota} */
    public long borrowed() {
      return Math.max(0, used - nominal);
    }
  }

  /**
   * The numbers of distinct shapes among the waiting workloads. Workloads of one shape are
   * equivalent for scheduling.
   *
   * @param pending among those that the next cycles try
   * @param inadmissible among those that wait for a change
   * @param waiting among all of them
   */
  public record ShapeCounts(int pending, int inadmissible, int waiting) {}

  /** {@return the queue as it was applied} */
  public abstract ClusterQueue spec();

  /** {@return the name} */
  public String name() {
    return spec().name();
  }

  /** {@return whether it is active: it is not stopped and every object that it refers to exists} */
  public boolean isActive() {
    return inactivities().isEmpty();
  }

  /**
   * {@return the first reason why it is inactive: Kueue's reason for the condition {@code Active},
   * and an explanation; absent if it is active (rule M-12)}
   */
  public Optional<String> inactivity() {
    return inactivities().stream().findFirst().map(Inactivity::toString);
  }

  /**
   * {@return every reason why it is inactive, in Kueue's order; empty if it is active (rule M-12)}
   */
  public abstract List<Inactivity> inactivities();

  /**
   * {@return quota and usage, in the order of the resource groups; usage without quota comes last}
   */
  public abstract List<QuotaUsage> usage();

  /**
   * {@return the workloads that hold its quota and what each is charged, oldest first: by the time
   * of the quota reservation, then by workload}
   */
  public abstract List<HoldingWorkload> holders();

  /** {@return the admissions of the workloads that hold its quota, in the same order} */
  @Value.Lazy
  public List<Admission> admitted() {
    return holders().stream().map(HoldingWorkload::admission).collect(toImmutableList());
  }

  /**
   * {@return the admitted workloads that may not start yet, because admission checks have not
   * passed or pods are not placed; in the same order}
   */
  public List<WorkloadId> reserving() {
    return idsOfHolders(holder -> !holder.isAdmitted());
  }

  /**
   * {@return the admitted workloads that were evicted and keep their quota until
   * {@link io.kueue4j.core.AdmissionEngine#podsStopped}; in the same order}
   */
  public List<WorkloadId> stopping() {
    return idsOfHolders(HoldingWorkload::isStopping);
  }

  /**
   * {@return how much it borrows of the resource that it borrows most of, in thousandths of what
   * its cohort could lend, divided by its weight and rounded up; {@link Long#MAX_VALUE} if it
   * borrows with weight 0, 0 if it does not borrow; rule H-8}
   */
  public abstract long weightedShare();

  /**
   * {@return the workloads that the next cycles try, in order of service; a workload that tries all
   * flavors concurrently appears once per variant, as {@code name[flavor]} (rule CA-2)}
   */
  @Value.Lazy
  public List<WorkloadId> pending() {
    return idsOfWaiting(true);
  }

  /** {@return the number of workloads that the next cycles try} */
  public abstract int pendingCount();

  /**
   * {@return the workloads that wait for a change, in order of service and named as in
   * {@link #pending}}
   */
  @Value.Lazy
  public List<WorkloadId> inadmissible() {
    return idsOfWaiting(false);
  }

  /**
   * {@return all waiting workloads with their positions, in order of service: those that the next
   * cycles try and those that wait for a change}
   */
  @Value.Lazy
  public List<WaitingWorkload> waiting() {
    return waitingSource().get();
  }

  /** {@return the number of workloads that wait for a change} */
  public abstract int inadmissibleCount();

  /** {@return the number of all waiting workloads} */
  public int waitingCount() {
    return pendingCount() + inadmissibleCount();
  }

  /** {@return the numbers of distinct shapes among the waiting workloads} */
  @Value.Lazy
  public ShapeCounts shapes() {
    return shapeSource().get();
  }

  /** {@return what counts shapes on first use} */
  @Value.Auxiliary
  abstract Supplier<ShapeCounts> shapeSource();

  /** {@return what lists the waiting workloads on first use} */
  @Value.Auxiliary
  abstract Supplier<List<WaitingWorkload>> waitingSource();

  private ImmutableList<WorkloadId> idsOfHolders(Predicate<HoldingWorkload> which) {
    return holders().stream()
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
    return "ClusterQueue " + name() + " [admitted " + holders().size() + ", pending "
        + pendingCount() + ", inadmissible " + inadmissibleCount() + "]";
  }

  /** Builds {@link ClusterQueueView}s; reusable, not thread-safe. */
  public static final class Builder extends ImmutableClusterQueueView.Builder {
    Builder() {}
  }
}
