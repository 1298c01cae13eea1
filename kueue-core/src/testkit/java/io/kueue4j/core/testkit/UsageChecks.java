package io.kueue4j.core.testkit;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.Observation.LocalQueueObservation;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks of usage histories of LocalQueues, for engines with admission fair sharing. */
final class UsageChecks {
  /** After this many half-lives no 64-bit amount is left. */
  private static final int HALF_LIVES = 200;

  /** An upper bound for the error of a sum of few products of doubles. */
  private static final double RELATIVE_ERROR = 1e-12;

  private UsageChecks() {}

  // ----- decay

  static List<String> decays(Moment moment) {
    boolean changesQueues = moment.played().step() instanceof Step.Apply
        || moment.played().step() instanceof Step.Remove
        || moment.played().step() instanceof Step.RestoreUsage;
    if (changesQueues
        || moment.after().settings().admissionFairSharing().isEmpty()
        || moment.after().hasGreatUsage()) {
      return List.of();
    }
    List<String> wrong = new ArrayList<>();
    moment.played().after().localQueues().forEach((key, after) -> {
      LocalQueueObservation before = moment.seenBefore().localQueues().get(key);
      if (before != null && before.consumed().isPresent() && after.consumed().isPresent()) {
        UsageBooks books = new UsageBooks(moment, key, before.consumed().get());
        books.wrong(after.consumed().get()).ifPresent(wrong::add);
      }
    });
    return wrong;
  }

  static List<String> returnsToZero(Trial trial) {
    Session session = trial.replay();
    if (session.ledger().settings().admissionFairSharing().isEmpty()) {
      return List.of();
    }
    for (WorkloadId id : ImmutableList.copyOf(session.ledger().admissions().keySet())) {
      session.play(new Step.Tell(Step.Event.FINISHED, id));
    }
    Duration halfLife =
        session.ledger().settings().admissionFairSharing().get().usageHalfLifeTime();
    Duration interval =
        session.ledger().settings().admissionFairSharing().get().usageSamplingInterval();
    session.play(new Step.PassTime(halfLife.multipliedBy(HALF_LIVES).plus(interval)));
    List<String> wrong = new ArrayList<>();
    session.seen().localQueues().forEach((key, queue) -> {
      boolean remembers =
          queue.consumed().filter(usage -> !usage.resources().isEmpty()).isPresent();
      if (remembers && takesPart(session.ledger(), session.seen(), key)) {
        wrong.add("LocalQueue " + key + " has used nothing for " + HALF_LIVES
            + " half-lives, and still counts " + queue.consumed());
      }
    });
    return wrong;
  }

  /**
   * {@return whether the usage history of a LocalQueue is updated, or is frozen because it is
   * stopped}
   */
  static boolean takesPart(Ledger books, Observation seen, String key) {
    return books
        .localQueue(key)
        .filter(queue -> queue.stopPolicy() == StopPolicy.NONE)
        .map(queue -> seen.clusterQueues().get(queue.clusterQueue()))
        .filter(QueueObservation::active)
        .isPresent();
  }

  // ----- weight and order

  static List<String> fallsWithWeight(Moment moment) {
    List<String> wrong = new ArrayList<>();
    moment
        .played()
        .after()
        .localQueues()
        .forEach((key, queue) -> moment.after().localQueue(key).ifPresent(spec -> {
          double expected = expectedUsage(moment.after(), spec, queue);
          double shown = queue.fairSharingUsage();
          if (!isNear(shown, expected)) {
            wrong.add("LocalQueue " + key + " of weight "
                + spec.fairSharingWeight() + " counts with " + shown + ", expected is "
                + expected + " for " + queue.consumed());
          }
        }));
    return wrong;
  }

  private static boolean isNear(double shown, double expected) {
    return Double.isInfinite(expected)
        ? shown == expected
        : Math.abs(shown - expected) <= expected * RELATIVE_ERROR;
  }

  /** {@return the history divided by the weight: admitted workloads have no penalty} */
  private static double expectedUsage(Ledger books, LocalQueue spec, LocalQueueObservation queue) {
    if (spec.fairSharingWeight() <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    double sum = 0;
    if (queue.consumed().isPresent()) {
      for (Map.Entry<String, BigDecimal> each :
          queue.consumed().get().resources().entrySet()) {
        double weight = books
            .settings()
            .admissionFairSharing()
            .map(sharing -> sharing.resourceWeight(each.getKey()))
            .orElse(1.0);
        sum += weight * each.getValue().doubleValue();
      }
    }
    return sum / spec.fairSharingWeight();
  }

  static List<String> leastUsageIsFirst(Moment moment) {
    Map<WorkloadId, Double> usages = new TreeMap<>();
    for (Workload workload : moment.after().workloads()) {
      LocalQueueObservation queue = moment
          .played()
          .after()
          .localQueues()
          .get(workload.namespace() + "/" + workload.queueName());
      usages.put(workload.id(), queue == null ? 0 : queue.fairSharingUsage());
    }
    List<String> wrong = new ArrayList<>();
    moment.played().after().clusterQueues().forEach((name, queue) -> {
      if (moment.after().isServedByUsage(name)) {
        wrong.addAll(outOfOrder(name, queue.pending(), usages));
        wrong.addAll(outOfOrder(name, queue.inadmissible(), usages));
      }
    });
    return wrong;
  }

  private static List<String> outOfOrder(
      String queue, List<WorkloadId> served, Map<WorkloadId, Double> usages) {
    List<String> wrong = new ArrayList<>();
    for (int i = 1; i < served.size(); i++) {
      double first = usages.getOrDefault(served.get(i - 1), 0.0);
      double second = usages.getOrDefault(served.get(i), 0.0);
      if (first > second) {
        wrong.add(
            "in ClusterQueue " + queue + " " + served.get(i - 1) + " of a LocalQueue of usage "
                + first + " is before " + served.get(i) + " of usage " + second);
      }
    }
    return wrong;
  }
}
