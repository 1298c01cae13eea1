package io.kueue4j.core;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.compiled.CompiledPodSet;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.cycle.QueueState;
import io.kueue4j.core.fairness.FractionalAmounts;
import io.kueue4j.core.fairness.LocalQueueUsage;
import io.kueue4j.core.fairness.UsageAccount;
import io.kueue4j.core.fairness.UsageLedger;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.quota.QuotaHolder;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the ledger of LocalQueue usage what happens in the engine, and the queues when their order
 * follows. Without {@link Settings#admissionFairSharing()} nothing here has an effect.
 *
 * <p>Reserving quota and being admitted are told apart, though one follows the other at once as
 * long as there is no admission check; so at present no penalty outlives the call that it came
 * with.
 *
 * <p>Rules: W-0, W-3 … W-5, W-8, W-9.
 */
final class AdmissionFairness {
  private final EngineState state;
  private final @Nullable UsageLedger ledger;

  AdmissionFairness(Settings settings, EngineState state) {
    this.state = state;
    AdmissionFairSharing configured = settings.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING)
        ? settings.admissionFairSharing().orElse(null)
        : null;
    this.ledger = configured == null ? null : new UsageLedger(configured);
  }

  private static boolean isUsageBased(ClusterQueue queue) {
    return queue.admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  /** {@return what a new queue orders its LocalQueues by, null if by nothing; rule U-4} */
  @Nullable
  LocalQueueUsage orderOf(ClusterQueue queue) {
    return isUsageBased(queue) ? ledger : null;
  }

  /** {@return what candidates for preemption of one queue are ordered by} */
  LocalQueueUsage usage() {
    return ledger == null ? LocalQueueUsage.NONE : ledger;
  }

  // ----- time

  /** Does the sampling that is due. */
  void sampleUntil(Instant now) {
    if (ledger != null) {
      ledger.sampleUntil(now).forEach(this::reorder);
    }
  }

  Optional<Instant> nextSampling() {
    return ledger == null ? Optional.empty() : ledger.nextSampling();
  }

  private void reorder(String localQueue) {
    if (ledger != null) {
      ledger
          .account(localQueue)
          .flatMap(account -> state.queue(account.spec().clusterQueue()))
          .ifPresent(queue -> queue.pending().usageChanged(localQueue));
    }
  }

  // ----- configuration

  /**
   * Takes note of what a LocalQueue and its ClusterQueue have become; usage is sampled up to now.
   */
  void follow(String localQueue, Instant now) {
    if (ledger == null) {
      return;
    }
    Optional<LocalQueue> spec = state.configuration().localQueue(localQueue);
    if (spec.isEmpty()) {
      ledger.close(localQueue);
      return;
    }
    String clusterQueue = spec.get().clusterQueue();
    boolean counted = ledger
        .account(localQueue)
        .filter(account -> account.spec().clusterQueue().equals(clusterQueue))
        .isPresent();
    if (!counted) {
      // A history goes with its LocalQueue to another ClusterQueue, what is in use there does not.
      ledger.open(localQueue, spec.get(), false, now);
      FractionalAmounts admitted = countAdmitted(localQueue, clusterQueue);
      ledger.account(localQueue).ifPresent(account -> account.setAdmitted(admitted));
    }
    boolean takesPart = spec.get().stopPolicy() == StopPolicy.NONE
        && state.queue(clusterQueue).filter(queue -> queue.quota().isActive()).isPresent();
    ledger.open(localQueue, spec.get(), takesPart, now);
    reorder(localQueue);
  }

  private FractionalAmounts countAdmitted(String localQueue, String clusterQueue) {
    FractionalAmounts sum = FractionalAmounts.NONE;
    for (WorkloadRecord record : state.recordsOfLocalQueue(localQueue)) {
      Reservation held = record.reservation;
      if (held != null && held.queue().name().equals(clusterQueue)) {
        sum = sum.plus(amounts(held.holder()));
      }
    }
    return sum;
  }

  // ----- workloads

  /** Notes that a workload uses what it holds. */
  void charge(WorkloadRecord record, Reservation held) {
    account(record, held)
        .ifPresent(account -> account.setAdmitted(account.admitted().plus(amounts(held.holder()))));
  }

  /** Notes that a workload does not use any more what it held. */
  void discharge(WorkloadRecord record, Reservation held) {
    account(record, held)
        .ifPresent(
            account -> account.setAdmitted(account.admitted().minus(amounts(held.holder()))));
  }

  private Optional<UsageAccount> account(WorkloadRecord record, Reservation held) {
    return ledger == null
        ? Optional.empty()
        : ledger
            .account(record.localQueueKey())
            .filter(account -> account.spec().clusterQueue().equals(held.queue().name()));
  }

  /** Notes that quota was reserved for a workload that held none. */
  void quotaReserved(WorkloadRecord record, QueueState queue) {
    if (ledger != null && isUsageBased(queue.quota().compiled().source())) {
      ledger.penalize(
          record.localQueueKey(), record.workload().id(), requests(record.compiled(), queue));
      reorder(record.localQueueKey());
    }
  }

  /** Notes that a workload that holds quota was admitted. */
  void admitted(WorkloadRecord record, QueueState queue, Instant now) {
    if (ledger != null && isUsageBased(queue.quota().compiled().source())) {
      ledger.settle(record.localQueueKey(), record.workload().id(), now);
      reorder(record.localQueueKey());
    }
  }

  /** Notes that a workload will not be admitted from its LocalQueue: it is gone, or moves. */
  void left(WorkloadRecord record) {
    if (ledger != null && ledger.drop(record.localQueueKey(), record.workload().id())) {
      reorder(record.localQueueKey());
    }
  }

  private FractionalAmounts requests(CompiledWorkload workload, QueueState queue) {
    boolean ignoresUndeclared =
        state.settings().quotaCheckStrategy() == Settings.QuotaCheckStrategy.IGNORE_UNDECLARED;
    Map<Integer, Long> sum = new TreeMap<>();
    for (int p = 0; p < workload.size(); p++) {
      CompiledPodSet podSet = workload.podSet(p);
      for (int i = 0; i < podSet.size(); i++) {
        int resource = podSet.resource(i);
        if (!ignoresUndeclared || queue.quota().compiled().covers(resource)) {
          sum.merge(resource, podSet.amount(i, podSet.count()), Amount::add);
        }
      }
    }
    Map<String, BigDecimal> amounts = new TreeMap<>();
    sum.forEach((resource, amount) -> add(amounts, resource, amount));
    return FractionalAmounts.of(amounts);
  }

  private FractionalAmounts amounts(QuotaHolder holder) {
    Map<String, BigDecimal> amounts = new TreeMap<>();
    for (int i = 0; i < holder.size(); i++) {
      add(amounts, state.catalog().resourceOfPair(holder.pair(i)), holder.amount(i));
    }
    return FractionalAmounts.of(amounts);
  }

  private void add(Map<String, BigDecimal> amounts, int resource, long amount) {
    String name = state.catalog().resourceName(resource);
    int decimals = ResourceNames.isCountedInMilliUnits(name) ? 3 : 0;
    amounts.merge(name, BigDecimal.valueOf(amount, decimals), BigDecimal::add);
  }

  // ----- what is stored outside

  LocalQueueView view(LocalQueue spec) {
    String key = Configuration.localQueueKey(spec);
    Optional<UsageAccount> account = ledger == null ? Optional.empty() : ledger.account(key);
    return new LocalQueueView(
        spec,
        account.flatMap(known -> Optional.ofNullable(known.lastUpdate())
            .map(at -> new ConsumedUsage(known.consumed().byResource(), at))),
        account.map(known -> known.pendingPenalty().byResource()).orElse(ImmutableSortedMap.of()),
        account.isPresent() ? OptionalDouble.of(usage().of(key)) : OptionalDouble.empty());
  }

  void restore(String namespace, String name, ConsumedUsage usage) {
    checkState(
        ledger != null,
        "the usage of LocalQueue %s/%s cannot be restored: it is remembered only with"
            + " admissionFairSharing in the settings and the gate of that name on",
        namespace,
        name);
    String key = Configuration.localQueueKey(namespace, name);
    checkArgument(
        ledger.account(key).isPresent(),
        "the usage of LocalQueue %s cannot be restored: it does not exist; apply it first",
        key);
    ledger.restore(key, FractionalAmounts.of(usage.resources()), usage.lastUpdate());
    reorder(key);
  }
}
