package io.kueue4j.core.lifecycle;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.support.TimeMath;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Where the admission checks of a workload stand. Immutable.
 *
 * <p>Rules: L-6, L-7, L-8, L-9, L-10.
 *
 * @param byName the checks, by name
 */
public record CheckList(ImmutableList<AdmissionCheckState> byName) {
  /** No checks. */
  public static final CheckList NONE = new CheckList(ImmutableList.of());

  /** {@return those checks, put in order} */
  public static CheckList of(Collection<AdmissionCheckState> checks) {
    return checks.isEmpty()
        ? NONE
        : new CheckList(
            ImmutableList.sortedCopyOf(Comparator.comparing(AdmissionCheckState::name), checks));
  }

  /** {@return these as far as they are required, and Pending what is missing; rule L-6} */
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

  private static AdmissionCheckState pending(String name, Instant now) {
    return AdmissionCheckState.builder()
        .name(name)
        .state(CheckState.PENDING)
        .lastTransitionTime(now)
        .build();
  }

  /** {@return these with what is told of one of them; the same if it is not among them} */
  public CheckList with(AdmissionCheckState told, Instant now) {
    return new CheckList(byName.stream()
        .map(known -> known.name().equals(told.name())
            ? AdmissionCheckState.builder()
                .from(told)
                .lastTransitionTime(
                    known.state() == told.state() ? known.lastTransitionTime() : now)
                .retryCount(known.retryCount())
                .build()
            : known)
        .collect(toImmutableList()));
  }

  /** {@return these as they are when the workload is told to stop: all Pending; rule L-9} */
  public CheckList reset(Instant now) {
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

  /** {@return whether all are passed} */
  public boolean isReady() {
    return byName.isEmpty() || byName.stream().allMatch(check -> check.state() == CheckState.READY);
  }

  /** {@return the first that is in {@code state}} */
  public Optional<AdmissionCheckState> first(CheckState state) {
    return byName.stream().filter(check -> check.state() == state).findFirst();
  }

  /** {@return the latest time that a check in Retry wants to be waited for; rule L-8} */
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
