package io.kueue4j.core;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.queue.PendingWorkload;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A ClusterQueue at one moment. Immutable, safe for several threads. */
public final class ClusterQueueView {
  private final ClusterQueue spec;
  private final Optional<String> inactivity;
  private final ImmutableList<QuotaUsage> usage;
  private final ImmutableList<Admission> admitted;
  private final ImmutableList<WorkloadId> reserving;
  private final ImmutableList<WorkloadId> stopping;
  private final long weightedShare;
  private final int pendingCount;
  private final int inadmissibleCount;
  private final Supplier<ImmutableList<WorkloadId>> pending;
  private final Supplier<ImmutableList<WorkloadId>> inadmissible;

  ClusterQueueView(
      ClusterQueue spec,
      Optional<String> inactivity,
      ImmutableList<QuotaUsage> usage,
      ImmutableList<Admission> admitted,
      ImmutableList<WorkloadId> reserving,
      ImmutableList<WorkloadId> stopping,
      long weightedShare,
      List<PendingWorkload> pending,
      List<PendingWorkload> inadmissible,
      Comparator<PendingWorkload> serviceOrder) {
    this.spec = spec;
    this.inactivity = inactivity;
    this.usage = usage;
    this.admitted = admitted;
    this.reserving = reserving;
    this.stopping = stopping;
    this.weightedShare = weightedShare;
    this.pendingCount = pending.size();
    this.inadmissibleCount = inadmissible.size();
    this.pending = inOrder(pending, serviceOrder);
    this.inadmissible = inOrder(inadmissible, serviceOrder);
  }

  private static Supplier<ImmutableList<WorkloadId>> inOrder(
      List<PendingWorkload> workloads, Comparator<PendingWorkload> serviceOrder) {
    return Suppliers.memoize(() -> workloads.stream()
        .sorted(serviceOrder)
        .map(workload -> workload.compiled().source().id())
        .collect(toImmutableList()));
  }

  /** {@return the queue as it was applied} */
  public ClusterQueue spec() {
    return spec;
  }

  /** {@return the name} */
  public String name() {
    return spec.name();
  }

  /** {@return whether it takes part: it is not stopped and everything it names exists} */
  public boolean isActive() {
    return inactivity.isEmpty();
  }

  /**
   * {@return why it does not take part: Kueue's reason for the condition {@code Active}, and what
   * is meant; absent if it does take part (rule M-12)}
   */
  public Optional<String> inactivity() {
    return inactivity;
  }

  /**
   * {@return quota and usage, in the order of the resource groups; what is used without quota comes
   * last}
   */
  public ImmutableList<QuotaUsage> usage() {
    return usage;
  }

  /**
   * {@return what holds its quota, oldest first: by the time when quota was reserved, then by
   * workload}
   */
  public ImmutableList<Admission> admitted() {
    return admitted;
  }

  /**
   * {@return those of the admitted workloads that may not start yet, because admission checks are
   * not passed or pods are to be placed; in the same order}
   */
  public ImmutableList<WorkloadId> reserving() {
    return reserving;
  }

  /**
   * {@return those of the admitted workloads that were told to stop, and hold their quota until
   * they have; in the same order}
   */
  public ImmutableList<WorkloadId> stopping() {
    return stopping;
  }

  /**
   * {@return how much it borrows: of the resource that it borrows most of, in thousandths of what
   * its cohort could lend, divided by its weight and rounded up; {@link Long#MAX_VALUE} for one
   * that borrows without weight, 0 for one that does not borrow; rule H-8}
   */
  public long weightedShare() {
    return weightedShare;
  }

  /**
   * {@return the workloads that the coming cycles try, in order of service; of those that try all
   * flavors at a time each attempt, as {@code name[flavor]} (rule CA-2)}
   */
  public ImmutableList<WorkloadId> pending() {
    return pending.get();
  }

  /**
   * {@return the workloads that wait for something to change, in order of service and with names as
   * in {@link #pending}}
   */
  public ImmutableList<WorkloadId> inadmissible() {
    return inadmissible.get();
  }

  /** {@return the number of all workloads that wait} */
  public int waitingCount() {
    return pendingCount + inadmissibleCount;
  }

  @Override
  public String toString() {
    return "ClusterQueue " + name() + " [admitted " + admitted.size() + ", pending " + pendingCount
        + ", inadmissible " + inadmissibleCount + "]";
  }
}
