package io.kueue4j.k8s.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes {@code topologyAssignment} as a list of domains (v1beta1) or in slices (v1beta2).
 *
 * <p>A slice is a run of domains that writes once what they have in common: a value shared by all,
 * a common prefix and suffix of values if that is shorter, and a count shared by all. Several ways
 * to split the list into slices are tried, all of which keep its order, and the one with the
 * shortest JSON is used: no split; a split at each change of the values of coarser levels; a split
 * at each change of the last value up to its first, second, … hyphen, since hyphens structure host
 * names.
 *
 * <p>Rules: T-51, T-52.
 */
final class TopologyAssignmentWriter {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The maximum number of slices that the API accepts. */
  private static final int MAX_SLICES = 1_000;

  private static final int MAX_DOMAINS_PER_SLICE = 100_000;

  /** Hyphens after this many are not used to split. */
  private static final int MAX_HYPHENS = 8;

  private TopologyAssignmentWriter() {}

  static ImmutableMap<String, Object> writeDomains(TopologyAssignment assignment) {
    return ImmutableMap.of(
        "levels",
        assignment.levels(),
        "domains",
        assignment.domains().stream()
            .map(domain ->
                ImmutableMap.<String, Object>of("values", domain.values(), "count", domain.count()))
            .collect(ImmutableList.toImmutableList()));
  }

  static ImmutableMap<String, Object> writeSlices(TopologyAssignment assignment) {
    List<Domain> domains = assignment.domains();
    int levelCount = assignment.levels().size();
    ImmutableMap<String, Object> shortest =
        write(assignment, Lists.partition(domains, MAX_DOMAINS_PER_SLICE));
    Set<List<Integer>> tried = new HashSet<>();
    for (Function<Domain, Object> key : cuts(levelCount)) {
      List<List<Domain>> runs = runs(domains, key);
      if (runs.size() > 1
          && runs.size() <= MAX_SLICES
          && tried.add(Lists.transform(runs, List::size))) {
        ImmutableMap<String, Object> written = write(assignment, runs);
        if (length(written) < length(shortest)) {
          shortest = written;
        }
      }
    }
    return shortest;
  }

  /** {@return for each way of splitting, a function whose value changes at each new slice} */
  private static ImmutableList<Function<Domain, Object>> cuts(int levelCount) {
    ImmutableList.Builder<Function<Domain, Object>> cuts = ImmutableList.builder();
    for (int i = 1; i < levelCount; i++) {
      int coarser = i;
      cuts.add(domain -> domain.values().subList(0, coarser));
    }
    for (int i = 1; i <= MAX_HYPHENS && levelCount > 0; i++) {
      int hyphens = i;
      cuts.add(domain -> domain.values().subList(0, levelCount - 1)
          + beginning(domain.values().get(levelCount - 1), hyphens));
    }
    return cuts.build();
  }

  /**
   * {@return the prefix of {@code name} up to its n-th hyphen, or up to its last if it has fewer}
   */
  private static String beginning(String name, int hyphens) {
    int end = 0;
    for (int i = 0; i < hyphens; i++) {
      int next = name.indexOf('-', end);
      if (next < 0) {
        break;
      }
      end = next + 1;
    }
    return name.substring(0, end);
  }

  private static List<List<Domain>> runs(List<Domain> domains, Function<Domain, Object> key) {
    List<List<Domain>> runs = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= domains.size(); i++) {
      if (i == domains.size()
          || i - start == MAX_DOMAINS_PER_SLICE
          || !key.apply(domains.get(i)).equals(key.apply(domains.get(start)))) {
        runs.add(domains.subList(start, i));
        start = i;
      }
    }
    return runs;
  }

  private static ImmutableMap<String, Object> write(
      TopologyAssignment assignment, List<List<Domain>> runs) {
    return ImmutableMap.of(
        "levels",
        assignment.levels(),
        "slices",
        runs.stream()
            .map(run -> slice(assignment.levels().size(), run))
            .collect(ImmutableList.toImmutableList()));
  }

  private static ImmutableMap<String, Object> slice(int levelCount, List<Domain> domains) {
    ImmutableList.Builder<Object> valuesPerLevel = ImmutableList.builder();
    for (int i = 0; i < levelCount; i++) {
      int level = i;
      valuesPerLevel.add(values(ImmutableList.copyOf(
          Lists.transform(domains, domain -> domain.values().get(level)))));
    }
    return ImmutableMap.of(
        "domainCount",
        domains.size(),
        "valuesPerLevel",
        valuesPerLevel.build(),
        "podCounts",
        counts(ImmutableList.copyOf(Lists.transform(domains, Domain::count))));
  }

  private static ImmutableMap<String, Object> values(ImmutableList<String> values) {
    String first = values.get(0);
    if (values.stream().allMatch(first::equals)) {
      return ImmutableMap.of("universal", first);
    }
    String prefix = ifShorter(values.stream().reduce(first, Strings::commonPrefix), values.size());
    // The suffix must not overlap the prefix.
    List<String> rest =
        values.stream().map(value -> value.substring(prefix.length())).toList();
    String suffix =
        ifShorter(rest.stream().reduce(rest.get(0), Strings::commonSuffix), values.size());
    ImmutableMap.Builder<String, Object> individual = ImmutableMap.builder();
    if (!prefix.isEmpty()) {
      individual.put("prefix", prefix);
    }
    if (!suffix.isEmpty()) {
      individual.put("suffix", suffix);
    }
    individual.put(
        "roots",
        rest.stream()
            .map(value -> value.substring(0, value.length() - suffix.length()))
            .collect(ImmutableList.toImmutableList()));
    return ImmutableMap.of("individual", individual.buildOrThrow());
  }

  /**
   * {@return {@code shared} if a field of its own is shorter than writing the value {@code times}
   * times}
   */
  private static String ifShorter(String shared, int times) {
    int length = "\"prefix\":\"\",".length() + shared.length();
    return length < shared.length() * times ? shared : "";
  }

  private static ImmutableMap<String, Object> counts(ImmutableList<Integer> counts) {
    Integer first = counts.get(0);
    return counts.stream().allMatch(count -> Objects.equals(count, first))
        ? ImmutableMap.of("universal", first)
        : ImmutableMap.of("individual", counts);
  }

  private static int length(ImmutableMap<String, Object> written) {
    try {
      return MAPPER.writeValueAsBytes(written).length;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain values are always written: " + written, e);
    }
  }
}
