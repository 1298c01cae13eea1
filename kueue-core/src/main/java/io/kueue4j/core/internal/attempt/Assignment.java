package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.PendingCause;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The flavors nominated for a workload, and how well they fit.
 *
 * <p>Rules: F-27, F-28, F-29, L-26, E-5, T-70.
 *
 * @param mode the mode
 * @param podSets the pod sets with a choice, by group; those after a pod set without flavor are
 *     missing
 * @param usage the pairs used, with amounts that may be 0; for a workload that replaces another the
 *     differences, which may be negative
 * @param borrowLevel the borrow level, 0 for no borrowing
 * @param reasons why flavors did not fit
 * @param cause the general reason why it does not fit
 * @param places where the pods are placed, null if placement does not matter
 * @param replaced the elastic slice that the workload replaces, null if there is none
 */
public record Assignment(
    AssignmentMode mode,
    List<PodSetFlavors> podSets,
    PairUsage usage,
    int borrowLevel,
    ReasonLog reasons,
    PendingCause cause,
    @Nullable Places places,
    @Nullable ReplacedSlice replaced) {
  /** {@return this assignment with places for the pods} */
  public Assignment withPlaces(Places found) {
    return new Assignment(mode, podSets, usage, borrowLevel, reasons, cause, found, replaced);
  }

  /**
   * {@return this assignment in mode {@link AssignmentMode#PREEMPT}, where preemption may be needed
   * in every flavor of the placed pods, with the places that would result}
   */
  public Assignment preemptingForPlaces(Places found) {
    AssignmentMode preempt = AssignmentMode.PREEMPT;
    List<PodSetFlavors> preempting = podSets.stream()
        .map(podSet -> found.concerns(podSet.podSet()) ? podSet.preempting() : podSet)
        .toList();
    return new Assignment(preempt, preempting, usage, borrowLevel, reasons, cause, found, replaced);
  }

  /** {@return this assignment in mode {@link AssignmentMode#NO_FIT}, because pods have no place} */
  public Assignment withoutPlaces() {
    AssignmentMode noFit = AssignmentMode.NO_FIT;
    PendingCause noPlace = PendingCause.TOPOLOGY_PLACEMENT_FAILED;
    return new Assignment(noFit, podSets, usage, borrowLevel, reasons, noPlace, null, replaced);
  }

  /** {@return the first pod set that uses {@code pair}} */
  public int podSetUsing(FlavorResource pair) {
    for (PodSetFlavors podSet : podSets) {
      if (podSet.uses(pair)) {
        return podSet.podSet();
      }
    }
    throw new IllegalArgumentException("pair " + pair + " is not used");
  }

  /** {@return the pairs that fit only with preemption} */
  public Set<FlavorResource> pairsToPreempt() {
    Set<FlavorResource> pairs = new TreeSet<>();
    for (PodSetFlavors podSet : podSets) {
      for (int i = 0; i < podSet.size(); i++) {
        if (podSet.mode(i) != FlavorFit.FIT) {
          pairs.add(podSet.pair(i));
        }
      }
    }
    return pairs;
  }
}
