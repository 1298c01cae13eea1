package io.kueue4j.core.queue;

import io.kueue4j.core.compiled.IdsInUse;
import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.support.UndoLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The pending workloads of one ClusterQueue: active ones, of which the first is tried in the next
 * cycle, and parked ones, which wait for a requeue event.
 *
 * <p>A cycle is one step, nothing happens between taking a head and putting it back; so the clause
 * of rule U-12 for an event in between never applies here.
 *
 * <p>Rules: U-2, U-3, U-4, U-7, U-8, U-9, U-10, U-11, U-12, U-13, U-14, U-15, U-16, U-19, U-20,
 * W-8.
 */
public final class PendingQueue {
  /*
   * Workloads are kept in groups of equal shape and namespace, each a heap, and the groups with active workloads in a heap
   * by their first one. Parking a shape and bringing it back moves a group, so an event costs as much as there are groups
   * and not as there are workloads. Workloads whose backoff is not over are kept apart: no event moves them.
   *
   * Where LocalQueues are served by their usage, a group is of one LocalQueue and the heap of groups is ordered by usage
   * first. A change of usage then costs as much as that LocalQueue has groups. Giving up a shape still concerns the groups
   * of all LocalQueues.
   */
  private final boolean usesShapes;
  private final @Nullable LocalQueueUsage usage;
  private final UndoLog undo;
  private final Runnable observer;
  private final ShapeGroups groups;
  private final IndexedHeap<ShapeGroup> activeGroups = new IndexedHeap<>(ShapeGroup::compareHeads);
  private final ParkedGroups parkedGroups = new ParkedGroups();
  private final IndexedHeap<PendingWorkload> backingOff =
      new IndexedHeap<>(PendingWorkload::compareBackoff);
  private boolean strictFifo;
  private int activeCount;
  private int parkedCount;

  private final QueueMemory memory = new QueueMemory();

  /** Creates an empty queue in which equal workloads are given up together or not (U-15). */
  public PendingQueue(boolean usesShapes) {
    this(usesShapes, null, new UndoLog(), () -> {});
  }

  /**
   * Creates an empty queue.
   *
   * @param usesShapes whether equal workloads are given up together (U-15)
   * @param usage what LocalQueues are served by, lower first, before anything else; null if by
   *     nothing (U-4)
   * @param undo takes back changes of calls that fail
   * @param observer is called before each change, or before the first of several
   */
  public PendingQueue(
      boolean usesShapes, @Nullable LocalQueueUsage usage, UndoLog undo, Runnable observer) {
    this.usesShapes = usesShapes;
    this.usage = usage;
    this.undo = undo;
    this.observer = observer;
    this.groups = new ShapeGroups(usage);
  }

  /** {@return whether LocalQueues are served by what they have used} */
  public boolean isServedByUsage() {
    return usage != null;
  }

  /** {@return an empty queue of the same kind; if it is served by usage, by {@code otherUsage}} */
  public PendingQueue newEmpty(
      LocalQueueUsage otherUsage, UndoLog otherUndo, Runnable otherObserver) {
    return new PendingQueue(
        usesShapes, usage == null ? null : otherUsage, otherUndo, otherObserver);
  }

  /**
   * Makes this queue, which is empty, equal to another.
   *
   * @param other the queue to copy
   * @param counterpart gives the copy of each workload, the same for every call with it
   */
  public void fillFrom(PendingQueue other, UnaryOperator<PendingWorkload> counterpart) {
    groups.fillFrom(other.groups, counterpart);
    activeGroups.fillFrom(other.activeGroups, groups::counterpart);
    other.parkedGroups.forEach(group -> parkedGroups.add(groups.counterpart(group)));
    backingOff.fillFrom(other.backingOff, workload -> {
      PendingWorkload copy = counterpart.apply(workload);
      copy.group = groups.counterpart(ShapeGroups.of(workload));
      return copy;
    });
    strictFifo = other.strictFifo;
    activeCount = other.activeCount;
    parkedCount = other.parkedCount;
    memory.fillFrom(other.memory, counterpart);
  }

  /** Adds the ids that workloads refer to which it remembers, be they in it or gone. */
  public void addIdsOfRemembered(IdsInUse inUse) {
    groups.forEachFailure(workload -> workload.addIds(inUse));
    PendingWorkload preemptor = memory.preemptor;
    if (preemptor != null) {
      preemptor.addIds(inUse);
    }
  }

  /** Sets the strategy; it counts from the next attempt on. */
  public void setStrictFifo(boolean strictFifo) {
    observer.run();
    boolean before = this.strictFifo;
    undo.add(() -> this.strictFifo = before);
    this.strictFifo = strictFifo;
  }

  /** {@return the number of workloads that wait to be tried} */
  public int activeCount() {
    return activeCount;
  }

  /** {@return the number of workloads that wait for an event or for their time} */
  public int parkedCount() {
    return parkedCount + backingOff.size();
  }

  /** {@return whether {@code workload} waits to be tried} */
  public boolean isActive(PendingWorkload workload) {
    return workload.group != null && workload.group.isActive(workload);
  }

  /**
   * {@return whether the queue waits for the victims of {@code workload}, which has not changed
   * since; rule U-11}
   */
  public boolean isPreemptor(PendingWorkload workload) {
    return workload.equals(memory.preemptor) && !memory.preemptorChanged;
  }

  /** Adds a workload that is in no queue. */
  public void push(PendingWorkload workload, Instant now) {
    observer.run();
    ShapeGroup group = groups.join(workload);
    undo.add(() -> groups.leave(workload));
    if (!workload.isBackoffOver(now)) {
      backOff(workload);
    } else if (isGivenUp(group)) {
      park(group, workload);
    } else {
      activate(group, workload);
    }
  }

  /**
   * Takes the first workload out for a cycle.
   *
   * @return it, null if none waits to be tried
   */
  public @Nullable PendingWorkload pop() {
    PendingWorkload head = head();
    if (head != null) {
      observer.run();
      detach(head);
    }
    return head;
  }

  /** {@return the workload that {@link #pop} would take, null if none waits to be tried} */
  public @Nullable PendingWorkload head() {
    if (activeGroups.isEmpty()) {
      return null;
    }
    PendingWorkload sticking = sticking();
    ShapeGroup first = activeGroups.first();
    return sticking != null && ShapeGroups.of(sticking).usage <= first.usage
        ? sticking
        : first.firstActive();
  }

  /** Puts the workloads of a LocalQueue where they belong after its usage has changed. */
  public void usageChanged(String localQueue) {
    if (usage != null) {
      observer.run();
      double changed = usage.of(localQueue);
      for (ShapeGroup group : groups.ofLocalQueue(localQueue)) {
        double before = group.usage;
        undo.add(() -> setUsage(group, before));
        setUsage(group, changed);
      }
    }
  }

  private void setUsage(ShapeGroup group, double changed) {
    group.usage = changed;
    if (group.isIn(activeGroups)) {
      activeGroups.reorder(group);
    }
  }

  /**
   * {@return the order of service as it is now; later changes do not matter, and copies of
   * workloads stand where these do; rules U-3, U-4, U-11}
   */
  public Comparator<PendingWorkload> serviceOrder() {
    return PendingWorkload.serviceOrder(sticking(), usage == null ? null : groups.usages());
  }

  /**
   * {@return who is served before all others, those of LocalQueues with lower usage aside, because
   * it waits for its victims}
   */
  private @Nullable PendingWorkload sticking() {
    PendingWorkload waiting = memory.preemptor;
    return waiting != null && memory.sticky && isActive(waiting) ? waiting : null;
  }

  /**
   * Takes {@code workload} out for an attempt of its own, wherever it stands, as {@link #pop} takes
   * the first.
   */
  public void take(PendingWorkload workload) {
    observer.run();
    detach(workload);
  }

  /** Puts a workload back that was taken out by {@link #pop}, as if it never had been. */
  public void unpop(PendingWorkload workload) {
    observer.run();
    activate(ShapeGroups.of(workload), workload);
  }

  /**
   * {@return the workload whose failure made the engine give up {@code workload} as well, null if
   * none did}
   */
  public @Nullable PendingWorkload failedForShape(PendingWorkload workload) {
    PendingWorkload failed = ShapeGroups.of(workload).family.knownNotToFit;
    return workload.equals(failed) || isActive(workload) ? null : failed;
  }

  /**
   * Puts a workload back after an attempt.
   *
   * @param workload the workload, taken out before
   * @param reason how the attempt ended
   * @param hasPendingFlavors whether another attempt would look at other flavors
   * @param now the time
   */
  public void requeue(
      PendingWorkload workload, RequeueReason reason, boolean hasPendingFlavors, Instant now) {
    observer.run();
    undo.add(memory.keep());
    if (reason.waitsForOthers()) {
      memory.preemptor = workload;
      memory.sticky = !strictFifo;
      memory.preemptorChanged = false;
    }
    long eventsBefore = workload.eventsBeforeAttempt;
    undo.add(() -> workload.eventsBeforeAttempt = eventsBefore);
    workload.eventsBeforeAttempt = memory.events;
    memory.triedSinceEvent = true;
    ShapeGroup group = ShapeGroups.of(workload);
    boolean immediate =
        strictFifo ? reason != RequeueReason.NAMESPACE_MISMATCH : reason.isImmediate();
    boolean backoffOver = workload.isBackoffOver(now);
    if (backoffOver && (immediate || hasPendingFlavors)) {
      activate(group, workload);
      return;
    }
    if (backoffOver) {
      park(group, workload);
    } else {
      backOff(workload);
    }
    if (!strictFifo && usesShapes && reason.holdsForShape()) {
      parkFamily(group.family, workload);
    }
  }

  /**
   * Puts another version of a workload in its place.
   *
   * <p>The queue goes on waiting for its victims if it did; but if the spec has changed, the new
   * version is not the one that they were found for.
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
      undo.add(memory.keep());
      memory.preemptor = changed;
      memory.preemptorChanged |= specChanged;
    }
  }

  /** Forgets a workload: it was admitted, finished, deleted or moved. */
  public void leave(PendingWorkload workload) {
    observer.run();
    detach(workload);
    ShapeGroup group = ShapeGroups.of(workload);
    groups.leave(workload);
    undo.add(() -> groups.rejoin(workload, group));
    if (workload.equals(memory.preemptor)) {
      undo.add(memory.keep());
      memory.preemptor = null;
    }
  }

  /** {@return whether something changed since {@code workload} was tried last} */
  public boolean isAttemptOutdated(PendingWorkload workload) {
    return workload.eventsBeforeAttempt < memory.events;
  }

  /** {@return whether somebody waits to be tried, or for its time} */
  public boolean hasWork() {
    return activeCount > 0 || !backingOff.isEmpty();
  }

  /**
   * {@return whether {@link #requeueParked} would change anything: where workloads stand, or
   * whether what attempts found still holds}
   */
  public boolean awaitsEvent() {
    return memory.triedSinceEvent
        || !parkedGroups.isEmpty()
        || !backingOff.isEmpty()
        || groups.hasFailures();
  }

  /**
   * Brings parked workloads back, because something changed: what attempts before it found may not
   * hold any more.
   *
   * @param namespaceMatches whether workloads of a namespace may use the queue
   * @param now the time
   */
  public void requeueParked(Predicate<String> namespaceMatches, Instant now) {
    observer.run();
    undo.add(memory.keep());
    memory.events++;
    memory.triedSinceEvent = false;
    undo.add(groups.forgetFailures());
    releaseDue(namespaceMatches, now);
    parkedGroups.removeIf(group -> namespaceMatches.test(group.namespace), group -> {
      undo.add(unpark(group));
    });
  }

  /** Brings workloads back whose backoff is over at {@code now}, unless their shape is given up. */
  public void releaseDue(Predicate<String> namespaceMatches, Instant now) {
    while (!backingOff.isEmpty() && backingOff.first().isBackoffOver(now)) {
      PendingWorkload workload = backingOff.first();
      observer.run();
      detach(workload);
      ShapeGroup group = ShapeGroups.of(workload);
      if (namespaceMatches.test(group.namespace) && !isGivenUp(group)) {
        activate(group, workload);
      } else {
        park(group, workload);
      }
    }
  }

  /** {@return when a backoff is over next, empty if none is ever} */
  public Optional<Instant> nextRelease() {
    return backingOff.isEmpty()
        ? Optional.empty()
        : Optional.of(backingOff.first().backoffEnd()).filter(Instant.MAX::isAfter);
  }

  /** {@return the workloads that wait to be tried, in no particular order} */
  public List<PendingWorkload> active() {
    List<PendingWorkload> found = new ArrayList<>(activeCount);
    activeGroups.forEach(group -> group.forEachActive(found::add));
    return found;
  }

  /** {@return the workloads that wait for an event or for their time, in no particular order} */
  public List<PendingWorkload> parked() {
    List<PendingWorkload> found = new ArrayList<>(parkedCount());
    parkedGroups.forEach(group -> group.forEachParked(found::add));
    backingOff.forEach(found::add);
    return found;
  }

  /** {@return whether workloads of the group are parked until the next event (rule U-15)} */
  private boolean isGivenUp(ShapeGroup group) {
    return !strictFifo && usesShapes && group.family.knownNotToFit != null;
  }

  private void parkFamily(ShapeFamily family, PendingWorkload failed) {
    undo.add(groups.noteFailure(family, failed));
    family.forEach(group -> {
      if (group.activeCount() > 0) {
        undo.add(park(group));
      }
    });
  }

  /** Makes all active workloads of a group parked. {@return what takes that back} */
  private Runnable park(ShapeGroup group) {
    int moved = group.activeCount();
    Runnable takeBack = group.park();
    regroup(group, -moved);
    return () -> {
      takeBack.run();
      regroup(group, moved);
    };
  }

  /** Makes all parked workloads of a group active. {@return what takes that back} */
  private Runnable unpark(ShapeGroup group) {
    int moved = group.parkedCount();
    Runnable takeBack = group.unpark();
    regroup(group, moved);
    return () -> {
      takeBack.run();
      regroup(group, -moved);
    };
  }

  /** Puts a group where it belongs after some of its workloads have become active, or parked. */
  private void regroup(ShapeGroup group, int activated) {
    activeCount += activated;
    parkedCount -= activated;
    if (group.isIn(activeGroups)) {
      activeGroups.remove(group);
    }
    if (group.activeCount() > 0) {
      activeGroups.add(group);
    }
    parkedGroups.set(group, group.parkedCount() > 0);
  }

  private void activate(ShapeGroup group, PendingWorkload workload) {
    boolean known = group.isIn(activeGroups);
    group.addActive(workload);
    if (known) {
      activeGroups.reorder(group);
    } else {
      activeGroups.add(group);
    }
    activeCount++;
    undo.add(() -> detach(workload));
  }

  private void backOff(PendingWorkload workload) {
    backingOff.add(workload);
    undo.add(() -> backingOff.remove(workload));
  }

  private void park(ShapeGroup group, PendingWorkload workload) {
    group.addParked(workload);
    parkedGroups.add(group);
    parkedCount++;
    undo.add(() -> detach(workload));
  }

  private void detach(PendingWorkload workload) {
    ShapeGroup group = ShapeGroups.of(workload);
    if (group.isActive(workload)) {
      detachActive(group, workload);
      undo.add(() -> activate(group, workload));
    } else if (group.isParked(workload)) {
      group.removeParked(workload);
      parkedCount--;
      if (group.parkedCount() == 0) {
        parkedGroups.remove(group);
      }
      undo.add(() -> park(group, workload));
    } else if (workload.isIn(backingOff)) {
      backingOff.remove(workload);
      undo.add(() -> backingOff.add(workload));
    }
  }

  private void detachActive(ShapeGroup group, PendingWorkload workload) {
    if (group.activeCount() == 1) {
      activeGroups.remove(group);
      group.removeActive(workload);
    } else {
      group.removeActive(workload);
      activeGroups.reorder(group);
    }
    activeCount--;
  }
}
