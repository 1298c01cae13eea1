package io.kueue4j.core.internal.flavor;

import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.model.PendingCause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flavors nominated for a workload, and how well they fit.
 *
 * <p>Rules: F-27, F-28, F-29, L-26, E-5, T-70.
 */
public final class Assignment {
  private final AssignmentMode mode;
  private final List<PodSetFlavors> podSets;
  private final FlavorResource[] pairs;
  private final long[] amounts;
  private final int borrowLevel;
  private final ReasonLog reasons;
  private final PendingCause cause;
  private final @Nullable Places places;
  private final @Nullable ReplacedSlice replaced;

  Assignment(
      AssignmentMode mode,
      List<PodSetFlavors> podSets,
      FlavorResource[] pairs,
      long[] amounts,
      int borrowLevel,
      ReasonLog reasons,
      PendingCause cause,
      @Nullable ReplacedSlice replaced) {
    this(mode, podSets, pairs, amounts, borrowLevel, reasons, cause, null, replaced);
  }

  private Assignment(
      AssignmentMode mode,
      List<PodSetFlavors> podSets,
      FlavorResource[] pairs,
      long[] amounts,
      int borrowLevel,
      ReasonLog reasons,
      PendingCause cause,
      @Nullable Places places,
      @Nullable ReplacedSlice replaced) {
    this.mode = mode;
    this.podSets = podSets;
    this.pairs = pairs;
    this.amounts = amounts;
    this.borrowLevel = borrowLevel;
    this.reasons = reasons;
    this.cause = cause;
    this.places = places;
    this.replaced = replaced;
  }

  /** {@return this assignment with places for the pods} */
  public Assignment withPlaces(Places found) {
    return new Assignment(
        mode, podSets, pairs, amounts, borrowLevel, reasons, cause, found, replaced);
  }

  /**
   * {@return this assignment in mode {@link AssignmentMode#PREEMPT}, where preemption may be needed
   * in every flavor of the placed pods, with the places that would result}
   */
  public Assignment preemptingForPlaces(Places found) {
    List<PodSetFlavors> preempting = podSets.stream()
        .map(podSet -> found.concerns(podSet.podSet()) ? podSet.preempting() : podSet)
        .toList();
    return new Assignment(
        AssignmentMode.PREEMPT,
        preempting,
        pairs,
        amounts,
        borrowLevel,
        reasons,
        cause,
        found,
        replaced);
  }

  /** {@return this assignment in mode {@link AssignmentMode#NO_FIT}, because pods have no place} */
  public Assignment withoutPlaces() {
    return new Assignment(
        AssignmentMode.NO_FIT,
        podSets,
        pairs,
        amounts,
        borrowLevel,
        reasons,
        PendingCause.TOPOLOGY_PLACEMENT_FAILED,
        null,
        replaced);
  }

  /** {@return where the pods are placed, null if placement does not matter} */
  public @Nullable Places places() {
    return places;
  }

  /** {@return the elastic slice that the workload replaces, null if there is none} */
  public @Nullable ReplacedSlice replaced() {
    return replaced;
  }

  /** {@return the mode} */
  public AssignmentMode mode() {
    return mode;
  }

  /**
   * {@return the pod sets with a choice, by group; those after a pod set without flavor are
   * missing}
   */
  public List<PodSetFlavors> podSets() {
    return podSets;
  }

  /** {@return the number of pairs used} */
  public int size() {
    return pairs.length;
  }

  /** {@return the {@code i}-th pair used} */
  public FlavorResource pair(int i) {
    return pairs[i];
  }

  /**
   * {@return the amount of the {@code i}-th pair, may be 0; for a workload that replaces another
   * the difference, may be negative}
   */
  public long amount(int i) {
    return amounts[i];
  }

  /** {@return the pairs used; must not be changed} */
  public FlavorResource[] pairs() {
    return pairs;
  }

  /** {@return the amount of each pair; must not be changed} */
  public long[] amounts() {
    return amounts;
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

  /** {@return the borrow level, 0 for no borrowing} */
  public int borrowLevel() {
    return borrowLevel;
  }

  /** {@return why flavors did not fit} */
  public ReasonLog reasons() {
    return reasons;
  }

  /** {@return the general reason why it does not fit} */
  public PendingCause cause() {
    return cause;
  }
}
