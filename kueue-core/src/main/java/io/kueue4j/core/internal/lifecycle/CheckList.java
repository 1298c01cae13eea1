package io.kueue4j.core.internal.lifecycle;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.internal.support.TimeMath;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The states of the admission checks of a workload. Immutable.
 *
 * <p>Rules: L-6, L-7, L-8, L-9, L-10.
 *
 * @param byName the states, ordered by name
 */
public record CheckList(ImmutableList<AdmissionCheckState> byName) {
  /** No checks. */
  public static final CheckList NONE = new CheckList(ImmutableList.of());

  /** {@return a list of these states, sorted by name} */
  public static CheckList of(Collection<AdmissionCheckState> checks) {
    return checks.isEmpty()
        ? NONE
        : new CheckList(
            ImmutableList.sortedCopyOf(Comparator.comparing(AdmissionCheckState::name), checks));
  }

  /**
   * {@return the names of the checks that a ClusterQueue requires of a workload: without an
   * admission those for all flavors, otherwise also those for one of its flavors}
   */
  public static Set<String> required(ClusterQueue queue, @Nullable Admission admission) {
    if (queue.admissionChecks().isEmpty()) {
      return Set.of();
    }
    Set<String> assigned = admission == null ? Set.of() : admission.flavors();
    return queue.admissionChecks().stream()
        .filter(rule -> rule.onFlavors().isEmpty()
            || (admission == null
                ? rule.onFlavors().containsAll(queue.flavors())
                : rule.onFlavors().stream().anyMatch(assigned::contains)))
        .map(AdmissionCheckRule::name)
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }

  /** {@return the states of the required checks, Pending for those that are missing; rule L-6} */
  public CheckList synchronise(Set<String> required, Instant now) {
    if (byName.isEmpty() && required.isEmpty()) {
      return this;
    }
    ImmutableMap<String, AdmissionCheckState> known =
        Maps.uniqueIndex(byName, AdmissionCheckState::name);
    return of(required.stream()
        .map(name -> known.getOrDefault(name, pending(name, now)))
        .collect(toImmutableList()));
  }

  /** {@return the states of the required checks, all of them Ready} */
  public CheckList allReady(Set<String> required, Instant now) {
    CheckList ready = synchronise(required, now);
    for (String check : required) {
      ready = ready.with(AdmissionCheckState.of(check, CheckState.READY), now);
    }
    return ready;
  }

  private static AdmissionCheckState pending(String name, Instant now) {
    return AdmissionCheckState.builder()
        .name(name)
        .state(CheckState.PENDING)
        .lastTransitionTime(now)
        .build();
  }

  /**
   * {@return this list with the reported state of one check; unchanged if the check is not in the
   * list}
   */
  public CheckList with(AdmissionCheckState reported, Instant now) {
    return new CheckList(byName.stream()
        .map(known -> known.name().equals(reported.name())
            ? AdmissionCheckState.builder()
                .from(reported)
                .lastTransitionTime(
                    known.state() == reported.state() ? known.lastTransitionTime() : now)
                .retryCount(known.retryCount())
                .build()
            : known)
        .collect(toImmutableList()));
  }

  /** {@return the list after an eviction: all Pending; rule L-9} */
  public CheckList reset(Instant now) {
    if (byName.isEmpty()) {
      return this;
    }
    return new CheckList(byName.stream()
        .map(check -> check.state() == CheckState.PENDING ? check : reset(check, now))
        .collect(toImmutableList()));
  }

  private static AdmissionCheckState reset(AdmissionCheckState check, Instant now) {
    return AdmissionCheckState.builder()
        .name(check.name())
        .state(CheckState.PENDING)
        .lastTransitionTime(now)
        .message("Reset to Pending after eviction. Previously: " + check.state())
        .requeueAfter(check.requeueAfter())
        .retryCount(check.retryCount() + (check.state() == CheckState.RETRY ? 1 : 0))
        .build();
  }

  /** {@return whether all checks are Ready} */
  public boolean isReady() {
    return byName.isEmpty() || byName.stream().allMatch(check -> check.state() == CheckState.READY);
  }

  /** {@return the first check in {@code state}, empty if there is none} */
  public Optional<AdmissionCheckState> first(CheckState state) {
    return byName.stream().filter(check -> check.state() == state).findFirst();
  }

  /** {@return the latest time until which a check in Retry delays the workload; rule L-8} */
  public Optional<Instant> retryTime() {
    return byName.stream()
        .filter(check -> check.state() == CheckState.RETRY)
        .flatMap(check -> check
            .requeueAfter()
            .map(delay -> TimeMath.saturatedAdd(check.lastTransitionTime(), delay))
            .stream())
        .max(Comparator.naturalOrder());
  }
}
