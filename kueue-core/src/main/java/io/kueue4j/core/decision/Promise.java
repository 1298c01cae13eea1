package io.kueue4j.core.decision;

import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The time at which a waiting workload is going to start, and on what. Immutable.
 *
 * <p>Other workloads start before it only if they do not delay it. It moves to an earlier time when
 * workloads end early. It moves to a later time only for a reason that
 * {@link Decision.PromiseChange} names: quota or nodes are lost, a workload runs longer than
 * expected, or another one has a higher priority in the same queue, or may preempt this workload.
 *
 * <pre>{@code
 * engine.promises().forEach(promise -> log(promise.workload() + " starts " + promise.start()));
 * }</pre>
 *
 * @see Settings#backfill()
 * @since 0.1.0
 */
@Value.Immutable
public abstract class Promise {
  Promise() {}

  /** {@return a new builder; workload, clusterQueue and start are required} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the workload} */
  public abstract WorkloadId workload();

  /** {@return the ClusterQueue that it waits in} */
  public abstract String clusterQueue();

  /** {@return when it starts, at the latest} */
  public abstract Instant start();

  /** {@return when it is expected to end if it starts then; absent if its duration is unknown} */
  public abstract Optional<Instant> expectedEnd();

  /** {@return the flavors and places that are kept for its pods} */
  public abstract List<PodSetAssignment> podSetAssignments();

  /**
   * {@return whether it borrows quota; its owner may reclaim that, so the promise is weaker than
   * one on quota of the own queue}
   */
  @Value.Default
  public boolean borrows() {
    return false;
  }

  /**
   * {@return whether all ends that it waits for are maximum execution times, which are enforced;
   * otherwise some are guesses}
   */
  @Value.Default
  public boolean restsOnLimits() {
    return false;
  }

  /**
   * Builds {@link Promise}s; reusable, not thread-safe.
   *
   * @since 0.1.0
   */
  public static final class Builder extends ImmutablePromise.Builder {
    Builder() {}
  }
}
