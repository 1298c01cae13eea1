package io.kueue4j.core.internal.state;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.compiled.CompiledPodSet;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.cycle.QueueState;
import io.kueue4j.core.internal.fairness.FractionalAmounts;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.fairness.UsageAccount;
import io.kueue4j.core.internal.fairness.UsageLedger;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

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

  /** Null if usage is not recorded. */
  private final @Nullable UsageLedger ledger;

  /** Creates a recorder without usage. */
  UsageRecorder(
      StateContext context,
      Configuration configuration,
      QueueStore queues,
      WorkloadStore workloads) {
    this.context = context;
    this.configuration = configuration;
    this.queues = queues;
    this.workloads = workloads;
    Settings settings = context.settings();
    this.anchorsAtReservation =
        settings.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING_ANCHOR_AT_QUOTA_RESERVATION);
    this.ledger = settings
        .admissionFairSharing()
        .filter(unused -> settings.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING))
        .map(configured -> new UsageLedger(configured, context.journal()))
        .orElse(null);
  }

  /** Takes the usage of another state. */
  void share(UsageRecorder origin) {
    if (ledger != null && origin.ledger != null) {
      ledger.share(origin.ledger);
    }
  }

  /** {@return the ledger, null if there is none} */
  @Nullable
  public UsageLedger ledger() {
    return ledger;
  }

  /** {@return the account of a LocalQueue, empty if it has none} */
  public Optional<UsageAccount> account(String localQueue) {
    return ledger == null ? Optional.empty() : ledger.account(localQueue);
  }

  private boolean isSharing(QueueState queue) {
    return ledger != null && isUsageBased(queue.quota().compiled().source());
  }

  private static boolean isUsageBased(ClusterQueue queue) {
    return queue.admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  /** {@return whether a reservation, not an admission, is the moment when usage counts; W-5} */
  private boolean isAnchoredAtReservation(QueueState queue) {
    return anchorsAtReservation && isUsageBased(queue.quota().compiled().source());
  }

  /** {@return the usage by which a new queue orders its LocalQueues, null for none; rule U-4} */
  @Nullable
  LocalQueueUsage orderOf(ClusterQueue queue) {
    return isUsageBased(queue) && ledger != null ? order() : null;
  }

  /** {@return the usage, evaluated at each read} */
  public LocalQueueUsage order() {
    return localQueue -> usage().of(localQueue);
  }

  /** {@return the usage by which the preemption candidates of one queue are ordered} */
  public LocalQueueUsage usage() {
    return ledger == null ? LocalQueueUsage.NONE : ledger;
  }

  // ----- time

  /** Takes the samples that are due. */
  public void sampleUntil(Instant now) {
    if (ledger != null) {
      ledger.sampleUntil(now).forEach(this::reorder);
    }
  }

  public Optional<Instant> nextSampling() {
    return ledger == null ? Optional.empty() : ledger.nextSampling();
  }

  private void reorder(String localQueue) {
    UsageLedger known = ledger;
    if (known != null) {
      known
          .account(localQueue)
          .flatMap(account -> queues.get(account.spec().clusterQueue()))
          .filter(queue -> queue.pending().isServedByUsage())
          .ifPresent(queue -> queues.ownPending(queue, order()).usageChanged(localQueue));
    }
  }

  // ----- configuration

  /**
   * Updates the ledger after a change of a LocalQueue or its ClusterQueue; usage must have been
   * sampled up to now.
   */
  public void follow(String localQueue, Instant now) {
    UsageLedger own = ledger;
    if (own == null) {
      return;
    }
    Optional<LocalQueue> spec = configuration.localQueue(localQueue);
    if (spec.isEmpty()) {
      own.close(localQueue);
      return;
    }
    String clusterQueue = spec.get().clusterQueue();
    boolean reserved =
        queues.get(clusterQueue).filter(this::isAnchoredAtReservation).isPresent();
    boolean counted = own.account(localQueue)
        .filter(account -> account.spec().clusterQueue().equals(clusterQueue)
            && account.countsReservations() == reserved)
        .isPresent();
    if (!counted) {
      // The history of a LocalQueue moves with it to another ClusterQueue; its current usage does
      // not.
      own.open(localQueue, spec.get(), false, now);
      FractionalAmounts inUse = countInUse(localQueue, clusterQueue, reserved);
      own.setInUse(localQueue, inUse, reserved);
    }
    boolean takesPart = spec.get().stopPolicy() == StopPolicy.NONE
        && queues.get(clusterQueue).filter(queue -> queue.quota().isActive()).isPresent();
    own.open(localQueue, spec.get(), takesPart, now);
    reorder(localQueue);
  }

  /** {@return the usage that an account should show, counted anew} */
  public FractionalAmounts countInUse(UsageAccount account) {
    return countInUse(
        Configuration.localQueueKey(account.spec()),
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
    UsageLedger own = ledger;
    UsageAccount account =
        own == null ? null : own.account(record.localQueueKey()).orElse(null);
    if (own != null
        && account != null
        && account.spec().clusterQueue().equals(held.clusterQueue())
        && (account.countsReservations() || record.lifecycle().isAdmitted())) {
      own.setInUse(
          record.localQueueKey(),
          change.apply(account.inUse(), amounts(held.holder())),
          account.countsReservations());
    }
  }

  /** Records that quota was reserved for a workload that held none. */
  public void quotaReserved(WorkloadRecord record, QueueState queue, Instant now) {
    UsageLedger own = isSharing(queue) ? ledger : null;
    if (own != null) {
      WorkloadId id = record.workload().id();
      own.penalize(record.localQueueKey(), id, requests(record.compiled(), queue));
      if (isAnchoredAtReservation(queue)) {
        own.settle(record.localQueueKey(), id, now);
      }
      reorder(record.localQueueKey());
    }
  }

  /** Records that a workload that holds quota was admitted. */
  public void admitted(WorkloadRecord record, QueueState queue, Instant now) {
    boolean settles = isSharing(queue) && !isAnchoredAtReservation(queue);
    UsageLedger own = settles ? ledger : null;
    if (own != null) {
      own.settle(record.localQueueKey(), record.workload().id(), now);
      reorder(record.localQueueKey());
    }
  }

  /**
   * Records that a workload will not be admitted from its LocalQueue, because it has left or moves.
   */
  public void left(WorkloadRecord record) {
    UsageLedger own = ledger;
    if (own != null && own.drop(record.localQueueKey(), record.workload().id())) {
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
    UsageLedger own = ledger;
    checkState(
        own != null,
        "the usage of LocalQueue %s/%s cannot be restored: it is remembered only with"
            + " admissionFairSharing in the settings and the gate of that name on",
        namespace,
        name);
    checkArgument(
        own.account(key).isPresent(),
        "the usage of LocalQueue %s cannot be restored: it does not exist; apply it first",
        key);
    own.restore(key, FractionalAmounts.of(usage.resources()), usage.lastUpdate());
    reorder(key);
  }
}
