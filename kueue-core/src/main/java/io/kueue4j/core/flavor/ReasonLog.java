package io.kueue4j.core.flavor;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.compiled.Catalog;
import io.kueue4j.core.compiled.CompiledWorkload;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.topology.PlacementFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes why flavors did not fit, in numbers; put into words only when somebody asks. */
public final class ReasonLog {
  private static final int NONE = -1;

  private final List<Note> notes;

  private record Note(
      ReasonCode code,
      int podSet,
      int flavor,
      int resource,
      long asked,
      long used,
      long available,
      long limit,
      FlavorTable.@Nullable Entry asItWas,
      @Nullable PlacementFailure misfit) {}

  /** Creates a log without notes. */
  public ReasonLog() {
    this(new ArrayList<>());
  }

  private ReasonLog(List<Note> notes) {
    this.notes = notes;
  }

  /** {@return a log of the same notes that takes less room, and no more of them} */
  public ReasonLog toKeep() {
    return new ReasonLog(List.copyOf(notes));
  }

  /**
   * Notes that a flavor is not for a pod set.
   *
   * @param asItWas the flavor as it was looked at, null if there was none
   */
  void addObstacle(ReasonCode code, int podSet, int flavor, FlavorTable.@Nullable Entry asItWas) {
    notes.add(new Note(code, podSet, flavor, NONE, 0, 0, 0, 0, asItWas, null));
  }

  /** Notes that the queue offers no flavor to a pod set. */
  void addNoFlavors(int podSet) {
    notes.add(new Note(ReasonCode.NO_FLAVORS, podSet, NONE, NONE, 0, 0, 0, 0, null, null));
  }

  /** Notes that no group covers a resource. */
  void addUncovered(int podSet, int resource) {
    notes.add(
        new Note(ReasonCode.RESOURCE_NOT_COVERED, podSet, NONE, resource, 0, 0, 0, 0, null, null));
  }

  /** Notes that an amount did not fit. */
  public void addShortage(
      ReasonCode code,
      int podSet,
      int flavor,
      int resource,
      long asked,
      long used,
      long available,
      long limit) {
    notes.add(new Note(code, podSet, flavor, resource, asked, used, available, limit, null, null));
  }

  /** Notes that pods have no place. */
  public void addMisfit(int podSet, PlacementFailure failure) {
    notes.add(
        new Note(ReasonCode.TOPOLOGY_DOES_NOT_FIT, podSet, NONE, NONE, 0, 0, 0, 0, null, failure));
  }

  /** Notes that others took the nodes that pods were to go to. */
  public void addNodesTaken(int podSet) {
    notes.add(
        new Note(ReasonCode.NODES_TAKEN_IN_CYCLE, podSet, NONE, NONE, 0, 0, 0, 0, null, null));
  }

  int size() {
    return notes.size();
  }

  /** Forgets all but the first {@code size} notes. */
  void truncate(int size) {
    notes.subList(size, notes.size()).clear();
  }

  /** {@return the notes in words} */
  public ImmutableList<Reason> toReasons(CompiledWorkload workload, Catalog catalog) {
    ImmutableList.Builder<Reason> reasons = ImmutableList.builderWithExpectedSize(notes.size());
    for (Note note : notes) {
      PodSet podSet = workload.podSet(note.podSet).source();
      Reason.Builder reason = Reason.builder().code(note.code).podSet(podSet.name());
      if (note.flavor != NONE) {
        reason.flavor(catalog.flavorName(note.flavor));
      }
      if (note.resource != NONE) {
        reason.resource(catalog.resourceName(note.resource));
      }
      switch (note.code) {
        case EXCEEDS_MAXIMUM, INSUFFICIENT_QUOTA, NO_PREEMPTION_CANDIDATES, TAKEN_IN_CYCLE ->
          reason.asked(note.asked).used(note.used).available(note.available).limit(note.limit);
        case RESOURCE_NOT_COVERED ->
          reason.detail("the ClusterQueue has no quota for this resource");
        case TOPOLOGY_DOES_NOT_FIT -> reason.detail(String.valueOf(note.misfit));
        case NODES_TAKEN_IN_CYCLE ->
          reason.detail("the nodes were taken by another workload in the same cycle");
        case NO_FLAVORS -> reason.detail("the ClusterQueue offers no flavors");
        default -> reason.detail(FlavorTable.describe(note.asItWas, podSet, note.code));
      }
      reasons.add(reason.build());
    }
    return reasons.build();
  }
}
