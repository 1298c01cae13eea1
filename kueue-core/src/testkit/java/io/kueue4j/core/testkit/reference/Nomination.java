package io.kueue4j.core.testkit.reference;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.testkit.reference.Assignment.AssignmentMode;
import io.kueue4j.core.testkit.reference.Holder.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An assignment with its victims.
 *
 * <p>Rules: S-5, A-1, A-2, A-3, A-4, A-5, A-6, A-7, P-18, P-21, T-72, E-6.
 *
 * @param assignment the assignment
 * @param victims the victims, empty unless its mode is preempt
 * @param old the elastic slice that it replaces; empty if the nomination failed
 */
record Nomination(Assignment assignment, ImmutableList<Victim> victims, Optional<OldSlice> old) {

  /** S-5. */
  static Nomination of(Specs specs, Snapshot snapshot, Attempt attempt) {
    List<PodSetRequests> requests = attempt.job().requests();
    Nomination full = of(specs, snapshot, attempt, requests);
    if (full.isSuccess() || !specs.isEnabled(FeatureGate.PARTIAL_ADMISSION)) {
      return full;
    }
    return reduced(specs, snapshot, attempt, requests).orElse(full);
  }

  private static Nomination of(
      Specs specs, Snapshot snapshot, Attempt attempt, List<PodSetRequests> requests) {
    PodPlaces places = new PodPlaces(specs, attempt);
    Assignment assignment =
        places.place(FlavorWalk.assign(specs, snapshot, attempt, requests), snapshot.nodes);
    if (assignment.mode() != AssignmentMode.PREEMPT) {
      boolean fits = assignment.mode() == AssignmentMode.FIT;
      return new Nomination(
          assignment, ImmutableList.of(), fits ? attempt.old() : Optional.empty());
    }
    Demand demand = Demand.of(
        specs, assignment, attempt.spared(), trial -> places.exist(assignment, trial.nodes));
    ImmutableList<Victim> victims =
        VictimSearch.find(specs, snapshot, attempt.job(), attempt.queue(), demand);
    if (victims.isEmpty()) {
      return new Nomination(assignment, victims, Optional.empty());
    }
    List<Holder> leaving = new ArrayList<>();
    if (!specs.settings().strictTopology()) {
      // T-88: strictly, pods that stay keep the room that they are charged with.
      attempt.old().ifPresent(old -> leaving.add(old.holder()));
    }
    victims.forEach(victim -> leaving.add(victim.holder()));
    Snapshot without = snapshot.without(leaving);
    return new Nomination(places.found(assignment, without.nodes), victims, attempt.old());
  }

  /** */
  private boolean isSuccess() {
    return assignment.mode() == AssignmentMode.FIT || !victims.isEmpty();
  }

  /**
   * the probing order is part of the rule, since more pods may fail where fewer
   * succeed.
   */
  private static Optional<Nomination> reduced(
      Specs specs, Snapshot snapshot, Attempt attempt, List<PodSetRequests> requests) {
    long total = requests.stream().mapToLong(Nomination::mayDrop).sum();
    if (total == 0) {
      return Optional.empty();
    }
    long low = 0;
    long high = total + 1;
    long lastSuccess = -1;
    Optional<Nomination> found = Optional.empty();
    while (low < high) {
      long middle = (low + high) / 2;
      Nomination trial = of(specs, snapshot, attempt, reduced(requests, middle, total));
      if (trial.isSuccess()) {
        lastSuccess = middle;
        found = Optional.of(trial);
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return lastSuccess == low ? found : Optional.empty();
  }

  private static long mayDrop(PodSetRequests requests) {
    long count = requests.podSet().count();
    return requests.podSet().minCount().isPresent()
        ? count - requests.podSet().minCount().getAsInt()
        : 0;
  }

  /** */
  private static List<PodSetRequests> reduced(
      List<PodSetRequests> requests, long index, long total) {
    return requests.stream()
        .map(each -> each.scaledTo((int) (each.podSet().count() - mayDrop(each) * index / total)))
        .collect(toImmutableList());
  }
}
