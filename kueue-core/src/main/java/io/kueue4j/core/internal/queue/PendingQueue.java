package io.kueue4j.core.internal.queue;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.LastAttempt;
import io.kueue4j.core.internal.attempt.RequeueReason;
import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Cell;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Part;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending workloads of one ClusterQueue: active ones, of which the first is the head of the
 * next cycle, and parked ones, which wait for a requeue event.
 *
 * <p>A cycle is atomic: no requeue event comes between the choice of a head and the commit of its
 * attempt. So the head stays active while it is tried, and the clause of rule U-12 about such
 * events never applies.
 *
 * <p>Rules: U-2, U-3, U-4, U-7, U-8, U-9, U-10, U-11, U-12, U-13, U-14, U-15, U-16, U-19, U-20,
 * W-8.
 */
public final class PendingQueue extends Part {
  // Workloads in backoff are kept apart from the groups, because no event moves them.
  private final Settings settings;
  private final boolean isServedByUsage;
  private final Cell<Boolean> strictFifo;

  /** The number of events so far that were relevant to a workload in the queue. */
  private final Cell<Long> events;

  /** Whether a workload was tried since the last event. */
  private final Cell<Boolean> triedSinceEvent;

  private final Cell<WaitingPreemptor> preemptor;
  private final ShapeGroups groups;
  private final VersionedSet<PendingWorkload> backingOff;

  /** Active workloads that were brought before the end of their backoff. */
  private final VersionedSet<PendingWorkload> early;

  private final QueueFront front;

  /** The shapes that are known not to fit until the next event; none if shapes do not count. */
  private final VersionedMap<Shape, Failure> failures;

  /**
   * The workload whose victims the queue waits for; rule U-10.
   *
   * @param workload null for none
   * @param sticky whether it is served first
   * @param changed whether its spec has changed since
   */
  private record WaitingPreemptor(
      @Nullable PendingWorkload workload, boolean sticky, boolean changed) {
    static final WaitingPreemptor NONE = new WaitingPreemptor(null, false, false);
  }

  /**
   * An attempt that showed that no workload of its shape fits.
   *
   * @param workload the workload that was tried, which may have left the queue since
   * @param attempt what the attempt has found
   */
  public record Failure(PendingWorkload workload, LastAttempt attempt) {}

  /**
   * Creates an empty queue.
   *
   * @param settings the settings
   * @param usage the past usage that orders LocalQueues, lower first, before any other criterion;
   *     null if usage does not count (U-4)
   * @param journal records what the queue was
   */
  public PendingQueue(Settings settings, @Nullable LocalQueueUsage usage, Journal journal) {
    super(journal);
    this.settings = settings;
    this.isServedByUsage = usage != null;
    this.strictFifo = new Cell<>(journal, false);
    this.events = new Cell<>(journal, 0L);
    this.triedSinceEvent = new Cell<>(journal, false);
    this.preemptor = new Cell<>(journal, WaitingPreemptor.NONE);
    this.front = new QueueFront(settings.backfill(), journal);
    this.groups = new ShapeGroups(usage, front.fillsShortestFirst(), journal);
    this.backingOff = new VersionedSet<>(journal, PendingWorkload::compareBackoff);
    this.early = new VersionedSet<>(journal, PendingWorkload::compareBackoff);
    this.failures = new VersionedMap<>(journal);
  }

  private PendingQueue(PendingQueue other, @Nullable LocalQueueUsage usage, Journal journal) {
    this(other.settings, usage, journal);
    strictFifo.share(other.strictFifo);
    events.share(other.events);
    triedSinceEvent.share(other.triedSinceEvent);
    preemptor.share(other.preemptor);
    groups.share(other.groups);
    backingOff.share(other.backingOff);
    early.share(other.early);
    front.share(other.front);
    failures.share(other.failures);
  }

  /**
   * {@return an independent copy, which shares the workloads}
   *
   * @param usageOfCopy orders LocalQueues in the copy, if past usage orders them
   */
  public PendingQueue copy(LocalQueueUsage usageOfCopy, Journal journalOfCopy) {
    return new PendingQueue(this, isServedByUsage ? usageOfCopy : null, journalOfCopy);
  }

  /** {@return whether past usage orders the LocalQueues} */
  public boolean isServedByUsage() {
    return isServedByUsage;
  }

  private void beforeChange() {
    Journal unused = changing();
  }

  /** Sets the strategy, which applies from the next attempt on. */
  public void setStrictFifo(boolean isStrict) {
    beforeChange();
    strictFifo.set(isStrict);
  }

  // ----- look-ups

  /** {@return all workloads, the first of which are promised a start} */
  public QueueFront front() {
    return front;
  }

  /** {@return whether the head blocks all workloads behind it} */
  public boolean isStrictFifo() {
    return strictFifo.get();
  }

  /** {@return the number of relevant events so far} */
  public long events() {
    return events.get();
  }

  /** {@return the active workloads, in no particular order} */
  public List<PendingWorkload> active() {
    return groups.active();
  }

  /** {@return the parked workloads and those in backoff, in no particular order} */
  public List<PendingWorkload> parked() {
    List<PendingWorkload> all = groups.parked();
    backingOff.forEach(all::add);
    return all;
  }

  /** {@return whether {@code workload} is active} */
  public boolean isActive(PendingWorkload workload) {
    return groups.isActive(workload);
  }

  /**
   * {@return whether the queue waits for the victims of {@code workload}, and the workload has not
   * changed since; rule U-11}
   */
  public boolean isPreemptor(PendingWorkload workload) {
    return isPreemptedFor(workload) && !preemptor.get().changed;
  }

  /** {@return the head of the next cycle, null if no workload is active} */
  public @Nullable PendingWorkload head() {
    ShapeGroups.First first = groups.first();
    if (first == null) {
      return null;
    }
    PendingWorkload sticking = isPreemptedFor(first.workload()) ? null : sticking();
    if (sticking != null && groups.usageOf(sticking) <= first.usage()) {
      return sticking;
    }
    return !strictFifo.get() && front.isFillerByDuration(first.workload())
        ? groups.shortest()
        : first.workload();
  }

  /** {@return the present order of service, independent of later changes; rules U-3, U-4, U-11} */
  public Comparator<PendingWorkload> serviceOrder() {
    return PendingWorkload.serviceOrder(
        sticking(), groups.usages(), front.fillerOrder(strictFifo.get()));
  }

  /**
   * {@return the preemptor that waits for its victims and is therefore served before all others,
   * except workloads of LocalQueues with lower usage}
   */
  private @Nullable PendingWorkload sticking() {
    PendingWorkload waiting = preemptor.get().workload;
    return waiting != null && preemptor.get().sticky && isActive(waiting) ? waiting : null;
  }

  private boolean isPreemptedFor(PendingWorkload workload) {
    return workload.equals(preemptor.get().workload);
  }

  /**
   * {@return the attempt for which {@code workload} is parked, which another workload of its shape
   * or an earlier version of it has made; null if there is none}
   */
  public @Nullable Failure failureOfShape(PendingWorkload workload) {
    Failure failure = failures.get(workload.compiled().shape());
    return failure == null || workload.equals(failure.workload) || isActive(workload)
        ? null
        : failure;
  }

  /** {@return whether a workload is active or in backoff} */
  public boolean hasWork() {
    return groups.first() != null || !backingOff.isEmpty();
  }

  /**
   * {@return whether {@link #requeueParked} would have an effect: on parked workloads, or on the
   * validity of earlier attempts}
   */
  public boolean awaitsEvent() {
    return triedSinceEvent.get()
        || groups.hasParked()
        || !backingOff.isEmpty()
        || !failures.isEmpty();
  }

  /** {@return the next end of a backoff, null if none ever ends by itself} */
  public @Nullable Instant nextRelease() {
    if (backingOff.isEmpty()) {
      return null;
    }
    Instant end = backingOff.first().backoffEnd();
    return end.equals(Instant.MAX) ? null : end;
  }

  // ----- positions

  /** {@return the group of a workload, null if there is none} */
  private @Nullable ShapeGroup groupOf(PendingWorkload workload) {
    // Heads need no search.
    ShapeGroups.First first = groups.first();
    return first != null && workload.equals(first.workload()) ? first.group() : groups.of(workload);
  }

  private void addActive(PendingWorkload workload) {
    groups.activate(workload, groups.obtain(workload));
  }

  private void park(PendingWorkload workload) {
    groups.park(workload, groups.obtain(workload));
  }

  /** Removes a workload from its position in its group or in backoff, if it has any. */
  private void detach(PendingWorkload workload) {
    ShapeGroup group = groupOf(workload);
    if (group != null && groups.remove(workload, group)) {
      groups.removeIfEmpty(group);
      early.remove(workload);
    } else {
      backingOff.remove(workload);
    }
  }

  /** Parks a workload that was active, or lets it wait for the end of its backoff. */
  private void putAside(PendingWorkload workload, Instant now) {
    detach(workload);
    if (workload.isBackoffOver(now)) {
      park(workload);
    } else {
      backingOff.add(workload);
    }
  }

  /** {@return whether workloads of the shape are parked until the next event (rule U-15)} */
  private boolean isGivenUp(PendingWorkload workload) {
    return !strictFifo.get() && failures.get(workload.compiled().shape()) != null;
  }

  // ----- changes

  /**
   * Adds a workload that its LocalQueue brings, which is added, started again, or moved: it is
   * tried whatever its backoff, and whatever is known of its shape.
   */
  public void bring(PendingWorkload workload, Instant now) {
    beforeChange();
    enlist(workload);
    addActive(workload);
    if (!workload.isBackoffOver(now)) {
      early.add(workload);
    }
  }

  private void enlist(PendingWorkload workload) {
    groups.noteUsage(workload);
    front.add(workload);
  }

  /** Adds a workload that is in no queue. */
  public void push(PendingWorkload workload, Instant now) {
    beforeChange();
    enlist(workload);
    if (!workload.isBackoffOver(now)) {
      backingOff.add(workload);
    } else if (isGivenUp(workload)) {
      park(workload);
    } else {
      addActive(workload);
    }
  }

  /** Makes a workload active whatever it waits for, so that it can be tried. */
  public void activate(PendingWorkload workload) {
    beforeChange();
    if (!isActive(workload)) {
      detach(workload);
      addActive(workload);
    }
  }

  /** Reorders the workloads of a LocalQueue after its usage has changed. */
  public void usageChanged(String localQueue) {
    if (groups.isOrderedByUsageOf(localQueue)) {
      beforeChange();
      groups.usageChanged(localQueue);
    }
  }

  /**
   * Moves an active workload after an attempt to where it waits for the next one.
   *
   * @param workload the workload
   * @param reason how the attempt ended
   * @param attempt what the attempt has found
   * @param hasPendingFlavors whether another attempt would try other flavors
   * @param now the time
   */
  public void requeue(
      PendingWorkload workload,
      RequeueReason reason,
      LastAttempt attempt,
      boolean hasPendingFlavors,
      Instant now) {
    beforeChange();
    triedSinceEvent.set(true);
    if (reason.waitsForOthers()) {
      preemptor.set(new WaitingPreemptor(workload, !strictFifo.get(), false));
    } else if (settings.includes(KueueFix.FORGOTTEN_PREEMPTORS) && isPreemptedFor(workload)) {
      preemptor.set(WaitingPreemptor.NONE);
    }
    boolean immediate =
        strictFifo.get() ? reason != RequeueReason.NAMESPACE_MISMATCH : reason.isImmediate();
    boolean backoffOver = workload.isBackoffOver(now);
    if (backoffOver && (immediate || hasPendingFlavors)) {
      return;
    }
    boolean parksShape = !strictFifo.get()
        && settings.isEnabled(FeatureGate.SCHEDULING_EQUIVALENCE_HASHING)
        && reason.holdsForShape();
    if (!backoffOver || !parksShape) {
      putAside(workload, now);
    }
    if (parksShape) {
      Shape shape = workload.compiled().shape();
      failures.set(shape, new Failure(workload, attempt));
      for (PendingWorkload other : early.toList()) {
        if (other.compiled().shape().equals(shape)) {
          putAside(other, now);
        }
      }
      groups.park(shape);
    }
  }

  /**
   * Replaces a workload by another version, which stays active whatever its backoff, and whatever
   * is known of its shape.
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
    WaitingPreemptor before = preemptor.get();
    boolean staysActive = isActive(old);
    leave(old);
    if (staysActive) {
      bring(changed, now);
    } else {
      push(changed, now);
    }
    if (old.equals(before.workload)) {
      preemptor.set(new WaitingPreemptor(changed, before.sticky, before.changed || specChanged));
    }
  }

  /** Removes a workload for good: it was admitted, finished, deleted or moved. */
  public void leave(PendingWorkload workload) {
    beforeChange();
    front.remove(workload);
    detach(workload);
    if (isPreemptedFor(workload)) {
      preemptor.set(WaitingPreemptor.NONE);
    }
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
    events.set(events.get() + 1);
    triedSinceEvent.set(false);
    failures.clear();
    groups.unpark(namespaceMatches);
  }

  /**
   * Makes workloads active whose backoff is over at {@code now}, unless their shape is known not to
   * fit.
   */
  public void releaseDue(Predicate<String> namespaceMatches, Instant now) {
    beforeChange();
    while (!backingOff.isEmpty() && backingOff.first().isBackoffOver(now)) {
      PendingWorkload workload = backingOff.first();
      backingOff.remove(workload);
      boolean mayUse = namespaceMatches.test(workload.compiled().source().namespace());
      if (mayUse && !isGivenUp(workload)) {
        addActive(workload);
      } else {
        park(workload);
      }
    }
  }
}
