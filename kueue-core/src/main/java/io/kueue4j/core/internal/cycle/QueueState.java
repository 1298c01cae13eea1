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

  /** {@return its pending workloads, all of them {@link Head}s; loads them if necessary} */
  public PendingQueue pending() {
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

  /** {@return whether it has work for a cycle; loads nothing} */
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
