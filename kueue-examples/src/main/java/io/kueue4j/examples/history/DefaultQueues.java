package io.kueue4j.examples.history;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.examples.history.HistoryJob.Labels;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * ClusterQueues for a history that comes without a configuration: one for each partition, with the
 * quota that its jobs used at most; or one for each queue, which share the whole machine; or one.
 */
final class DefaultQueues {
  private static final String FLAVOR = "default";
  private static final String COHORT = "cluster";
  private static final CharMatcher ALLOWED =
      CharMatcher.inRange('a', 'z').or(CharMatcher.inRange('0', '9'));

  private final History history;
  private final ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
  private final Map<String, String> names = new LinkedHashMap<>();
  private final Function<Labels, String> key;

  private DefaultQueues(History history, Function<Labels, String> key) {
    this.history = history;
    this.key = key;
  }

  /**
   * The queues.
   *
   * @param objects the configuration
   * @param names the names of the ClusterQueues, by what {@code key} says of a job
   * @param key what decides on the ClusterQueue of a job
   */
  record Result(
      List<ConfigObject> objects,
      ImmutableMap<String, String> names,
      Function<Labels, String> key) {
    /** {@return the ClusterQueue of a job} */
    Optional<String> clusterQueue(Labels job) {
      return Optional.ofNullable(names.get(key.apply(job)));
    }
  }

  /** {@return the queues of a history, of which the mapping names some} */
  static Result of(History history, QueueMapping mapping) {
    if (!mapping.rules().isEmpty()) {
      Map<Labels, String> known = new HashMap<>();
      Function<Labels, String> mapped =
          job -> mapping.rule(job).flatMap(QueueMapping.Rule::clusterQueue).orElse("");
      return new DefaultQueues(history, job -> known.computeIfAbsent(job, mapped))
          .shared(ImmutableMap.of());
    }
    if (count(history, Labels::partition) > 1) {
      return new DefaultQueues(history, Labels::partition).partitions();
    }
    if (count(history, Labels::queue) > 1) {
      return new DefaultQueues(history, Labels::queue).shared(history.machine().queues());
    }
    return new DefaultQueues(history, job -> "").single();
  }

  private static long count(History history, Function<Labels, String> key) {
    return history.jobs().stream()
        .map(job -> key.apply(job.labels()))
        .distinct()
        .limit(2)
        .count();
  }

  private Result single() {
    objects.add(queue("", COHORT, machine(), Optional.empty()));
    return result();
  }

  private Result shared(ImmutableMap<String, String> given) {
    ImmutableSortedSet<String> resources = PeakUsage.resources(history.jobs());
    objects.add(
        Cohort.builder().name(COHORT).addResourceGroups(quotas(machine())).build());
    Map<String, Long> none = new TreeMap<>();
    resources.forEach(resource -> none.put(resource, 0L));
    history.jobs().stream()
        .map(job -> key.apply(job.labels()))
        .distinct()
        .sorted()
        .forEach(value ->
            objects.add(queue(value, name(value, "queue", given), none, Optional.of(COHORT))));
    return result();
  }

  private Result partitions() {
    PeakUsage.by(history.jobs(), key)
        .forEach((value, peak) -> objects.add(queue(
            value,
            name(value, "partition", history.machine().partitions()),
            peak,
            Optional.empty())));
    return result();
  }

  /** {@return the size of the machine: as the history says, or what its jobs used at most} */
  private Map<String, Long> machine() {
    Map<String, Long> peak = PeakUsage.by(history.jobs(), job -> "").getOrDefault("", Map.of());
    if (history.machine().processors().isPresent() && peak.size() == 1) {
      String resource = peak.keySet().iterator().next();
      long unit = Quantity.quota(resource, "1");
      return Map.of(resource, history.machine().processors().getAsLong() * unit);
    }
    return peak;
  }

  private Result result() {
    return new Result(
        ImmutableList.<ConfigObject>builder()
            .add(ResourceFlavor.of(FLAVOR))
            .addAll(objects.build())
            .build(),
        ImmutableMap.copyOf(names),
        key);
  }

  private ClusterQueue queue(
      String value, String name, Map<String, Long> quotas, Optional<String> cohort) {
    names.put(value, name);
    return ClusterQueue.builder()
        .name(name)
        .cohort(cohort)
        .namespaceSelector(LabelSelector.everything())
        .addResourceGroups(quotas(quotas))
        .build();
  }

  /** {@return quotas; jobs that request nothing need a flavor too, so there is always one} */
  private static ResourceGroup quotas(Map<String, Long> quotas) {
    Map<String, Long> some = quotas.isEmpty() ? Map.of(ResourceNames.CPU, 0L) : quotas;
    return ResourceGroup.of(FlavorQuotas.of(
        FLAVOR,
        some.entrySet().stream()
            .map(quota -> ResourceQuota.ofAmount(quota.getKey(), quota.getValue()))
            .toArray(ResourceQuota[]::new)));
  }

  /** {@return a name of Kubernetes for a queue, which no other queue has} */
  private String name(String value, String kind, ImmutableMap<String, String> given) {
    String text = given.getOrDefault(value, value);
    String plain = ALLOWED.negate().trimAndCollapseFrom(Ascii.toLowerCase(text), '-');
    boolean number = CharMatcher.inRange('0', '9').matchesAllOf(plain);
    String name = plain.isEmpty() ? "no-" + kind : number ? kind + "-" + plain : plain;
    return IntStream.iterate(1, i -> i + 1)
        .mapToObj(i -> i == 1 ? name : name + "-" + i)
        .map(candidate ->
            candidate.substring(0, Math.min(candidate.length(), DnsNames.MAX_SUBDOMAIN)))
        .filter(candidate -> !names.containsValue(candidate))
        .findFirst()
        .orElseThrow();
  }
}
