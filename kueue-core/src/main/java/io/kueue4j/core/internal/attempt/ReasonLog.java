package io.kueue4j.core.internal.attempt;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.compiled.ResourceName;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.fleet.SliceMisfit;
import io.kueue4j.core.internal.fleet.SliceObstacles;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records why flavors did not fit, as numbers that are converted to words only on demand. */
public final class ReasonLog {
  private final List<Note> notes;

  /**
   * A record.
   *
   * @param detail the flavor or the pools as they were, or what did not fit; null if there is none
   */
  private record Note(
      ReasonCode code,
      int podSet,
      @Nullable String flavor,
      @Nullable ResourceName resource,
      long asked,
      long used,
      long available,
      long limit,
      @Nullable Object detail) {}

  /** Creates an empty log. */
  public ReasonLog() {
    this(new ArrayList<>());
  }

  private ReasonLog(List<Note> notes) {
    this.notes = notes;
  }

  /** {@return a compact copy to which nothing can be added} */
  public ReasonLog toKeep() {
    return new ReasonLog(List.copyOf(notes));
  }

  /** Records a reason that concerns no flavor. */
  public void add(ReasonCode code, int podSet) {
    add(code, podSet, null, null);
  }

  /**
   * Records that a pod set cannot use a flavor, or has no place.
   *
   * @param flavor the flavor, null if no single one is concerned
   * @param detail the flavor or its TPU pools at that time, or what does not fit; null if there is
   *     none
   */
  public void add(ReasonCode code, int podSet, @Nullable String flavor, @Nullable Object detail) {
    notes.add(new Note(code, podSet, flavor, null, 0, 0, 0, 0, detail));
  }

  /** Records that no group covers a resource. */
  public void addUncovered(int podSet, ResourceName resource) {
    notes.add(new Note(ReasonCode.RESOURCE_NOT_COVERED, podSet, null, resource, 0, 0, 0, 0, null));
  }

  /** Records that an amount did not fit. */
  public void addShortage(
      ReasonCode code,
      int podSet,
      String flavor,
      ResourceName resource,
      long asked,
      long used,
      long available,
      long limit) {
    notes.add(new Note(code, podSet, flavor, resource, asked, used, available, limit, null));
  }

  /** Records that pods have no place, on nodes or on TPU slices. */
  public void addMisfit(Places places) {
    if (places.failure() != null) {
      add(ReasonCode.TOPOLOGY_DOES_NOT_FIT, places.failedPodSet(), null, places.failure());
    } else if (places.misfit() != null) {
      add(ReasonCode.SLICES_DO_NOT_FIT, places.failedPodSet(), null, places.misfit());
    }
  }

  public int size() {
    return notes.size();
  }

  /** Removes all but the first {@code size} records. */
  public void truncate(int size) {
    if (notes.size() > size) {
      notes.subList(size, notes.size()).clear();
    }
  }

  /** Moves the records from {@code start} on before the record {@code target}. */
  public void moveForward(int start, int target) {
    Collections.rotate(notes.subList(target, notes.size()), notes.size() - start);
  }

  /** {@return the records as reasons} */
  public ImmutableList<Reason> toReasons(CompiledWorkload workload) {
    ImmutableList.Builder<Reason> reasons = ImmutableList.builderWithExpectedSize(notes.size());
    for (Note note : notes) {
      PodSet podSet = workload.podSet(note.podSet).source();
      Reason.Builder reason = Reason.builder().code(note.code).podSet(podSet.name());
      if (note.flavor != null) {
        reason.flavor(note.flavor);
      }
      if (note.resource != null) {
        reason.resource(note.resource.name());
      }
      switch (note.code) {
        case EXCEEDS_MAXIMUM, INSUFFICIENT_QUOTA, NO_PREEMPTION_CANDIDATES, TAKEN_IN_CYCLE ->
          reason.asked(note.asked).used(note.used).available(note.available).limit(note.limit);
        case RESOURCE_NOT_COVERED ->
          reason.detail("the ClusterQueue has no quota for this resource");
        case TOPOLOGY_DOES_NOT_FIT -> reason.detail(String.valueOf(note.detail));
        case SLICES_DO_NOT_FIT -> addFigures(reason, note.detail);
        case FLAVOR_WITH_TPU_POOLS, FLAVOR_WITHOUT_TPU_POOLS, SLICE_NOT_OFFERED ->
          reason.detail(SliceObstacles.describe(note.code, (PoolSetState) note.detail, podSet));
        case SLICES_TAKEN_IN_CYCLE ->
          reason.detail("hosts of the slices were taken by another workload in the same cycle");
        case NODES_TAKEN_IN_CYCLE ->
          reason.detail("the nodes were taken by another workload in the same cycle");
        case FLAVOR_NOT_ALLOWED ->
          reason.detail("the workload may be admitted on these flavors only: "
              + workload.source().allowedFlavors());
        case NO_FLAVORS -> reason.detail("the ClusterQueue offers no flavors");
        default ->
          reason.detail(FlavorTable.describe((FlavorTable.Entry) note.detail, podSet, note.code));
      }
      reasons.add(reason.build());
    }
    return reasons.build();
  }

  private static void addFigures(Reason.Builder reason, @Nullable Object detail) {
    if (detail instanceof SliceMisfit misfit) {
      reason.detail(misfit.introduction()).sliceFailure(misfit.failure());
    }
  }
}
