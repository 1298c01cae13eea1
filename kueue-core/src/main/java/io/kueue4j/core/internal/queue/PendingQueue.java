package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Journal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The pending workloads of one ClusterQueue: active ones, of which the first is the head of the
 * next cycle, and parked ones, which wait for a requeue event.
 *
 * <p>A cycle is atomic: no event can occur between taking a head and putting it back, so that
 * clause of rule U-12 never applies.
 *
 * <p>Rules: U-2, U-3, U-4, U-7, U-8, U-9, U-10, U-11, U-12, U-13, U-14, U-15, U-16, U-19, U-20,
 * W-8.
 */
public final class PendingQueue {
  /*
   * Workloads of equal shape and namespace form a group, which is a heap; the groups with active
   * workloads form a heap ordered by their first workloads. Parking or reactivating a shape moves
   * whole groups, so the cost of an event depends on the number of groups, not of workloads.
   * Workloads in backoff are kept apart, because no event moves them.
   *
   * If past usage orders LocalQueues, a group belongs to one LocalQueue and the heap of groups is
   * ordered by usage first. The cost of a change of usage then depends on the number of groups of
   * that LocalQueue. Parking a shape still affects the groups of all LocalQueues.
   */
  private final QueueRules rules;
  private final @Nullable LocalQueueUsage usage;
  private final Journal journal;
  private final QueueObserver observer;
  private final ShapeGroups groups;
  private final QueuePositions positions;
  private boolean strictFifo;

  private final QueueMemory memory = new QueueMemory();

  /** Creates an empty queue, in which the usage of LocalQueues does not count. */
  public PendingQueue(QueueRules rules) {
    this(rules, null, new Journal(), () -> {});
  }

  /**
   * Creates an empty queue.
   *
   * @param rules the settings
   * @param usage the past usage that orders LocalQueues, lower first, before any other criterion;
   *     null if usage does not count (U-4)
   * @param journal records the inverse of changes for calls that fail
   * @param observer is notified of changes
   */
  public PendingQueue(
      QueueRules rules, @Nullable LocalQueueUsage usage, Journal journal, QueueObserver observer) {
    this.rules = rules;
    this.usage = usage;
    this.journal = journal;
    this.observer = observer;
    this.positions = new QueuePositions(journal, observer);
    this.groups = new ShapeGroups(usage);
  }

  /** {@return whether past usage orders the LocalQueues} */
  public boolean isServedByUsage() {
    return usage != null;
  }

  /**
   * {@return an empty queue of the same kind; if past usage orders LocalQueues, it is ordered by
   * {@code otherUsage}}
   */
  public PendingQueue newEmpty(
      LocalQueueUsage otherUsage, Journal otherJournal, QueueObserver otherObserver) {
    return new PendingQueue(rules, usage == null ? null : otherUsage, otherJournal, otherObserver);
  }

  /**
   * Fills this empty queue with the content of another.
   *
   * @param other the queue to copy
   * @param counterpart maps each workload to its copy, always to the same one
   */
  public void fillFrom(PendingQueue other, UnaryOperator<PendingWorkload> counterpart) {
    groups.fillFrom(other.groups, counterpart);
    positions.fillFrom(other.positions, groups, counterpart);
    strictFifo = other.strictFifo;
    memory.fillFrom(other.memory, counterpart);
  }

  private void beforeChange() {
    observer.beforeChange();
  }

  /** Sets the strategy, which applies from the next attempt on. */
  public void setStrictFifo(boolean strictFifo) {
    beforeChange();
    boolean before = this.strictFifo;
    journal.add(() -> this.strictFifo = before);
    this.strictFifo = strictFifo;
  }

  /** {@return the number of active workloads} */
  public int activeCount() {
    return positions.activeCount();
  }

  /** {@return the number of parked workloads and those in backoff} */
  public int parkedCount() {
    return positions.parkedCount();
  }

  /** {@return whether {@code workload} is active} */
  public boolean isActive(PendingWorkload workload) {
    return workload.group != null && workload.group.isActive(workload);
  }

  /**
   * {@return whether the queue waits for the victims of {@code workload}, and the workload has not
   * changed since; rule U-11}
   */
  public boolean isPreemptor(PendingWorkload workload) {
    return workload.equals(memory.preemptor) && !memory.preemptorChanged;
  }

  /** Adds a workload that is in no queue. */
  public void push(PendingWorkload workload, Instant now) {
    beforeChange();
    ShapeGroup group = groups.join(workload);
    journal.add(ShapeGroups::leave, groups, workload);
    if (!workload.isBackoffOver(now)) {
      positions.backOff(workload);
    } else if (isGivenUp(group)) {
      positions.park(group, workload);
    } else {
      positions.activate(group, workload);
    }
  }

  /**
   * Removes the first active workload for a cycle.
   *
   * @return the workload, null if none is active
   */
  public @Nullable PendingWorkload pop() {
    PendingWorkload head = head();
    if (head != null) {
      beforeChange();
      positions.detach(head);
    }
    return head;
  }

  /** {@return the workload that {@link #pop} would remove, null if none is active} */
  public @Nullable PendingWorkload head() {
    ShapeGroup first = positions.firstGroup();
    if (first == null) {
      return null;
    }
    PendingWorkload sticking = sticking();
    return sticking != null && ShapeGroups.of(sticking).usage <= first.usage
        ? sticking
        : first.firstActive();
  }

  /** Reorders the workloads of a LocalQueue after its usage has changed. */
  public void usageChanged(String localQueue) {
    if (usage != null) {
      beforeChange();
      double changed = usage.of(localQueue);
      for (ShapeGroup group : groups.ofLocalQueue(localQueue)) {
        double before = group.usage;
        journal.add(() -> setUsage(group, before));
        setUsage(group, changed);
      }
    }
  }

  private void setUsage(ShapeGroup group, double changed) {
    group.usage = changed;
    positions.reorder(group);
  }

  /**
   * {@return a snapshot of the order of service, independent of later changes, which also orders
   * copies of the workloads; rules U-3, U-4, U-11}
   */
  public Comparator<PendingWorkload> serviceOrder() {
    return PendingWorkload.serviceOrder(sticking(), usage == null ? null : groups.usages());
  }

  /**
   * {@return the preemptor that waits for its victims and is therefore served before all others,
   * except workloads of LocalQueues with lower usage}
   */
  private @Nullable PendingWorkload sticking() {
    PendingWorkload waiting = memory.preemptor;
    return waiting != null && memory.sticky && isActive(waiting) ? waiting : null;
  }

  /**
   * Removes {@code workload} from any position for an attempt of its own, as {@link #pop} removes
   * the first.
   */
  public void take(PendingWorkload workload) {
    beforeChange();
    positions.detach(workload);
  }

  /** Undoes {@link #pop} of a workload. */
  public void unpop(PendingWorkload workload) {
    beforeChange();
    positions.activate(ShapeGroups.of(workload), workload);
  }

  /**
   * {@return the workload of the same shape whose failure caused {@code workload} to be parked,
   * null if there is none}
   */
  public @Nullable PendingWorkload failedForShape(PendingWorkload workload) {
    PendingWorkload failed = ShapeGroups.of(workload).family.knownNotToFit;
    return workload.equals(failed) || isActive(workload) ? null : failed;
  }

  /**
   * Puts a workload back after an attempt.
   *
   * @param workload the workload, removed before
   * @param reason how the attempt ended
   * @param hasPendingFlavors whether another attempt would try other flavors
   * @param now the time
   */
  public void requeue(
      PendingWorkload workload, RequeueReason reason, boolean hasPendingFlavors, Instant now) {
    beforeChange();
    journal.add(memory.keep());
    if (reason.waitsForOthers()) {
      memory.preemptor = workload;
      memory.sticky = !strictFifo;
      memory.preemptorChanged = false;
    } else if (rules.forgetsPreemptors() && workload.equals(memory.preemptor)) {
      memory.preemptor = null;
    }
    long eventsBefore = workload.eventsBeforeAttempt;
    journal.add(() -> workload.eventsBeforeAttempt = eventsBefore);
    workload.eventsBeforeAttempt = memory.events;
    memory.triedSinceEvent = true;
    ShapeGroup group = ShapeGroups.of(workload);
    boolean immediate =
        strictFifo ? reason != RequeueReason.NAMESPACE_MISMATCH : reason.isImmediate();
    boolean backoffOver = workload.isBackoffOver(now);
    if (backoffOver && (immediate || hasPendingFlavors)) {
      positions.activate(group, workload);
      return;
    }
    if (backoffOver) {
      positions.park(group, workload);
    } else {
      positions.backOff(workload);
    }
    if (!strictFifo && rules.usesShapes() && reason.holdsForShape()) {
      parkFamily(group.family, workload);
    }
  }

  /**
   * Replaces a workload by another version.
   *
   * <p>The queue continues to wait for its victims if it did; but if the spec has changed, the new
   * version does not count as their preemptor.
   *
   * @param old the version in the queue
   * @param changed the new version
   * @param specChanged whether the spec differs, and not only metadata or status (U-11)
   * @param now the time
   */
  public void replace(
      PendingWorkload old, PendingWorkload changed, boolean specChanged, Instant now) {
    boolean waits = old.equals(memory.preemptor);
    leave(old);
    push(changed, now);
    if (waits) {
      journal.add(memory.keep());
      memory.preemptor = changed;
      memory.preemptorChanged |= specChanged;
    }
  }

  /** Removes a workload for good: it was admitted, finished, deleted or moved. */
  public void leave(PendingWorkload workload) {
    beforeChange();
    positions.detach(workload);
    ShapeGroup group = ShapeGroups.of(workload);
    // First, since the inverse of the step before needs the group.
    journal.add(() -> groups.rejoin(workload, group));
    groups.leave(workload);
    if (workload.equals(memory.preemptor)) {
      journal.add(memory.keep());
      memory.preemptor = null;
    }
  }

  /** {@return whether a relevant event has occurred since the last attempt of {@code workload}} */
  public boolean isAttemptOutdated(PendingWorkload workload) {
    return workload.eventsBeforeAttempt < memory.events;
  }

  /** {@return whether a workload is active or in backoff} */
  public boolean hasWork() {
    return positions.activeCount() > 0 || positions.hasBackoffs();
  }

  /**
   * {@return whether {@link #requeueParked} would have an effect: on parked workloads, or on the
   * validity of earlier attempts}
   */
  public boolean awaitsEvent() {
    return memory.triedSinceEvent
        || positions.hasParked()
        || positions.hasBackoffs()
        || groups.hasFailures();
  }

  /**
   * Makes parked workloads active after a requeue event, which may have made the results of earlier
   * attempts obsolete.
   *
   * @param namespaceMatches whether workloads of a namespace may use the queue
   * @param now the time
   */
  public void requeueParked(Predicate<String> namespaceMatches, Instant now) {
    releaseDue(namespaceMatches, now);
    RequeueEvent event = new RequeueEvent(inverses -> unparkAll(namespaceMatches, inverses));
    observer.beforeReversibleChange(event);
    journal.add(event::takeBack);
    event.apply();
  }

  /**
   * Forgets attempts, and activates parked workloads.
   *
   * @param inverses takes the inverse of each step before the step
   */
  private void unparkAll(Predicate<String> namespaceMatches, List<Runnable> inverses) {
    inverses.add(memory.keep());
    memory.events++;
    memory.triedSinceEvent = false;
    groups.forgetFailures(inverses);
    positions.activateParked(group -> namespaceMatches.test(group.namespace), inverses);
  }

  /**
   * Makes workloads active whose backoff is over at {@code now}, unless their shape is known not to
   * fit.
   */
  public void releaseDue(Predicate<String> namespaceMatches, Instant now) {
    for (PendingWorkload workload = positions.due(now);
        workload != null;
        workload = positions.due(now)) {
      beforeChange();
      positions.detach(workload);
      ShapeGroup group = ShapeGroups.of(workload);
      if (namespaceMatches.test(group.namespace) && !isGivenUp(group)) {
        positions.activate(group, workload);
      } else {
        positions.park(group, workload);
      }
    }
  }

  /** {@return whether {@link #releaseDue} will have an effect at some time} */
  public boolean awaitsEndOfBackoff() {
    return positions.awaitsEndOfBackoff();
  }

  /** {@return the active workloads, in no particular order} */
  public List<PendingWorkload> active() {
    return positions.active();
  }

  /** {@return the parked workloads and those in backoff, in no particular order} */
  public List<PendingWorkload> parked() {
    return positions.parked();
  }

  /** {@return whether workloads of the group are parked until the next event (rule U-15)} */
  private boolean isGivenUp(ShapeGroup group) {
    return !strictFifo && rules.usesShapes() && group.family.knownNotToFit != null;
  }

  private void parkFamily(ShapeFamily family, PendingWorkload failed) {
    journal.add(groups.noteFailure(family, failed));
    family.forEach(group -> {
      if (group.activeCount() > 0) {
        journal.add(positions.parkAll(group));
      }
    });
  }
}
