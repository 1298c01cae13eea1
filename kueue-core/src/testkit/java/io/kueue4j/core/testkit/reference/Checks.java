package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The states of the admission checks of a workload.
 *
 * <p>Rules: L-6, L-7, L-8, L-9.
 */
final class Checks {
  /** One check, with its state and the time of its last change. */
  private record Check(CheckState state, Instant since, Optional<Duration> requeueAfter) {}

  private final Map<String, Check> byName = new TreeMap<>();

  void copy(Checks other) {
    byName.clear();
    byName.putAll(other.byName);
  }

  /** L-6. */
  void follow(Set<String> required, Instant now) {
    byName.keySet().retainAll(required);
    required.forEach(
        name -> byName.putIfAbsent(name, new Check(CheckState.PENDING, now, Optional.empty())));
  }

  /** Takes a report; one on a check that is not required is ignored. */
  void report(AdmissionCheckState reported, Instant now) {
    byName.computeIfPresent(
        reported.name(),
        (name, known) -> new Check(
            reported.state(),
            reported.state() == known.state() ? known.since() : now,
            reported.requeueAfter()));
  }

  /** L-9. */
  void reset(Instant now) {
    byName.replaceAll((name, known) -> known.state() == CheckState.PENDING
        ? known
        : new Check(CheckState.PENDING, now, known.requeueAfter()));
  }

  void pass(Instant now) {
    byName.replaceAll((name, known) -> new Check(CheckState.READY, now, Optional.empty()));
  }

  boolean arePassed() {
    return byName.values().stream().allMatch(check -> check.state() == CheckState.READY);
  }

  boolean has(CheckState state) {
    return byName.values().stream().anyMatch(check -> check.state() == state);
  }

  /**
   * L-8.
   *
   * @return until when the checks in Retry delay the workload, if they do
   */
  Optional<Instant> retryTime() {
    return byName.values().stream()
        .filter(check -> check.state() == CheckState.RETRY)
        .flatMap(check -> check.requeueAfter().map(check.since()::plus).stream())
        .max(Comparator.naturalOrder());
  }
}
