package io.kueue4j.core.internal.queue;

import io.kueue4j.core.internal.versioned.Journal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The position of each pending workload of one ClusterQueue: active, parked, in backoff, or taken
 * out for an attempt. A workload is in one position at most.
 *
 * <p>Every change of one workload adds its inverse to the undo log; changes of whole groups return
 * their inverses.
 *
 * <p>Rules: U-2.
 */
final class QueuePositions {
  private final Journal journal;
  private final IndexedHeap<ShapeGroup> activeGroups = new IndexedHeap<>(ShapeGroup::compareHeads);
  private final ParkedGroups parkedGroups = new ParkedGroups();
  private final Backoffs backingOff;
  private int activeCount;
  private int parkedCount;

  QueuePositions(Journal journal, QueueObserver observer) {
    this.journal = journal;
    this.backingOff = new Backoffs(observer);
  }

  /**
   * Fills this empty instance with the content of another.
   *
   * @param other the positions to copy
   * @param groups the groups, already copied
   * @param counterpart maps each workload to its copy
   */
  void fillFrom(
      QueuePositions other, ShapeGroups groups, UnaryOperator<PendingWorkload> counterpart) {
    activeGroups.fillFrom(other.activeGroups, groups::counterpart);
    other.parkedGroups.forEach(group -> parkedGroups.add(groups.counterpart(group)));
    backingOff.fillFrom(other.backingOff, workload -> {
      PendingWorkload copy = counterpart.apply(workload);
      copy.group = groups.counterpart(ShapeGroups.of(workload));
      return copy;
    });
    activeCount = other.activeCount;
    parkedCount = other.parkedCount;
  }

  /** {@return the number of active workloads} */
  int activeCount() {
    return activeCount;
  }

  /** {@return the number of parked workloads and those in backoff} */
  int parkedCount() {
    return parkedCount + backingOff.size();
  }

  /** {@return whether a workload is in backoff} */
  boolean hasBackoffs() {
    return !backingOff.isEmpty();
  }

  /** {@return whether a backoff ends by itself at some time} */
  boolean awaitsEndOfBackoff() {
    return backingOff.nextEnd() != null;
  }

  /** {@return a workload in backoff whose backoff is over at {@code now}, null if there is none} */
  @Nullable
  PendingWorkload due(Instant now) {
    return backingOff.due(now);
  }

  /** {@return the group whose first workload is served first, null if no workload is active} */
  @Nullable
  ShapeGroup firstGroup() {
    return activeGroups.isEmpty() ? null : activeGroups.first();
  }

  /** {@return the active workloads, in no particular order} */
  List<PendingWorkload> active() {
    List<PendingWorkload> found = new ArrayList<>(activeCount);
    activeGroups.forEach(group -> group.forEachActive(found::add));
    return found;
  }

  /** {@return the parked workloads and those in backoff, in no particular order} */
  List<PendingWorkload> parked() {
    List<PendingWorkload> found = new ArrayList<>(parkedCount());
    parkedGroups.forEach(group -> group.forEachParked(found::add));
    backingOff.forEach(found::add);
    return found;
  }

  /** Reorders a group after the usage of its LocalQueue has changed. */
  void reorder(ShapeGroup group) {
    if (group.isIn(activeGroups)) {
      activeGroups.reorder(group);
    }
  }

  /** Makes a workload active that is in no position. */
  void activate(ShapeGroup group, PendingWorkload workload) {
    boolean known = group.isIn(activeGroups);
    group.addActive(workload);
    if (known) {
      activeGroups.reorder(group);
    } else {
      activeGroups.add(group);
    }
    activeCount++;
    journal.add(QueuePositions::detach, this, workload);
  }

  /** Parks a workload that is in no position. */
  void park(ShapeGroup group, PendingWorkload workload) {
    group.addParked(workload);
    parkedGroups.add(group);
    parkedCount++;
    journal.add(QueuePositions::detach, this, workload);
  }

  /** Puts a workload in no position among those in backoff. */
  void backOff(PendingWorkload workload) {
    backingOff.add(workload);
    journal.add(() -> backingOff.remove(workload));
  }

  /** Removes a workload from its position; does nothing if it is in none. */
  void detach(PendingWorkload workload) {
    ShapeGroup group = ShapeGroups.of(workload);
    if (group.isActive(workload)) {
      detachActive(group, workload);
      journal.add(QueuePositions::activateAgain, this, workload);
    } else if (group.isParked(workload)) {
      group.removeParked(workload);
      parkedCount--;
      if (group.parkedCount() == 0) {
        parkedGroups.remove(group);
      }
      journal.add(QueuePositions::parkAgain, this, workload);
    } else if (backingOff.contains(workload)) {
      backingOff.remove(workload);
      journal.add(() -> backingOff.add(workload));
    }
  }

  private void activateAgain(PendingWorkload workload) {
    activate(ShapeGroups.of(workload), workload);
  }

  private void parkAgain(PendingWorkload workload) {
    park(ShapeGroups.of(workload), workload);
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

  /** {@return whether a workload is parked, not counting those in backoff} */
  boolean hasParked() {
    return !parkedGroups.isEmpty();
  }

  /**
   * Parks all active workloads of a group.
   *
   * @return the inverse
   */
  Runnable parkAll(ShapeGroup group) {
    int moved = group.activeCount();
    Runnable takeBack = group.park();
    regroup(group, -moved);
    return () -> {
      takeBack.run();
      regroup(group, moved);
    };
  }

  /**
   * Activates all parked workloads of the groups that match.
   *
   * @param inverses takes the inverse of each step before the step
   */
  void activateParked(Predicate<ShapeGroup> isWanted, List<Runnable> inverses) {
    parkedGroups.matching(isWanted).forEach(group -> activateAll(group, inverses));
  }

  /** Activates all parked workloads of a group. */
  private void activateAll(ShapeGroup group, List<Runnable> inverses) {
    int active = activeCount;
    int parked = parkedCount;
    Runnable takeBack = group.unparkInverse();
    inverses.add(() -> {
      takeBack.run();
      regroup(group, 0);
      activeCount = active;
      parkedCount = parked;
    });
    int moved = group.parkedCount();
    group.unpark();
    regroup(group, moved);
  }

  /** Moves a group to its place after some of its workloads were activated or parked. */
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
}
