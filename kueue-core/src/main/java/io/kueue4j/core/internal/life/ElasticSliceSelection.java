package io.kueue4j.core.internal.life;

import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.WorkloadId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the elastic slices of a job to keep: one that holds quota and one that waits to replace
 * it.
 *
 * <p>Rules: E-8.
 */
final class ElasticSliceSelection {
  private final Map<WorkloadId, WorkloadRecord> replacements = new HashMap<>();
  private final @Nullable WorkloadRecord admitted;
  private final @Nullable WorkloadRecord running;
  private final WorkloadRecord selected;

  /**
   * Selects the slices to keep.
   *
   * @param slices all elastic slices of the job, the oldest first; at least one
   * @param admitted one of them that counts as if it had just been admitted, null for none
   */
  ElasticSliceSelection(List<WorkloadRecord> slices, @Nullable WorkloadRecord admitted) {
    this.admitted = admitted;
    for (WorkloadRecord slice : slices) {
      if (!slice.lifecycle().isEvicted()) {
        slice
            .workload()
            .replaces()
            .ifPresent(replaced -> replacements.merge(replaced, slice, this::stronger));
      }
    }
    WorkloadRecord newestRunning = null;
    WorkloadRecord newest = null;
    for (WorkloadRecord slice : slices) {
      if (!slice.lifecycle().isEvicted()) {
        newest = slice;
        newestRunning =
            isRunning(slice) && !isRunning(replacementOf(slice)) ? slice : newestRunning;
      }
    }
    running = newestRunning;
    WorkloadRecord waiting = newestRunning == null ? null : replacementOf(newestRunning);
    if (waiting != null) {
      selected = waiting;
    } else if (newestRunning != null) {
      selected = newestRunning;
    } else {
      // If all are evicted, Kueue finishes all and creates a new one; here the newest is kept.
      selected = newest == null ? slices.get(slices.size() - 1) : newest;
    }
  }

  private WorkloadRecord stronger(WorkloadRecord older, WorkloadRecord newer) {
    return isRunning(newer) ? newer : older;
  }

  private boolean isRunning(@Nullable WorkloadRecord slice) {
    return slice != null && (slice.reservation() != null || slice.equals(admitted));
  }

  private @Nullable WorkloadRecord replacementOf(WorkloadRecord slice) {
    return replacements.get(slice.id());
  }

  /** {@return the slice that continues the job: the one that waits, otherwise the one that runs} */
  WorkloadRecord selected() {
    return selected;
  }

  /** {@return whether a slice is one of those to keep} */
  boolean keeps(WorkloadRecord slice) {
    return slice.equals(selected) || slice.equals(running);
  }

  /** {@return whether another slice replaces {@code slice} or is going to} */
  boolean isReplaced(WorkloadRecord slice) {
    return replacements.containsKey(slice.id());
  }
}
