package io.kueue4j.core.internal.cycle;

import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.QueueQuota;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A ClusterQueue with its quota and its pending workloads, which may be loaded when they are first
 * needed.
 *
 * <p>Rules: U-9.
 */
public final class QueueState {
  private final QueueQuota quota;

  /** Calls {@link #setPending}; used while {@link #pending} is null. */
  private final Consumer<QueueState> loader;

  private final boolean hasWorkToLoad;
  private @Nullable PendingQueue pending;

  /** Applies an event to the pending workloads when they are next needed, null for none. */
  private @Nullable Consumer<QueueState> deferredEvent;

  /** The number of attempts since the deferred event, all of which were left out. */
  private int attemptsSinceEvent;

  /** The number of attempts since the deferred event, from its first, that are known to fail. */
  private int failing;

  /**
   * Creates a queue with its pending workloads.
   *
   * @param quota its place in the cohort tree
   * @param pending its pending workloads, all of them {@link Head}s
   */
  public QueueState(QueueQuota quota, PendingQueue pending) {
    this(quota, false, queue -> {});
    this.pending = pending;
  }

  /**
   * Creates a queue whose pending workloads are loaded when they are first needed.
   *
   * @param quota its place in the cohort tree
   * @param hasWork whether the pending workloads that will be loaded include work for a cycle
   * @param loader calls {@link #setPending} of the queue that it is given
   */
  public QueueState(QueueQuota quota, boolean hasWork, Consumer<QueueState> loader) {
    this.quota = quota;
    this.hasWorkToLoad = hasWork;
    this.loader = loader;
  }

  /** {@return its place in the cohort tree} */
  public QueueQuota quota() {
    return quota;
  }

  /**
   * {@return its pending workloads, all of them {@link Head}s; loads them if necessary, and applies
   * the deferred event}
   */
  public PendingQueue pending() {
    applyEvent();
    return pendingBeforeEvent();
  }

  /** Applies the deferred event, if there is one. */
  public void applyEvent() {
    Consumer<QueueState> event = deferredEvent;
    if (event != null) {
      deferredEvent = null;
      event.accept(this);
    }
  }

  /** {@return its pending workloads as they are before the deferred event, if there is one} */
  PendingQueue pendingBeforeEvent() {
    load();
    PendingQueue loaded = pending;
    checkState(loaded != null, "the pending workloads of %s have not been loaded", name());
    return loaded;
  }

  /** Loads its pending workloads, unless that has happened. */
  public void load() {
    if (pending == null) {
      loader.accept(this);
    }
  }

  /** Sets the pending workloads, which have been loaded. */
  public void setPending(PendingQueue loaded) {
    checkState(pending == null, "the pending workloads of %s have been loaded before", name());
    pending = loaded;
  }

  /** {@return whether an event is deferred until its pending workloads are needed} */
  public boolean isEventDeferred() {
    return deferredEvent != null;
  }

  /** Defers an event, or drops the deferred one if {@code event} is null. */
  public void deferEvent(@Nullable Consumer<QueueState> event) {
    deferredEvent = event;
    setAttemptsSinceEvent(0);
  }

  /** {@return the number of attempts since the last deferred event, all of which were left out} */
  public int attemptsSinceEvent() {
    return attemptsSinceEvent;
  }

  /** Sets the number of attempts since the deferred event. */
  public void setAttemptsSinceEvent(int attempts) {
    attemptsSinceEvent = attempts;
    failing = attempts;
  }

  /** Leaves out a number of further attempts since the deferred event. */
  public void leaveOut(int attempts) {
    attemptsSinceEvent += attempts;
    failing = Math.max(failing, attemptsSinceEvent);
  }

  /**
   * {@return the number of attempts since the deferred event, from its first, that are known to
   * fail}
   */
  public int failing() {
    return failing;
  }

  /** Sets the number of attempts that are known to fail. */
  public void setFailing(int attempts) {
    failing = attempts;
  }

  /** {@return whether it has work for a cycle, a deferred event aside; loads nothing} */
  public boolean hasWork() {
    return pending == null ? hasWorkToLoad : pending.hasWork();
  }

  /** {@return the name} */
  public String name() {
    return quota.name();
  }

  /** {@return the head that {@link #pop} would remove, null if there is none} */
  public @Nullable Head head() {
    return quota.isActive() ? (Head) pending().head() : null;
  }

  /**
   * Removes the head for a cycle.
   *
   * @return the head, null if the queue is inactive or has no active workload
   */
  public @Nullable Head pop() {
    return quota.isActive() ? (Head) pending().pop() : null;
  }
}
