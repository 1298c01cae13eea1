package io.kueue4j.examples.story;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.examples.simulation.Event;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a step, in the form of {@code expect}: about the jobs and quotas that were named
 * there; about all jobs, and what was evicted, if nothing was.
 */
final class Happened {
  private final StoryStep step;
  private final Moment now;
  private final Watches watches;
  private final Map<String, Object> map = new LinkedHashMap<>();

  Happened(StoryStep step, Moment now, Watches watches) {
    this.step = step;
    this.now = now;
    this.watches = watches;
  }

  Map<String, Object> toMap() {
    addJobs();
    boolean isAnyEvicted = step.expectations().isEmpty() && !now.evicted().isEmpty();
    addPreemptions(isAnyEvicted);
    if (isAnyEvicted || hasAny(Expectation.Evicted.class)) {
      map.put("evicted", now.evicted().stream().map(now::name).toList());
    }
    step.expectations().forEach(this::addOther);
    return map;
  }

  private void addPreemptions(boolean all) {
    Map<String, List<String>> victims = new TreeMap<>();
    for (Expectation expectation : step.expectations()) {
      if (expectation instanceof Expectation.Preempts preempts) {
        victims.put(preempts.name(), new ArrayList<>());
      }
    }
    for (Event event : now.preemptions()) {
      String preemptor = now.preemptor(event);
      if (all || victims.containsKey(preemptor)) {
        victims.computeIfAbsent(preemptor, unused -> new ArrayList<>()).add(now.name(event.job()));
      }
    }
    if (!victims.isEmpty()) {
      map.put("preempts", victims);
    }
  }

  private boolean hasAny(Class<? extends Expectation> kind) {
    return step.expectations().stream().anyMatch(kind::isInstance);
  }

  private void addJobs() {
    ImmutableSet<String> named = step.expectations().stream()
        .filter(each -> each instanceof Expectation.HasStatus || each instanceof Expectation.RunsOn)
        .flatMap(each -> each.job().stream())
        .collect(toImmutableSet());
    for (JobStatus status : ExpectationReader.STATUSES) {
      Map<String, @Nullable Object> jobs = new LinkedHashMap<>();
      for (JobReport job : now.phase().jobs()) {
        boolean isNamed =
            step.expectations().isEmpty() || named.stream().anyMatch(job.job()::isCalled);
        if (isNamed && job.status() == status) {
          jobs.put(now.name(job.job()), detail(job));
        }
      }
      if (!jobs.isEmpty()) {
        map.put(
            ExpectationReader.key(status),
            status == JobStatus.FINISHED ? List.copyOf(jobs.keySet()) : jobs);
      }
    }
  }

  private static @Nullable Object detail(JobReport job) {
    return switch (job.status()) {
      case ADMITTED -> flavors(job.podSets());
      case PENDING ->
        job.explanation()
            .flatMap(explanation -> explanation.reasons().stream().findFirst())
            .map(reason -> reason.code().name())
            .orElse(null);
      case REJECTED, FINISHED -> null;
    };
  }

  /** {@return the flavor, the flavors by resource, or these by pod set; null if there are none} */
  static @Nullable Object flavors(List<PodSetAssignment> assignments) {
    Map<String, Map<String, String>> byPodSet = new LinkedHashMap<>();
    assignments.forEach(each -> byPodSet.put(each.name(), each.flavors()));
    Map<String, String> byResource = new TreeMap<>();
    byPodSet.values().forEach(byResource::putAll);
    boolean isByPodSet = assignments.stream()
        .flatMap(each -> each.flavors().entrySet().stream())
        .anyMatch(entry -> !entry.getValue().equals(byResource.get(entry.getKey())));
    if (isByPodSet) {
      return byPodSet;
    }
    return ImmutableSet.copyOf(byResource.values()).size() > 1
        ? byResource
        : Iterables.getFirst(byResource.values(), null);
  }

  private void addOther(Expectation expectation) {
    if (expectation instanceof Expectation.Uses usage) {
      Moment.used(now.view(), usage.place())
          .ifPresent(used -> addAmount("usage", usage.place(), used));
    } else if (expectation instanceof Expectation.NeverAbove bound) {
      if (Moment.used(now.view(), bound.place()).isPresent()) {
        addAmount("neverAbove", bound.place(), Math.max(bound.amount(), watches.peak(bound)));
      }
    } else if (expectation instanceof Expectation.StartsWithin deadline) {
      watches
          .taken(deadline)
          .ifPresent(time -> child(map, "startsWithin")
              .put(
                  deadline.name(),
                  (time.compareTo(deadline.limit()) > 0 ? time : deadline.limit()).toString()));
    } else if (expectation instanceof Expectation.StableWithin stable) {
      map.put("stableWithin", Math.max(stable.cycles(), now.cycles()));
    }
  }

  private void addAmount(String key, QuotaPlace place, long amount) {
    child(child(child(map, key), place.owner()), place.flavor())
        .put(place.resource(), place.format(amount));
  }

  @SuppressWarnings("unchecked") // only this class adds mappings
  private static Map<String, Object> child(Map<String, Object> parent, String key) {
    return (Map<String, Object>) parent.computeIfAbsent(key, unused -> new LinkedHashMap<>());
  }
}
