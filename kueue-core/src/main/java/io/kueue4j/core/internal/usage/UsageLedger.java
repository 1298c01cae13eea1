package io.kueue4j.core.internal.usage;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.internal.usage.UsageDecay.DecayStep;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.internal.versioned.Timers;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The usage of all LocalQueues. Not thread-safe. The caller reorders the pending workloads of
 * LocalQueues whose usage has changed.
 *
 * <p>LocalQueues are identified by namespace and name, separated by a slash. Calls about a
 * LocalQueue without account have no effect.
 *
 * <p>Histories are sampled at fixed intervals after their last update. No timer is needed: nothing
 * changes between two calls of {@link #sampleUntil}, so the later call processes all instants in
 * between with the same result.
 *
 * <p>Rules: W-1, W-3, W-4, W-5, W-6, W-7, W-9.
 */
public final class UsageLedger implements LocalQueueUsage {

  private final AdmissionFairSharing settings;
  private final UsageDecay decay;
  private final DecayStep sampling;
  private final VersionedMap<String, UsageAccount> accounts;

  /** The last update of each account that is sampled; one interval later it is sampled again. */
  private final Timers<String> updates;

  /** Creates a ledger without accounts. */
  public UsageLedger(AdmissionFairSharing settings, Journal journal) {
    this.settings = settings;
    this.decay = new UsageDecay(settings.usageHalfLifeTime());
    this.sampling = decay.over(settings.usageSamplingInterval());
    this.accounts = new VersionedMap<>(journal);
    this.updates = new Timers<>(journal);
  }

  /** {@return whether an engine records usage, which then orders LocalQueues} */
  public static boolean isUsed(Settings settings) {
    return settings.admissionFairSharing().isPresent()
        && settings.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING);
  }

  /** Takes the accounts of another ledger; changes to either are not visible in the other. */
  public void share(UsageLedger origin) {
    accounts.share(origin.accounts);
    updates.share(origin.updates);
  }

  @Override
  public double of(String localQueue) {
    UsageAccount account = accounts.get(localQueue);
    if (account == null) {
      return 0;
    }
    double weight = account.spec().fairSharingWeight();
    return weight <= 0
        ? Double.POSITIVE_INFINITY
        : account.consumed().plus(account.pendingPenalty()).weighted(settings) / weight;
  }

  /** {@return the account of a LocalQueue, empty if it has none} */
  public Optional<UsageAccount> account(String localQueue) {
    return Optional.ofNullable(accounts.get(localQueue));
  }

  /**
   * Opens an account for a LocalQueue, or updates it after a change of the LocalQueue.
   *
   * @param localQueue the key
   * @param spec the present LocalQueue
   * @param sampled whether the LocalQueue takes part at present, so that its history continues
   * @param now the time; {@link #sampleUntil} must have been called with it
   */
  public void open(String localQueue, LocalQueue spec, boolean sampled, Instant now) {
    UsageAccount account = accounts.get(localQueue);
    set(
        localQueue,
        (account == null ? UsageAccount.of(spec) : account.withSpec(spec))
            .withSampling(sampled, now, settings.usageSamplingInterval(), decay));
  }

  /** Removes the account of a LocalQueue with its history and penalties. */
  public void close(String localQueue) {
    set(localQueue, null);
  }

  /** Sets the present usage of a LocalQueue, and what it counts from now on. */
  public void setInUse(String localQueue, FractionalAmounts amounts, boolean countReservations) {
    change(localQueue, account -> account.withInUse(amounts, countReservations));
  }

  /**
   * Adds a penalty when quota is reserved for a workload: until the penalty is settled or dropped,
   * the LocalQueue counts as if it had used the requests of the workload for one sampling interval.
   *
   * @param requests the total requests of the workload
   */
  public void penalize(String localQueue, WorkloadId workload, FractionalAmounts requests) {
    double rate = decay.rate(settings.usageSamplingInterval());
    change(localQueue, account -> account.penalized(workload, requests.times(rate)));
  }

  /**
   * Removes the penalty of a workload that will not be admitted.
   *
   * @return whether it had one
   */
  public boolean drop(String localQueue, WorkloadId workload) {
    UsageAccount account = accounts.get(localQueue);
    boolean drops = account != null && account.penalties().containsKey(workload);
    if (drops) {
      change(localQueue, known -> known.withoutPenalty(workload));
    }
    return drops;
  }

  /**
   * Adds the penalty of a workload to the history when the workload is admitted. The present usage
   * must include the workload already.
   */
  public void settle(String localQueue, WorkloadId workload, Instant now) {
    change(localQueue, account -> account.settled(workload, now, decay));
  }

  /** Replaces the history of a LocalQueue. */
  public void restore(String localQueue, FractionalAmounts consumed, Instant lastUpdate) {
    change(localQueue, account -> account.withHistory(consumed, lastUpdate));
  }

  /**
   * Samples all accounts that are due.
   *
   * @return the LocalQueues that were sampled
   */
  public List<String> sampleUntil(Instant now) {
    if (updates.next().isEmpty()) {
      return List.of();
    }
    Duration interval = settings.usageSamplingInterval();
    List<String> due = updates.due(
        TimeMath.saturatedAdd(now, TimeMath.saturatedSubtract(Duration.ZERO, interval)));
    due.forEach(localQueue -> change(localQueue, account -> account.sampledUntil(now, sampling)));
    return due;
  }

  /** {@return the time of the next sampling, empty if there is none} */
  public Optional<Instant> nextSampling() {
    Duration interval = settings.usageSamplingInterval();
    return updates
        .next()
        .filter(last -> Duration.between(last, Instant.MAX).compareTo(interval) >= 0)
        .map(last -> TimeMath.saturatedAdd(last, interval));
  }

  private void change(String localQueue, UnaryOperator<UsageAccount> change) {
    UsageAccount account = accounts.get(localQueue);
    if (account != null) {
      set(localQueue, change.apply(account));
    }
  }

  private void set(String localQueue, @Nullable UsageAccount account) {
    accounts.set(localQueue, account);
    updates.set(localQueue, account == null || !account.isSampled() ? null : account.lastUpdate());
  }
}
