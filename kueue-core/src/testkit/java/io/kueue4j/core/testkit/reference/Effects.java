package io.kueue4j.core.testkit.reference;

import io.kueue4j.core.model.Admission;
import io.kueue4j.core.testkit.ObservedPreemption;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts decisions into effect.
 *
 * <p>Rules: U-18, S-20, S-22, L-10.
 */
final class Effects {
  private final State state;
  private final Instant now;

  Effects(State state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /** {@return the admission of an outcome that has one} */
  Admission admission(Outcome outcome) {
    return outcome
        .admitted()
        .orElseThrow()
        .toAdmission(
            outcome.job().id(),
            outcome.queue(),
            now,
            podSet -> PodPlaces.isDelayed(state.specs, outcome.queue(), podSet));
  }

  /**
   * S-22: charged at once; not a requeue event (U-18), but the end of a replaced elastic slice is.
   * The caller ends superseded slices that it does not replace (E-8).
   */
  void admit(Job job, Admission admission, Optional<Job> replaced) {
    replaced.ifPresent(state::forget);
    state.reserve(job, admission);
    new Lives(state, now).reserved(job);
  }

  /**
   * S-20, L-10.
   *
   * @return the workloads that were not evicted before
   */
  List<ObservedPreemption> evict(Outcome outcome) {
    List<ObservedPreemption> evictions = new ArrayList<>();
    for (Victim victim : outcome.victims()) {
      Job job = victim.holder().job();
      if (!job.isEvicted()) {
        job.preempt(victim.reason(), now);
        evictions.add(eviction(outcome, victim));
      }
    }
    return evictions;
  }

  static ObservedPreemption eviction(Outcome outcome, Victim victim) {
    return new ObservedPreemption(victim.holder().job().id(), outcome.job().id(), victim.reason());
  }
}
