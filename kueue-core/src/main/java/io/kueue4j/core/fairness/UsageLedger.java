package io.kueue4j.core.fairness;

import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.support.TimeMath;
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
 * What each LocalQueue has used. Not safe for several threads; the caller says which LocalQueues
 * have to be looked at again after a change.
 *
 * <p>LocalQueues are known by namespace and name, a slash between. What is told of one without an
 * account has no effect.
 *
 * <p>Histories are sampled at fixed intervals after their last update. Nobody has to call at those
 * instants: between two calls of {@link #sampleUntil} nothing changes, so that the later one makes
 * up for all of them, and gets the same as a timer would have.
 *
 * <p>Rules: W-1, W-3, W-4, W-5, W-6, W-7, W-9.
 */
public final class UsageLedger implements LocalQueueUsage {
  /** When an account is sampled next: an interval after {@code lastUpdate}, which all share. */
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

  /** {@return a copy that does not change with this one} */
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

  /** {@return a copy of the account of a LocalQueue as it is now, if it has one} */
  public Optional<UsageAccount> copyOf(String localQueue) {
    return account(localQueue).map(UsageAccount::copy);
  }

  /** Puts an account in the place of what is known of a LocalQueue, or nothing. */
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

  /** {@return the account of a LocalQueue, if it has one} */
  public Optional<UsageAccount> account(String localQueue) {
    return Optional.ofNullable(accounts.get(localQueue));
  }

  /**
   * Gives a LocalQueue an account, or takes note of a change of it.
   *
   * @param localQueue the key
   * @param spec the LocalQueue as it is now
   * @param sampled whether it takes part at present, so that its history goes on
   * @param now the time, which {@link #sampleUntil} has been called with
   */
  public void open(String localQueue, LocalQueue spec, boolean sampled, Instant now) {
    UsageAccount account = accounts.computeIfAbsent(localQueue, unused -> new UsageAccount(spec));
    leave(localQueue, account);
    account.setSpec(spec);
    account.setSampled(sampled, now, settings.usageSamplingInterval(), decay);
    enter(localQueue, account);
  }

  /** Forgets a LocalQueue, its history and its penalties. */
  public void close(String localQueue) {
    UsageAccount account = accounts.remove(localQueue);
    if (account != null) {
      leave(localQueue, account);
    }
  }

  /**
   * Notes that quota was reserved for a workload: until it is settled or dropped, the LocalQueue
   * counts as if it had used the workload's requests for a sampling interval.
   *
   * @param requests all that the workload requests
   */
  public void penalize(String localQueue, WorkloadId workload, FractionalAmounts requests) {
    double rate = decay.rate(settings.usageSamplingInterval());
    account(localQueue).ifPresent(account -> account.penalize(workload, requests.times(rate)));
  }

  /**
   * Forgets the penalty of a workload that will not be admitted.
   *
   * @return whether it had one
   */
  public boolean drop(String localQueue, WorkloadId workload) {
    return account(localQueue).filter(account -> account.drop(workload)).isPresent();
  }

  /**
   * Notes that a workload was admitted: its penalty becomes part of the history. What is in use
   * counts the workload already.
   */
  public void settle(String localQueue, WorkloadId workload, Instant now) {
    UsageAccount account = accounts.get(localQueue);
    if (account != null) {
      leave(localQueue, account);
      account.settle(workload, now, decay);
      enter(localQueue, account);
    }
  }

  /** Puts a history into the place of what is known. */
  public void restore(String localQueue, FractionalAmounts consumed, Instant lastUpdate) {
    UsageAccount account = accounts.get(localQueue);
    if (account != null) {
      leave(localQueue, account);
      account.restore(consumed, lastUpdate);
      enter(localQueue, account);
    }
  }

  /**
   * Samples what is due.
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

  /** {@return when something is sampled next, empty if nothing ever is} */
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
