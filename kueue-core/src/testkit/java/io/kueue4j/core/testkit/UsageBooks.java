package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings.QuotaCheckStrategy;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionFairSharing;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.ResourceNames;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The expected usage history of a LocalQueue after a step, computed from the one before: in closed
 * form, in doubles, without intermediate rounding.
 *
 * <p>Rules: W-2, W-3, W-5, W-6, W-7.
 */
final class UsageBooks {
  /** The maximum rounding error of each of the two products in a step of a decay. */
  private static final double CUT = 1e-9;

  /** The number of samples from which they are not taken one by one. */
  private static final long MAX_SAMPLES = 1000;

  private final Moment moment;
  private final String key;
  private final ConsumedUsage before;
  private final AdmissionFairSharing settings;

  UsageBooks(Moment moment, String key, ConsumedUsage before) {
    this.moment = moment;
    this.key = key;
    this.before = before;
    this.settings = moment.after().settings().admissionFairSharing().orElseThrow();
  }

  /** {@return the difference from the given history, if any} */
  Optional<String> wrong(ConsumedUsage shown) {
    Map<String, Double> expected = doubles(before.resources());
    Instant lastUpdate = before.lastUpdate();
    long samples = samples();
    if (samples > 0) {
      lastUpdate = lastUpdate.plus(settings.usageSamplingInterval().multipliedBy(samples));
      expected = settings.usageHalfLifeTime().isZero()
          ? Map.of()
          : decayed(expected, Duration.between(before.lastUpdate(), lastUpdate));
    }
    for (Workload workload : penalized()) {
      Instant now = Collections.max(List.of(lastUpdate, moment.after().now()));
      expected = decayed(expected, Duration.between(lastUpdate, now));
      double rate = rate(settings.usageSamplingInterval());
      expected = sum(expected, requests(workload), rate);
      lastUpdate = now;
    }
    long steps = Math.min(samples, MAX_SAMPLES) + 2;
    return lastUpdate.equals(shown.lastUpdate()) && isNear(expected, shown, steps)
        ? Optional.empty()
        : Optional.of("LocalQueue " + key + " had used " + before + " and has used " + shown
            + " now, in closed form it is " + expected + " at " + lastUpdate);
  }

  /** {@return the number of sampling times in this step (W-7)} */
  private long samples() {
    boolean takesPart = UsageChecks.takesPart(moment.before(), moment.seenBefore(), key);
    return takesPart && moment.played().step() instanceof Step.PassTime
        ? Math.max(
            0,
            Duration.between(before.lastUpdate(), moment.after().now())
                .dividedBy(settings.usageSamplingInterval()))
        : 0;
  }

  /**
   * {@return the workloads of the LocalQueue that were admitted in this step and cause penalties
   * (W-3)}
   */
  private List<Workload> penalized() {
    List<Workload> penalized = new ArrayList<>();
    for (Admission admission : moment.admitted()) {
      moment
          .after()
          .workload(admission.workload())
          .filter(
              workload -> isOf(workload) && moment.after().goesByUsage(admission.clusterQueue()))
          .ifPresent(penalized::add);
    }
    return penalized;
  }

  private boolean isOf(Workload workload) {
    return (workload.namespace() + "/" + workload.queueName()).equals(key);
  }

  /** {@return the requests of a workload, in base units (W-3)} */
  private Map<String, Double> requests(Workload workload) {
    boolean ignoresOthers =
        moment.after().settings().quotaCheckStrategy() == QuotaCheckStrategy.IGNORE_UNDECLARED;
    Set<String> covered = new TreeSet<>();
    moment
        .after()
        .queueOf(workload)
        .ifPresent(queue ->
            queue.resourceGroups().forEach(group -> covered.addAll(group.coveredResources())));
    Map<String, Double> requests = new TreeMap<>();
    VictimChecks.demand(moment.after(), workload).forEach((resource, amount) -> {
      if (!ignoresOthers || covered.contains(resource)) {
        requests.put(resource, inBaseUnits(resource, amount));
      }
    });
    return requests;
  }

  /** {@return the current usage of the LocalQueue, summed over flavors (W-6)} */
  private Map<String, Double> inUse() {
    Map<String, Double> amounts = new TreeMap<>();
    Optional<String> queue = moment.after().localQueue(key).map(LocalQueue::clusterQueue);
    moment.after().admissions().forEach((id, admission) -> {
      boolean counts = queue.equals(Optional.of(admission.clusterQueue()))
          && moment.after().workload(id).filter(this::isOf).isPresent();
      if (counts) {
        moment
            .after()
            .charge(id)
            .forEach((pair, amount) ->
                amounts.merge(pair.resource(), inBaseUnits(pair.resource(), amount), Double::sum));
      }
    });
    return amounts;
  }

  /** W-6, for any number of intervals at once. */
  private Map<String, Double> decayed(Map<String, Double> old, Duration time) {
    Map<String, Double> decayed = new TreeMap<>();
    old.forEach((resource, amount) -> decayed.put(resource, amount * (1 - rate(time))));
    return sum(decayed, inUse(), rate(time));
  }

  /** W-2. */
  private double rate(Duration time) {
    double halfLife = seconds(settings.usageHalfLifeTime());
    return halfLife == 0 ? 0 : 1 - StrictMath.pow(0.5, seconds(time) / halfLife);
  }

  private static double seconds(Duration time) {
    return time.getSeconds() + time.getNano() / 1e9;
  }

  private static Map<String, Double> sum(
      Map<String, Double> one, Map<String, Double> other, double factor) {
    Map<String, Double> sum = new TreeMap<>(one);
    other.forEach((resource, amount) -> sum.merge(resource, amount * factor, Double::sum));
    return sum;
  }

  private boolean isNear(Map<String, Double> expected, ConsumedUsage shown, long steps) {
    Map<String, Double> amounts = doubles(shown.resources());
    Set<String> resources = new TreeSet<>(expected.keySet());
    resources.addAll(amounts.keySet());
    return resources.stream().allMatch(resource -> {
      double wanted = expected.getOrDefault(resource, 0.0);
      BigDecimal earlier = before.resources().getOrDefault(resource, BigDecimal.ZERO);
      double error = steps * (2 * CUT + 8 * Math.ulp(Math.max(wanted, earlier.doubleValue())));
      return Math.abs(amounts.getOrDefault(resource, 0.0) - wanted) <= error;
    });
  }

  private static Map<String, Double> doubles(Map<String, BigDecimal> amounts) {
    Map<String, Double> doubles = new TreeMap<>();
    amounts.forEach((resource, amount) -> doubles.put(resource, amount.doubleValue()));
    return doubles;
  }

  private static double inBaseUnits(String resource, BigInteger amount) {
    return amount.doubleValue() / (ResourceNames.isCountedInMilliUnits(resource) ? 1000 : 1);
  }
}
