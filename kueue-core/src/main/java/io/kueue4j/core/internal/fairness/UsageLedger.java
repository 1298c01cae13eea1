package io.kueue4j.core.internal.fairness;

import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
  /** The next sampling of an account: one interval after {@code lastUpdate}. */
  private record Turn(Instant lastUpdate, String localQueue) implements Comparable<Turn> {
    private static final Comparator<Turn> ORDER =
        Comparator.comparing(Turn::lastUpdate).thenComparing(Turn::localQueue);

    @Override
    public int compareTo(Turn other) {
      return ORDER.compare(this, other);
    }
  }

  private final AdmissionFairSharing settings;
  private final UsageDecay decay;
  private final Map<String, UsageAccount> accounts = new HashMap<>();
  private final TreeMap<Turn, UsageAccount> turns = new TreeMap<>();

  /** Creates a ledger without accounts. */
  public UsageLedger(AdmissionFairSharing settings) {
    this.settings = settings;
    this.decay = new UsageDecay(settings.usageHalfLifeTime());
  }

  /** {@return an independent copy} */
  public UsageLedger copy() {
    UsageLedger copy = new UsageLedger(settings);
    accounts.forEach((localQueue, account) -> {
      UsageAccount copied = account.copy();
      copy.accounts.put(localQueue, copied);
      copy.enter(localQueue, copied);
    });
    return copy;
  }

  @Override
  public double of(String localQueue) {
    UsageAccount account = accounts.get(localQueue);
    if (account == null) {
      return 0;
    }
    double weight = account.spec().fairSharing().weight();
    return weight <= 0
        ? Double.POSITIVE_INFINITY
        : account.consumed().plus(account.pendingPenalty()).weighted(settings) / weight;
  }

  /** {@return a copy of the account of a LocalQueue, empty if it has none} */
  public Optional<UsageAccount> copyOf(String localQueue) {
    return account(localQueue).map(UsageAccount::copy);
  }

  /** Replaces the account of a LocalQueue, or removes it. */
  public void replace(String localQueue, Optional<UsageAccount> account) {
    close(localQueue);
    account.ifPresent(known -> {
      accounts.put(localQueue, known);
      enter(localQueue, known);
    });
  }

  /** {@return the LocalQueues that {@link #sampleUntil} would sample} */
  public List<String> due(Instant now) {
    return turns.keySet().stream()
        .takeWhile(turn -> isDue(turn, now))
        .map(Turn::localQueue)
        .toList();
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
    UsageAccount account = accounts.computeIfAbsent(localQueue, unused -> new UsageAccount(spec));
    leave(localQueue, account);
    account.setSpec(spec);
    account.setSampled(sampled, now, settings.usageSamplingInterval(), decay);
    enter(localQueue, account);
  }

  /** Removes the account of a LocalQueue with its history and penalties. */
  public void close(String localQueue) {
    UsageAccount account = accounts.remove(localQueue);
    if (account != null) {
      leave(localQueue, account);
    }
  }

  /**
   * Adds a penalty when quota is reserved for a workload: until the penalty is settled or dropped,
   * the LocalQueue counts as if it had used the requests of the workload for one sampling interval.
   *
   * @param requests the total requests of the workload
   */
  public void penalize(String localQueue, WorkloadId workload, FractionalAmounts requests) {
    double rate = decay.rate(settings.usageSamplingInterval());
    account(localQueue).ifPresent(account -> account.penalize(workload, requests.times(rate)));
  }

  /**
   * Removes the penalty of a workload that will not be admitted.
   *
   * @return whether it had one
   */
  public boolean drop(String localQueue, WorkloadId workload) {
    return account(localQueue).filter(account -> account.drop(workload)).isPresent();
  }

  /**
   * Adds the penalty of a workload to the history when the workload is admitted. The present usage
   * must include the workload already.
   */
  public void settle(String localQueue, WorkloadId workload, Instant now) {
    UsageAccount account = accounts.get(localQueue);
    if (account != null) {
      leave(localQueue, account);
      account.settle(workload, now, decay);
      enter(localQueue, account);
    }
  }

  /** Replaces the history of a LocalQueue. */
  public void restore(String localQueue, FractionalAmounts consumed, Instant lastUpdate) {
    UsageAccount account = accounts.get(localQueue);
    if (account != null) {
      leave(localQueue, account);
      account.restore(consumed, lastUpdate);
      enter(localQueue, account);
    }
  }

  /**
   * Samples all accounts that are due.
   *
   * @return the LocalQueues that were sampled
   */
  public List<String> sampleUntil(Instant now) {
    List<String> done = new ArrayList<>();
    Map.Entry<Turn, UsageAccount> first = turns.firstEntry();
    while (first != null && isDue(first.getKey(), now)) {
      turns.pollFirstEntry();
      String localQueue = first.getKey().localQueue();
      first.getValue().sampleUntil(now, settings.usageSamplingInterval(), decay);
      enter(localQueue, first.getValue());
      done.add(localQueue);
      first = turns.firstEntry();
    }
    return done;
  }

  private boolean isDue(Turn turn, Instant now) {
    return Duration.between(turn.lastUpdate, now).compareTo(settings.usageSamplingInterval()) >= 0;
  }

  /** {@return the time of the next sampling, empty if there is none} */
  public Optional<Instant> nextSampling() {
    if (turns.isEmpty()) {
      return Optional.empty();
    }
    Instant last = turns.firstKey().lastUpdate();
    Duration interval = settings.usageSamplingInterval();
    return Duration.between(last, Instant.MAX).compareTo(interval) < 0
        ? Optional.empty()
        : Optional.of(TimeMath.saturatedAdd(last, interval));
  }

  private void enter(String localQueue, UsageAccount account) {
    Instant lastUpdate = account.lastUpdate();
    if (account.isSampled() && lastUpdate != null) {
      turns.put(new Turn(lastUpdate, localQueue), account);
    }
  }

  private void leave(String localQueue, UsageAccount account) {
    Instant lastUpdate = account.lastUpdate();
    if (lastUpdate != null) {
      turns.remove(new Turn(lastUpdate, localQueue));
    }
  }
}
