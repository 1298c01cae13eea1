package io.kueue4j.core.internal.queue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.Shape;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.versioned.Cell;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Part;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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
public final class PendingQueue extends Part {
  /*
   * Workloads of equal shape and namespace form a group; the first active workloads of all groups
   * are in order. Parking or reactivating a shape moves whole groups, so the cost of an event depends
   * on the number of groups, not of workloads. Workloads in backoff are kept apart, because no event
   * moves them.
   *
   * If past usage orders LocalQueues, a group belongs to one LocalQueue, and the first workloads are
   * ordered by usage first. The cost of a change of usage then depends on the number of groups of
   * that LocalQueue. Parking a shape still affects the groups of all LocalQueues.
   */
  private final QueueRules rules;
  private final @Nullable LocalQueueUsage usage;
  private final Journal journal;
  private final Cell<Boolean> strictFifo;
  private final Cell<QueueMemory> memory;
  private final VersionedMap<ShapeGroup.Key, ShapeGroup> groups;

  /** The groups of each shape: one for each namespace or LocalQueue. */
  private final VersionedMap<Shape, ImmutableSet<ShapeGroup.Key>> byShape;

  /** The usage of each LocalQueue that has had workloads here, if usage counts. */
  private final VersionedMap<String, Double> usages;

  /** The groups of each LocalQueue, if usage counts. */
  private final VersionedMap<String, ImmutableSet<ShapeGroup.Key>> byLocalQueue;

  /** The first active workload of each group. */
  private final VersionedSet<First> firsts;

  /** The groups with parked workloads. */
  private final VersionedMap<ShapeGroup.Key, ShapeGroup> withParked;

  private final VersionedSet<PendingWorkload> backingOff;

  /** The workload that was taken out last, none once it is back or has left; needs no search. */
  private final Cell<Optional<PendingWorkload>> taken;

  /** The shapes that are known not to fit until the next event. */
  private final VersionedMap<Shape, Failure> failures;

  /** The first active workload of a group, with the usage that counts before all else. */
  private record First(double usage, PendingWorkload workload) {
    static int compare(First a, First b) {
      int byUsage = Double.compare(a.usage, b.usage);
      return byUsage != 0 ? byUsage : PendingWorkload.compareService(a.workload, b.workload);
    }
  }

  /**
   * An attempt that showed that no workload of its shape fits.
   *
   * @param workload the workload that was tried, which may have left the queue since
   * @param outcome the outcome of the attempt
   */
  public record Failure(PendingWorkload workload, Outcome outcome) {}

  /** Creates an empty queue, in which the usage of LocalQueues does not count. */
  public PendingQueue(QueueRules rules) {
    this(rules, null, new Journal());
  }

  /**
   * Creates an empty queue.
   *
   * @param rules the settings
   * @param usage the past usage that orders LocalQueues, lower first, before any other criterion;
   *     null if usage does not count (U-4)
   * @param journal records what the queue was
   */
  public PendingQueue(QueueRules rules, @Nullable LocalQueueUsage usage, Journal journal) {
    super(journal);
    this.rules = rules;
    this.usage = usage;
    this.journal = journal;
    this.strictFifo = new Cell<>(journal, false);
    this.memory = new Cell<>(journal, QueueMemory.NONE);
    this.groups = new VersionedMap<>(journal);
    this.byShape = new VersionedMap<>(journal);
    this.usages = new VersionedMap<>(journal);
    this.byLocalQueue = new VersionedMap<>(journal);
    this.firsts = new VersionedSet<>(journal, First::compare);
    this.withParked = new VersionedMap<>(journal);
    this.backingOff = new VersionedSet<>(journal, PendingWorkload::compareBackoff);
    this.taken = new Cell<>(journal, Optional.empty());
    this.failures = new VersionedMap<>(journal);
  }

  /** Creates a copy that does not share what changes in place: the groups. */
  private PendingQueue(PendingQueue other, @Nullable LocalQueueUsage usage, Journal journal) {
    super(journal);
    this.rules = other.rules;
    this.usage = usage;
    this.journal = journal;
    this.strictFifo = new Cell<>(journal, other.strictFifo.get());
    this.memory = new Cell<>(journal, other.memory.get());
    this.groups = new VersionedMap<>(journal);
    this.withParked = new VersionedMap<>(journal);
    other.groups.forEach((key, group) -> {
      ShapeGroup copy = group.copy(journal);
      groups.setUnrecorded(key, copy);
      if (!copy.parked().isEmpty()) {
        withParked.setUnrecorded(key, copy);
      }
    });
    this.byShape = other.byShape.copy(journal);
    this.usages = other.usages.copy(journal);
    this.byLocalQueue = other.byLocalQueue.copy(journal);
    this.firsts = other.firsts.copy(journal);
    this.backingOff = other.backingOff.copy(journal);
    this.taken = new Cell<>(journal, other.taken.get());
    this.failures = other.failures.copy(journal);
  }

  /**
   * {@return an independent copy, which shares the workloads}
   *
   * @param usageOfCopy orders LocalQueues in the copy, if past usage orders them
   */
  public PendingQueue copy(LocalQueueUsage usageOfCopy, Journal journalOfCopy) {
    return new PendingQueue(this, usage == null ? null : usageOfCopy, journalOfCopy);
  }

  /** {@return whether past usage orders the LocalQueues} */
  public boolean isServedByUsage() {
    return usage != null;
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

  /** {@return the number of relevant events so far} */
  public long events() {
    return memory.get().events();
  }

  /** {@return the active workloads, in no particular order} */
  public List<PendingWorkload> active() {
    List<PendingWorkload> all = new ArrayList<>();
    groups.forEach((key, group) -> group.active().forEach(all::add));
    return all;
  }

  /** {@return the parked workloads and those in backoff, in no particular order} */
  public List<PendingWorkload> parked() {
    List<PendingWorkload> all = new ArrayList<>();
    withParked.forEach((key, group) -> group.parked().forEach(all::add));
    backingOff.forEach(all::add);
    return all;
  }

  /** {@return whether {@code workload} is active} */
  public boolean isActive(PendingWorkload workload) {
    ShapeGroup group = groups.get(keyOf(workload));
    return group != null && workload.equals(group.active().find(workload));
  }

  /**
   * {@return whether the queue waits for the victims of {@code workload}, and the workload has not
   * changed since; rule U-11}
   */
  public boolean isPreemptor(PendingWorkload workload) {
    return workload.equals(memory.get().preemptor()) && !memory.get().preemptorChanged();
  }

  /** {@return the workload that {@link #pop} would remove, null if none is active} */
  public @Nullable PendingWorkload head() {
    if (firsts.isEmpty()) {
      return null;
    }
    First first = firsts.first();
    PendingWorkload sticking = sticking();
    return sticking != null && usageOf(keyOf(sticking)) <= first.usage ? sticking : first.workload;
  }

  /** {@return the present order of service, independent of later changes; rules U-3, U-4, U-11} */
  public Comparator<PendingWorkload> serviceOrder() {
    Map<String, Double> present = null;
    if (usage != null) {
      present = new HashMap<>();
      usages.forEach(present::put);
    }
    return PendingWorkload.serviceOrder(sticking(), present);
  }

  /**
   * {@return the preemptor that waits for its victims and is therefore served before all others,
   * except workloads of LocalQueues with lower usage}
   */
  private @Nullable PendingWorkload sticking() {
    PendingWorkload waiting = memory.get().preemptor();
    return waiting != null && memory.get().sticky() && isActive(waiting) ? waiting : null;
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
    return !firsts.isEmpty() || !backingOff.isEmpty();
  }

  /**
   * {@return whether {@link #requeueParked} would have an effect: on parked workloads, or on the
   * validity of earlier attempts}
   */
  public boolean awaitsEvent() {
    return memory.get().triedSinceEvent()
        || !withParked.isEmpty()
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

  private ShapeGroup.Key keyOf(PendingWorkload workload) {
    CompiledWorkload compiled = workload.compiled();
    return new ShapeGroup.Key(
        compiled.shape(), usage == null ? compiled.source().namespace() : compiled.localQueue());
  }

  /** {@return the group of a workload, created if there is none} */
  private ShapeGroup groupOf(PendingWorkload workload) {
    ShapeGroup.Key key = keyOf(workload);
    ShapeGroup known = groups.get(key);
    if (known != null) {
      return known;
    }
    ShapeGroup group = new ShapeGroup(key, workload.compiled().source().namespace(), journal);
    groups.set(key, group);
    index(byShape, key.shape(), key, true);
    if (usage != null) {
      index(byLocalQueue, key.name(), key, true);
    }
    return group;
  }

  /** Removes a group without workloads, which stays while its workloads are tried. */
  private void removeIfEmpty(ShapeGroup.Key key) {
    ShapeGroup group = groups.get(key);
    if (group != null && group.active().isEmpty() && group.parked().isEmpty()) {
      groups.set(key, null);
      index(byShape, key.shape(), key, false);
      if (usage != null) {
        index(byLocalQueue, key.name(), key, false);
      }
    }
  }

  private static <K> void index(
      VersionedMap<K, ImmutableSet<ShapeGroup.Key>> index,
      K name,
      ShapeGroup.Key key,
      boolean present) {
    ImmutableSet.Builder<ShapeGroup.Key> keys = ImmutableSet.builder();
    ImmutableSet<ShapeGroup.Key> before = index.get(name);
    if (before != null) {
      before.stream().filter(other -> !other.equals(key)).forEach(keys::add);
    }
    if (present) {
      keys.add(key);
    }
    ImmutableSet<ShapeGroup.Key> after = keys.build();
    index.set(name, after.isEmpty() ? null : after);
  }

  /** Changes a group and then its place among the groups. */
  private void change(ShapeGroup group, Runnable change) {
    First before = first(group);
    change.run();
    follow(group, before);
  }

  private void follow(ShapeGroup group, @Nullable First before) {
    First after = first(group);
    boolean isSame = before != null && after != null && First.compare(before, after) == 0;
    if (before != null && !isSame) {
      firsts.remove(before);
    }
    if (after != null && !isSame) {
      firsts.add(after);
    }
    boolean hasParked = !group.parked().isEmpty();
    if (hasParked != (withParked.get(group.key()) != null)) {
      withParked.set(group.key(), hasParked ? group : null);
    }
  }

  private @Nullable First first(ShapeGroup group) {
    PendingWorkload workload = group.firstActive();
    return workload == null ? null : new First(usageOf(group.key()), workload);
  }

  private double usageOf(ShapeGroup.Key key) {
    Double known = usage == null ? null : usages.get(key.name());
    return known == null ? 0 : known;
  }

  private void activate(PendingWorkload workload) {
    endAttempt(workload);
    ShapeGroup group = groupOf(workload);
    change(group, () -> group.active().add(workload));
  }

  private void park(PendingWorkload workload) {
    endAttempt(workload);
    ShapeGroup group = groupOf(workload);
    change(group, () -> group.parked().add(workload));
  }

  private void backOff(PendingWorkload workload) {
    endAttempt(workload);
    backingOff.add(workload);
  }

  private boolean isTaken(PendingWorkload workload) {
    return workload.equals(taken.get().orElse(null));
  }

  /** Records that a workload is back, or has left. */
  private void endAttempt(PendingWorkload workload) {
    if (isTaken(workload)) {
      taken.set(Optional.empty());
    }
  }

  /** Removes a workload from its position; does nothing if it is in none. */
  private void detach(PendingWorkload workload) {
    if (isTaken(workload)) {
      return;
    }
    ShapeGroup group = groups.get(keyOf(workload));
    if (group != null && workload.equals(group.active().find(workload))) {
      change(group, () -> group.active().remove(workload));
    } else if (group != null && workload.equals(group.parked().find(workload))) {
      change(group, () -> group.parked().remove(workload));
    } else if (workload.equals(backingOff.find(workload))) {
      backingOff.remove(workload);
    }
  }

  /** {@return whether workloads of the shape are parked until the next event (rule U-15)} */
  private boolean isGivenUp(PendingWorkload workload) {
    return !strictFifo.get()
        && rules.usesShapes()
        && failures.get(workload.compiled().shape()) != null;
  }

  // ----- changes

  /** Adds a workload that is in no queue. */
  public void push(PendingWorkload workload, Instant now) {
    beforeChange();
    if (usage != null) {
      String localQueue = workload.compiled().localQueue();
      if (usages.get(localQueue) == null) {
        usages.set(localQueue, usage.of(localQueue));
      }
    }
    if (!workload.isBackoffOver(now)) {
      backOff(workload);
    } else if (isGivenUp(workload)) {
      park(workload);
    } else {
      activate(workload);
    }
  }

  /**
   * Removes the first active workload for a cycle.
   *
   * @return the workload, null if none is active
   */
  public @Nullable PendingWorkload pop() {
    PendingWorkload head = head();
    if (head != null && head == firsts.first().workload) {
      takeFirst(head);
    } else if (head != null) {
      take(head);
    }
    return head;
  }

  /** Takes out the first active workload, which needs no search. */
  private void takeFirst(PendingWorkload head) {
    beforeChange();
    ShapeGroup group = require(keyOf(head));
    firsts.removeFirst();
    group.active().removeFirst();
    PendingWorkload next = group.firstActive();
    if (next != null) {
      firsts.add(new First(usageOf(group.key()), next));
    }
    taken.set(Optional.of(head));
  }

  /**
   * Removes {@code workload} from any position for an attempt of its own, as {@link #pop} removes
   * the first.
   */
  public void take(PendingWorkload workload) {
    beforeChange();
    detach(workload);
    taken.set(Optional.of(workload));
  }

  /** Undoes {@link #pop} of a workload. */
  public void unpop(PendingWorkload workload) {
    beforeChange();
    activate(workload);
  }

  /** Reorders the workloads of a LocalQueue after its usage has changed. */
  public void usageChanged(String localQueue) {
    if (usage == null || usages.get(localQueue) == null) {
      return;
    }
    beforeChange();
    Map<ShapeGroup, @Nullable First> before = new LinkedHashMap<>();
    ImmutableSet<ShapeGroup.Key> keys = byLocalQueue.get(localQueue);
    for (ShapeGroup.Key key : keys == null ? ImmutableSet.<ShapeGroup.Key>of() : keys) {
      before.put(require(key), first(require(key)));
    }
    usages.set(localQueue, usage.of(localQueue));
    before.forEach(this::follow);
  }

  private ShapeGroup require(ShapeGroup.Key key) {
    ShapeGroup group = groups.get(key);
    if (group == null) {
      throw new IllegalStateException("there is no group of " + key.name());
    }
    return group;
  }

  /**
   * Puts a workload back after an attempt.
   *
   * @param workload the workload, removed before
   * @param reason how the attempt ended
   * @param outcome the same in detail
   * @param hasPendingFlavors whether another attempt would try other flavors
   * @param now the time
   */
  public void requeue(
      PendingWorkload workload,
      RequeueReason reason,
      Outcome outcome,
      boolean hasPendingFlavors,
      Instant now) {
    beforeChange();
    QueueMemory remembered = memory.get().withAttempt();
    if (reason.waitsForOthers()) {
      remembered = remembered.withPreemptor(workload, !strictFifo.get(), false);
    } else if (rules.forgetsPreemptors() && workload.equals(remembered.preemptor())) {
      remembered =
          remembered.withPreemptor(null, remembered.sticky(), remembered.preemptorChanged());
    }
    memory.set(remembered);
    boolean immediate =
        strictFifo.get() ? reason != RequeueReason.NAMESPACE_MISMATCH : reason.isImmediate();
    boolean backoffOver = workload.isBackoffOver(now);
    if (backoffOver && (immediate || hasPendingFlavors)) {
      activate(workload);
      return;
    }
    if (backoffOver) {
      park(workload);
    } else {
      backOff(workload);
    }
    if (!strictFifo.get() && rules.usesShapes() && reason.holdsForShape()) {
      giveUp(workload, outcome);
    }
  }

  /** Parks all workloads of a shape. */
  private void giveUp(PendingWorkload failed, Outcome outcome) {
    Shape shape = failed.compiled().shape();
    failures.set(shape, new Failure(failed, outcome));
    ImmutableSet<ShapeGroup.Key> keys = byShape.get(shape);
    for (ShapeGroup.Key key : keys == null ? ImmutableSet.<ShapeGroup.Key>of() : keys) {
      ShapeGroup group = require(key);
      if (!group.active().isEmpty()) {
        change(group, group::park);
      }
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
    QueueMemory before = memory.get();
    leave(old);
    push(changed, now);
    if (old.equals(before.preemptor())) {
      memory.set(memory
          .get()
          .withPreemptor(changed, before.sticky(), before.preemptorChanged() || specChanged));
    }
  }

  /** Removes a workload for good: it was admitted, finished, deleted or moved. */
  public void leave(PendingWorkload workload) {
    beforeChange();
    detach(workload);
    endAttempt(workload);
    removeIfEmpty(keyOf(workload));
    QueueMemory before = memory.get();
    if (workload.equals(before.preemptor())) {
      memory.set(before.withPreemptor(null, before.sticky(), before.preemptorChanged()));
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
    memory.set(memory.get().withEvent());
    failures.clear();
    for (ShapeGroup group : ImmutableList.copyOf(withParked.values())) {
      if (namespaceMatches.test(group.namespace())) {
        change(group, group::unpark);
      }
    }
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
        activate(workload);
      } else {
        park(workload);
      }
    }
  }
}
