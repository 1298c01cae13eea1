package io.kueue4j.core.internal.state;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.usage.FractionalAmounts;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.internal.usage.UsageAccount;
import io.kueue4j.core.internal.usage.UsageLedger;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * Records the events of the engine in the ledger of LocalQueue usage, and notifies queues whose
 * order changes as a result. Without {@link Settings#admissionFairSharing()} nothing here has an
 * effect.
 *
 * <p>Quota reservation and admission are separate events. Without admission checks, admission
 * follows at once, and no penalty outlives the call that added it.
 *
 * <p>Rules: W-0, W-3, W-4, W-5, W-8, W-9.
 */
public final class UsageRecorder {
  private final StateContext context;
  private final Configuration configuration;
  private final QueueStore queues;
  private final WorkloadStore workloads;
  private final boolean anchorsAtReservation;
  private final boolean isOn;

  /** Has no accounts unless usage is recorded. */
  private final UsageLedger ledger;

  /** Creates a recorder without usage. */
  UsageRecorder(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      WorkloadStore workloads,
      UsageLedger ledger) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.workloads = workloads;
    Settings settings = context.settings();
    this.anchorsAtReservation =
        settings.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING_ANCHOR_AT_QUOTA_RESERVATION);
    this.isOn = UsageLedger.isUsed(settings);
    this.ledger = ledger;
  }

  /** Takes the usage of another state. */
  void share(UsageRecorder origin) {
    ledger.share(origin.ledger);
  }

  /** {@return the usage of all LocalQueues, without accounts unless usage is recorded} */
  public UsageLedger ledger() {
    return ledger;
  }

  private boolean isSharing(QueueState queue) {
    return isOn && isUsageBased(queue);
  }

  private static boolean isUsageBased(QueueState queue) {
    return queue.spec().admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  /** {@return whether a reservation, not an admission, is the moment when usage counts; W-5} */
  private boolean isAnchoredAtReservation(QueueState queue) {
    return anchorsAtReservation && isUsageBased(queue);
  }

  /** {@return the usage by which the preemption candidates of one queue are ordered} */
  public LocalQueueUsage usage() {
    return isOn ? ledger : LocalQueueUsage.NONE;
  }

  // ----- time

  /** Takes the samples that are due. */
  public void sampleUntil(Instant now) {
    ledger.sampleUntil(now).forEach(this::reorder);
  }

  private void reorder(String localQueue) {
    ledger
        .account(localQueue)
        .flatMap(account -> queues.get(account.spec().clusterQueue()))
        .filter(queue -> queue.pending().isServedByUsage())
        .ifPresent(queue -> queues.ownPending(queue).usageChanged(localQueue));
  }

  // ----- configuration

  /**
   * Updates the ledger after a change of a LocalQueue or its ClusterQueue; usage must have been
   * sampled up to now.
   */
  public void follow(String localQueue, Instant now) {
    if (!isOn) {
      return;
    }
    Optional<LocalQueue> spec = configuration.localQueue(localQueue);
    if (spec.isEmpty()) {
      ledger.close(localQueue);
      return;
    }
    String clusterQueue = spec.get().clusterQueue();
    boolean reserved =
        queues.get(clusterQueue).filter(this::isAnchoredAtReservation).isPresent();
    boolean counted = ledger
        .account(localQueue)
        .filter(account -> account.spec().clusterQueue().equals(clusterQueue)
            && account.countsReservations() == reserved)
        .isPresent();
    if (!counted) {
      // The history of a LocalQueue moves with it to another ClusterQueue; its current usage does
      // not.
      ledger.open(localQueue, spec.get(), false, now);
      FractionalAmounts inUse = countInUse(localQueue, clusterQueue, reserved);
      ledger.setInUse(localQueue, inUse, reserved);
    }
    boolean takesPart = spec.get().stopPolicy() == StopPolicy.NONE
        && queues.get(clusterQueue).filter(queue -> queue.quota().isActive()).isPresent();
    ledger.open(localQueue, spec.get(), takesPart, now);
    reorder(localQueue);
  }

  /** {@return the usage that an account should show, counted anew} */
  public FractionalAmounts countInUse(UsageAccount account) {
    return countInUse(
        account.spec().qualifiedName(),
        account.spec().clusterQueue(),
        account.countsReservations());
  }

  private FractionalAmounts countInUse(String localQueue, String clusterQueue, boolean reserved) {
    FractionalAmounts sum = FractionalAmounts.NONE;
    for (WorkloadRecord record : workloads.ofLocalQueue(localQueue)) {
      Reservation held = record.reservation();
      if (held != null
          && (reserved || record.lifecycle().isAdmitted())
          && held.clusterQueue().equals(clusterQueue)) {
        sum = sum.plus(amounts(held.holder()));
      }
    }
    return sum;
  }

  // ----- workloads

  /** Adds the quota of a workload to the usage of its LocalQueue, if that counts it; rule W-6. */
  void charge(WorkloadRecord record, Reservation held) {
    changeInUse(record, held, FractionalAmounts::plus);
  }

  /** Subtracts the quota of a workload from the usage of its LocalQueue, if that counts it. */
  void discharge(WorkloadRecord record, Reservation held) {
    changeInUse(record, held, FractionalAmounts::minus);
  }

  private void changeInUse(
      WorkloadRecord record, Reservation held, BinaryOperator<FractionalAmounts> change) {
    UsageAccount account = isOn ? ledger.account(record.localQueueKey()).orElse(null) : null;
    if (account != null
        && account.spec().clusterQueue().equals(held.clusterQueue())
        && (account.countsReservations() || record.lifecycle().isAdmitted())) {
      ledger.setInUse(
          record.localQueueKey(),
          change.apply(account.inUse(), amounts(held.holder())),
          account.countsReservations());
    }
  }

  /** Records that quota was reserved for a workload that held none. */
  public void quotaReserved(WorkloadRecord record, QueueState queue, Instant now) {
    if (isSharing(queue)) {
      ledger.penalize(record.localQueueKey(), record.id(), requests(record.compiled(), queue));
      if (isAnchoredAtReservation(queue)) {
        ledger.settle(record.localQueueKey(), record.id(), now);
      }
      reorder(record.localQueueKey());
    }
  }

  /** Records that a workload that holds quota was admitted. */
  public void admitted(WorkloadRecord record, QueueState queue, Instant now) {
    if (isSharing(queue) && !isAnchoredAtReservation(queue)) {
      ledger.settle(record.localQueueKey(), record.id(), now);
      reorder(record.localQueueKey());
    }
  }

  /**
   * Records that a workload will not be admitted from its LocalQueue, because it has left or moves.
   */
  public void left(WorkloadRecord record) {
    if (isOn && ledger.drop(record.localQueueKey(), record.id())) {
      reorder(record.localQueueKey());
    }
  }

  private FractionalAmounts requests(CompiledWorkload workload, QueueState queue) {
    boolean ignoresUndeclared =
        context.settings().quotaCheckStrategy() == Settings.QuotaCheckStrategy.IGNORE_UNDECLARED;
    Map<String, Long> sum = new TreeMap<>();
    for (int p = 0; p < workload.size(); p++) {
      CompiledPodSet podSet = workload.podSet(p);
      for (int i = 0; i < podSet.size(); i++) {
        ResourceName resource = podSet.resource(i);
        if (!ignoresUndeclared || queue.quota().compiled().covers(resource)) {
          sum.merge(resource.name(), podSet.amount(i, podSet.count()), Amount::add);
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
      add(amounts, holder.pair(i).resource().name(), holder.amount(i));
    }
    return FractionalAmounts.of(amounts);
  }

  private static void add(Map<String, BigDecimal> amounts, String resource, long amount) {
    int decimals = ResourceNames.isCountedInMilliUnits(resource) ? 3 : 0;
    amounts.merge(resource, BigDecimal.valueOf(amount, decimals), BigDecimal::add);
  }

  // ----- usage stored by the caller

  public void restore(String namespace, String name, ConsumedUsage usage) {
    String key = Configuration.localQueueKey(namespace, name);
    checkState(
        isOn,
        "the usage of LocalQueue %s/%s cannot be restored: it is remembered only with"
            + " admissionFairSharing in the settings and the gate of that name on",
        namespace,
        name);
    checkArgument(
        ledger.account(key).isPresent(),
        "the usage of LocalQueue %s cannot be restored: it does not exist; apply it first",
        key);
    ledger.restore(key, FractionalAmounts.of(usage.resources()), usage.lastUpdate());
    reorder(key);
  }
}
