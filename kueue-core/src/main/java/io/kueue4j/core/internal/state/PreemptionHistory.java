package io.kueue4j.core.internal.state;

import com.google.common.primitives.ImmutableLongArray;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits of preemption of an engine, the past preemptions as far as a limit counts them, and
 * when each ClusterQueue is tried again whose preemption was refused. A part of the state. Empty
 * without limits.
 *
 * <p>Rules: PL-2, PL-3, PL-4.
 */
public final class PreemptionHistory {
  private final @Nullable PreemptionLimits defaults;

  /** The limits of ClusterQueues that have their own. */
  private final VersionedMap<String, PreemptionLimits> ofQueues;

  /** The times of past preemptions in milliseconds since the epoch, in ascending order. */
  private final VersionedMap<Counter, ImmutableLongArray> times;

  private final VersionedMap<Reclaimed, ReclaimSeries> reclaims;

  /** When each ClusterQueue is tried again, by name. */
  private final Timers<String> retries;

  /**
   * What counts together.
   *
   * @param scope the scope
   * @param name the ClusterQueue or workload, empty for the global scope
   */
  public record Counter(RateScope scope, String name) {}

  /**
   * What a ClusterQueue has reclaimed.
   *
   * @param clusterQueue its name
   * @param pair the flavor and resource
   */
  public record Reclaimed(String clusterQueue, FlavorResource pair) {}

  /**
   * Reclaims without a long pause.
   *
   * @param count how many, at least 1
   * @param lastMillis the time of the last one, in milliseconds since the epoch
   */
  public record ReclaimSeries(int count, long lastMillis) {}

  /** Creates a history without preemptions; {@code defaults} are absent if nothing is limited. */
  public PreemptionHistory(Optional<PreemptionLimits> defaults, Journal journal) {
    this.defaults = defaults.orElse(null);
    this.ofQueues = new VersionedMap<>(journal);
    this.times = new VersionedMap<>(journal);
    this.reclaims = new VersionedMap<>(journal);
    this.retries = new Timers<>(journal);
  }

  /** Takes the content of another history, unrecorded. */
  void share(PreemptionHistory origin) {
    ofQueues.share(origin.ofQueues);
    times.share(origin.times);
    reclaims.share(origin.reclaims);
    retries.share(origin.retries);
  }

  /** {@return whether there are limits} */
  public boolean isUsed() {
    return defaults != null || !ofQueues.isEmpty();
  }

  /**
   * Restores the preemptions of a workload. Of all but the last only the number is known. All count
   * as late as the last, so that no rate is exceeded.
   */
  public void restore(WorkloadId workload, long count, Instant last) {
    if (isUsed()) {
      long[] all = new long[(int) Math.min(count, Rate.MAX_LIMIT)];
      Arrays.fill(all, TimeMath.saturatedMillis(last));
      times.set(
          new Counter(RateScope.PREEMPTED_WORKLOAD, workload.toString()),
          ImmutableLongArray.copyOf(all));
    }
  }

  /** Sets the limits of a ClusterQueue, null for the defaults. */
  void setLimits(String clusterQueue, @Nullable PreemptionLimits limits) {
    if (limits != null || !ofQueues.isEmpty()) {
      ofQueues.set(clusterQueue, limits);
    }
  }

  /** Forgets a ClusterQueue. */
  void remove(String clusterQueue) {
    setLimits(clusterQueue, null);
    retries.set(clusterQueue, null);
  }

  /** Forgets a workload. */
  void forget(WorkloadId workload) {
    if (!times.isEmpty()) {
      times.set(new Counter(RateScope.PREEMPTED_WORKLOAD, workload.toString()), null);
    }
  }

  /** {@return the limits of the engine} */
  public PreemptionLimits defaults() {
    return defaults == null ? PreemptionLimits.none() : defaults;
  }

  /** {@return the limits of a ClusterQueue} */
  public PreemptionLimits limits(String clusterQueue) {
    PreemptionLimits own = ofQueues.get(clusterQueue);
    return own == null ? defaults() : own;
  }

  /** {@return the times of the preemptions that count together, in ascending order} */
  public ImmutableLongArray times(Counter counter) {
    ImmutableLongArray known = times.get(counter);
    return known == null ? ImmutableLongArray.of() : known;
  }

  /** {@return the last series of reclaims, null if there is none} */
  public @Nullable ReclaimSeries reclaims(Reclaimed reclaimed) {
    return reclaims.get(reclaimed);
  }

  /** Sets the times of the preemptions that count together. */
  public void set(Counter counter, ImmutableLongArray changed) {
    times.set(counter, changed);
  }

  /** Sets the last series of reclaims. */
  public void set(Reclaimed reclaimed, ReclaimSeries changed) {
    reclaims.set(reclaimed, changed);
  }

  /** Has a ClusterQueue tried again at {@code time}, unless it is before. */
  public void retry(String clusterQueue, Instant time) {
    Instant known = retries.get(clusterQueue);
    if (known == null || time.isBefore(known)) {
      retries.set(clusterQueue, time);
    }
  }

  /** {@return when ClusterQueues are tried again whose preemptions were refused} */
  public Timers<String> retries() {
    return retries;
  }
}
