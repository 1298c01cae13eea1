package io.kueue4j.core.testkit.reference;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The usage histories of LocalQueues. Current usage is computed from the workloads on demand.
 *
 * <p>Rules: W-0, W-1, W-3, W-4, W-5, W-7, W-9.
 */
final class UsageHistories {
  private final Specs specs;
  private final Map<String, UsageHistory> histories = new TreeMap<>();

  UsageHistories(Specs specs) {
    this.specs = specs;
  }

  /** W-0, except for the queue. */
  private Optional<AdmissionFairSharing> configured() {
    return specs.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING)
        ? specs.settings().admissionFairSharing()
        : Optional.empty();
  }

  /** W-0. */
  boolean areUsedBy(String queue) {
    return configured().isPresent()
        && specs.queue(queue).admissionMode() == AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING;
  }

  /** W-7. */
  void sampleUntil(Instant now, Collection<Job> jobs) {
    histories.forEach((key, history) -> history.sampleUntil(now, inUse(key, jobs)));
  }

  /** W-9: a history exists as long as its LocalQueue, and is updated while that takes part. */
  void followSpecs(Instant now, Collection<Job> jobs) {
    if (configured().isEmpty()) {
      return;
    }
    histories.keySet().removeIf(key -> specs.localQueue(key).isEmpty());
    for (LocalQueue queue : specs.localQueues()) {
      String key = Specs.localQueueKey(queue);
      histories
          .computeIfAbsent(key, unused -> new UsageHistory(configured().orElseThrow()))
          .setTakesPart(specs.takesPart(queue), now, inUse(key, jobs));
    }
  }

  /** W-5: usage counts from the reservation of quota on, not only from the admission. */
  private boolean countReservations(String queue) {
    return areUsedBy(queue)
        && specs.isEnabled(FeatureGate.ADMISSION_FAIR_SHARING_ANCHOR_AT_QUOTA_RESERVATION);
  }

  /** W-3, W-5. */
  void reserved(Job job, String queue, Instant now, Collection<Job> jobs) {
    UsageHistory history = histories.get(Specs.localQueueKey(job.workload()));
    if (history != null && areUsedBy(queue)) {
      history.reserved(job.id(), requests(job, queue));
      if (countReservations(queue)) {
        settle(job, now, jobs);
      }
    }
  }

  /** W-5. */
  void admitted(Job job, String queue, Instant now, Collection<Job> jobs) {
    if (areUsedBy(queue) && !countReservations(queue)) {
      settle(job, now, jobs);
    }
  }

  private void settle(Job job, Instant now, Collection<Job> jobs) {
    String key = Specs.localQueueKey(job.workload());
    UsageHistory history = histories.get(key);
    if (history != null) {
      history.settle(job.id(), inUse(key, jobs), now);
    }
  }

  /** W-4. */
  void left(Job job) {
    UsageHistory history = histories.get(Specs.localQueueKey(job.workload()));
    if (history != null) {
      history.left(job.id());
    }
  }

  /** W-9. */
  void restore(String key, ConsumedUsage usage) {
    checkState(
        configured().isPresent(),
        "usage is not remembered; set admissionFairSharing in the settings");
    UsageHistory history = histories.get(key);
    checkArgument(history != null, "LocalQueue %s does not exist; apply it first", key);
    history.restore(usage);
  }

  /** W-1: a LocalQueue that does not exist has no usage. */
  double usage(String key) {
    UsageHistory history = histories.get(key);
    return history == null
        ? 0
        : history.usage(specs.localQueue(key).orElseThrow().fairSharingWeight());
  }

  /** {@return the usage of a LocalQueue, if it has a history} */
  OptionalDouble knownUsage(String key) {
    return histories.containsKey(key) ? OptionalDouble.of(usage(key)) : OptionalDouble.empty();
  }

  /** {@return the history of a LocalQueue, if it has started} */
  Optional<ConsumedUsage> consumed(String key) {
    return Optional.ofNullable(histories.get(key)).flatMap(UsageHistory::consumed);
  }

  /** W-3: the full requests, even if fewer pods were admitted. */
  private Map<String, BigDecimal> requests(Job job, String queue) {
    boolean ignoresUndeclared =
        specs.settings().quotaCheckStrategy() == QuotaCheckStrategy.IGNORE_UNDECLARED;
    Map<String, Long> requests = new TreeMap<>();
    for (PodSetRequests podSet : job.requests()) {
      podSet.amounts().forEach((resource, amount) -> {
        if (!ignoresUndeclared || specs.groupOf(queue, resource).isPresent()) {
          requests.merge(resource, amount, Amount::add);
        }
      });
    }
    Map<String, BigDecimal> amounts = new TreeMap<>();
    requests.forEach((resource, amount) -> amounts.put(resource, inBaseUnits(resource, amount)));
    return amounts;
  }

  /**
   * W-6: the usage of the workloads of a LocalQueue in its ClusterQueue, summed over flavors; of
   * the admitted ones only, unless reservations count.
   */
  private Map<String, BigDecimal> inUse(String key, Collection<Job> jobs) {
    Map<String, BigDecimal> amounts = new TreeMap<>();
    for (Job job : jobs) {
      boolean isOfKey = Specs.localQueueKey(job.workload()).equals(key);
      job.holder()
          .filter(holder -> isOfKey && isOf(holder, key))
          .filter(holder -> job.isAdmitted() || countReservations(holder.queue()))
          .ifPresent(holder -> holder
              .usage()
              .forEach((pair, amount) -> amounts.merge(
                  pair.resource(), inBaseUnits(pair.resource(), amount), BigDecimal::add)));
    }
    return amounts;
  }

  private boolean isOf(Holder holder, String key) {
    return specs
        .localQueue(key)
        .filter(queue -> queue.clusterQueue().equals(holder.queue()))
        .isPresent();
  }

  private static BigDecimal inBaseUnits(String resource, long amount) {
    return BigDecimal.valueOf(amount, ResourceNames.isCountedInMilliUnits(resource) ? 3 : 0);
  }
}
