package io.kueue4j.k8s.internal.kueue;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.Ints;
import io.kueue4j.core.model.PreemptionLimits;
import io.kueue4j.core.model.PreemptionLimits.Rate;
import io.kueue4j.core.model.PreemptionLimits.RateScope;
import io.kueue4j.core.model.PreemptionLimits.ReclaimBackoff;
import io.kueue4j.core.model.PreemptionLimits.VictimCost;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Limits of preemption as text: in annotations of a ClusterQueue, and in files and options of
 * programs. Each limit is a list of {@code NAME=VALUE}, separated by commas:
 *
 * <pre>{@code
 * kueue4j.io/min-run-times: InCohortFairSharing=PT1H, InCohortReclamation=PT10M
 * kueue4j.io/preemption-rates: PreemptedWorkload=2/P1D, PreemptingClusterQueue=10/PT1H
 * kueue4j.io/reclaim-backoff: base=PT1M, max=PT1H, reset=PT10M
 * kueue4j.io/victim-cost: restart=PT5M, repeat=PT30M, nvidia.com/gpu=1
 * }</pre>
 *
 * <p>Kueue has no such limits. Its API server keeps annotations that it does not know, and its
 * scheduler ignores them.
 *
 * @since 0.1.0
 */
public final class PreemptionLimitsText {
  /** The annotation with the minimum run times by the reason of a preemption. */
  public static final String MIN_RUN_TIMES = "kueue4j.io/min-run-times";

  /** The annotation with the most preemptions in a window, by scope: {@code SCOPE=LIMIT/WINDOW}. */
  public static final String RATES = "kueue4j.io/preemption-rates";

  /** The annotation with the delays between reclaims: {@code base}, {@code max}, {@code reset}. */
  public static final String RECLAIM_BACKOFF = "kueue4j.io/reclaim-backoff";

  /** The annotation with the cost of victims: {@code restart}, {@code repeat}, and weights. */
  public static final String VICTIM_COST = "kueue4j.io/victim-cost";

  private static final Splitter LIST = Splitter.on(',').trimResults().omitEmptyStrings();
  private static final ImmutableSet<String> DELAYS = ImmutableSet.of("base", "max", "reset");

  private PreemptionLimitsText() {}

  /**
   * {@return the limits that texts set, absent if there is none of the four}
   *
   * @param minRunTimes the name under which the text of the minimum run times may stand
   * @param rates the name of the rates
   * @param reclaimBackoff the name of the reclaim backoff
   * @param victimCost the name of the cost of victims
   * @param text returns the text of a name
   * @param problem receives the names of wrong texts, with what is wrong
   */
  public static Optional<PreemptionLimits> read(
      String minRunTimes,
      String rates,
      String reclaimBackoff,
      String victimCost,
      Function<String, Optional<String>> text,
      BiConsumer<String, String> problem) {
    PreemptionLimits.Builder limits = PreemptionLimits.builder();
    Map<String, BiConsumer<String, PreemptionLimits.Builder>> forms = ImmutableMap.of(
        minRunTimes, PreemptionLimitsText::addMinRunTimes,
        rates, PreemptionLimitsText::addRates,
        reclaimBackoff, PreemptionLimitsText::addReclaimBackoff,
        victimCost, PreemptionLimitsText::addVictimCost);
    boolean given = false;
    for (Map.Entry<String, BiConsumer<String, PreemptionLimits.Builder>> form : forms.entrySet()) {
      String name = form.getKey();
      Optional<String> found = text.apply(name);
      given |= found.isPresent();
      try {
        found.ifPresent(each -> form.getValue().accept(each, limits));
      } catch (IllegalArgumentException e) {
        problem.accept(name, String.valueOf(e.getMessage()));
      }
    }
    return given ? Optional.of(limits.build()) : Optional.empty();
  }

  /** {@return the limits of the annotations of a ClusterQueue, absent if it has none of them} */
  static Optional<PreemptionLimits> read(Fields annotations) {
    annotations.ignoreAll();
    return read(
        MIN_RUN_TIMES,
        RATES,
        RECLAIM_BACKOFF,
        VICTIM_COST,
        annotations::text,
        annotations::problem);
  }

  private static void addMinRunTimes(String text, PreemptionLimits.Builder limits) {
    Map<PreemptionReason, Duration> times = new EnumMap<>(PreemptionReason.class);
    entries(text)
        .forEach((name, value) -> times.put(
            choice(name, PreemptionReason.values(), "InCohortFairSharing=PT1H"),
            duration(value, "0 or more")));
    for (Duration time : times.values()) {
      if (time.isNegative()) {
        throw new IllegalArgumentException("'" + time + "'; expected a duration of 0 or more");
      }
    }
    limits.putAllMinRunTimes(times);
  }

  private static void addRates(String text, PreemptionLimits.Builder limits) {
    String example = "PreemptedWorkload=2/P1D";
    ImmutableList.Builder<Rate> rates = ImmutableList.builder();
    for (String entry : LIST.split(text)) {
      int equals = entry.indexOf('=');
      int slash = entry.indexOf('/', equals);
      Integer limit =
          equals < 0 || slash < 0 ? null : Ints.tryParse(entry.substring(equals + 1, slash));
      if (limit == null) {
        throw new IllegalArgumentException(
            "'" + entry + "'; expected SCOPE=LIMIT/WINDOW as " + example);
      }
      rates.add(new Rate(
          choice(entry.substring(0, equals), RateScope.values(), example),
          limit,
          duration(entry.substring(slash + 1), "more than 0")));
    }
    limits.addAllRates(rates.build());
  }

  private static void addReclaimBackoff(String text, PreemptionLimits.Builder limits) {
    Map<String, String> delays = entries(text);
    if (delays.isEmpty()) {
      return;
    }
    if (!delays.keySet().equals(DELAYS)) {
      throw new IllegalArgumentException(
          "'" + text + "'; expected base, max and reset as base=PT1M, max=PT1H, reset=PT10M");
    }
    List<Duration> durations = DELAYS.stream()
        .map(name -> duration(delays.getOrDefault(name, ""), "0 or more"))
        .toList();
    limits.reclaimBackoff(new ReclaimBackoff(durations.get(0), durations.get(1), durations.get(2)));
  }

  private static void addVictimCost(String text, PreemptionLimits.Builder limits) {
    Map<String, String> entries = entries(text);
    if (entries.isEmpty()) {
      return;
    }
    ImmutableSortedMap.Builder<String, Double> weights = ImmutableSortedMap.naturalOrder();
    Duration restart = Duration.ZERO;
    Duration repeat = Duration.ZERO;
    for (Map.Entry<String, String> entry : entries.entrySet()) {
      Double weight = Doubles.tryParse(entry.getValue());
      if (entry.getKey().equals("restart")) {
        restart = duration(entry.getValue(), "0 or more");
      } else if (entry.getKey().equals("repeat")) {
        repeat = duration(entry.getValue(), "0 or more");
      } else if (weight != null) {
        weights.put(entry.getKey(), weight);
      } else {
        throw new IllegalArgumentException("'" + entry.getValue() + "'; expected the weight of "
            + entry.getKey() + " as a number, as in nvidia.com/gpu=1");
      }
    }
    limits.victimCost(new VictimCost(weights.buildOrThrow(), restart, repeat));
  }

  private static Map<String, String> entries(String text) {
    ImmutableMap.Builder<String, String> entries = ImmutableMap.builder();
    for (String entry : LIST.split(text)) {
      int equals = entry.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("'" + entry + "'; expected NAME=VALUE");
      }
      entries.put(entry.substring(0, equals).trim(), entry.substring(equals + 1).trim());
    }
    return entries.buildOrThrow();
  }

  private static <E extends Enum<E>> E choice(String name, E[] all, String example) {
    return Arrays.stream(all)
        .filter(each -> each.toString().equals(name.trim()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "'" + name + "'; expected one of " + Arrays.toString(all) + " as in " + example));
  }

  private static Duration duration(String text, String range) {
    try {
      return Duration.parse(text.trim());
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'" + text.trim() + "'; expected a duration of " + range + " as PT10M or P1D", e);
    }
  }
}
