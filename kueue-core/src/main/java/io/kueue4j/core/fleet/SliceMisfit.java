package io.kueue4j.core.fleet;

import io.kueue4j.core.model.SliceFigures;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slices that had no room, with the pools as they were then; looked into only when somebody asks.
 *
 * <p>Rules: TPU-F-7.
 */
public final class SliceMisfit {
  private final PoolSetState state;
  private final List<SliceDemand> demands;
  private final boolean countsUsage;
  private @Nullable SliceFigures figures;

  /**
   * Creates it.
   *
   * @param state the pools
   * @param demands what has no room together
   * @param countsUsage whether slices in use are in the way
   */
  public SliceMisfit(PoolSetState state, List<SliceDemand> demands, boolean countsUsage) {
    this.state = countsUsage ? state : state.emptied();
    this.demands = List.copyOf(demands);
    this.countsUsage = countsUsage;
  }

  /** {@return the beginning of a sentence that the figures end} */
  public String introduction() {
    return countsUsage
        ? "no room for slices of pool set " + state.source().name() + ": "
        : "no room for slices even if pool set " + state.source().name() + " was empty: ";
  }

  /** {@return why, in figures} */
  public SliceFigures figures() {
    SliceFigures known = figures;
    if (known == null) {
      known = SliceFigures.of(failure());
      figures = known;
    }
    return known;
  }

  /** The hosts excluded are those of pools that are one slice of another shape. */
  private static FitFailure inOwnWords(FitFailure failure, SliceRequest request) {
    return failure.constraint() != FitFailure.Constraint.SELECTION
        ? failure
        : new FitFailure(
            failure.constraint(),
            "no pool is free that is one slice %s as a whole"
                .formatted(request.shapes().get(0)),
            failure.largest());
  }

  /** Pod sets are placed one after the other, the largest slices first; the first that fails. */
  private FitFailure failure() {
    SliceFitter fitter = SliceFitter.create();
    TpuFleet fleet = state.fleet();
    int placed = 0;
    for (SliceDemand demand : JointFit.largestFirst(demands)) {
      SliceRequest request = state.confined(demand.request());
      Optional<FitFailure> failure = fitter.explain(fleet, request);
      if (failure.isPresent()) {
        return inOwnWords(failure.get(), demand.request());
      }
      for (SlicePlacement placement : fitter.fit(fleet, request).slices()) {
        fleet = fleet.allocate(TpuSlice.of("trial-" + placed++, placement));
      }
    }
    return new FitFailure(
        FitFailure.Constraint.UNDECIDED,
        "no room was found for the slices of %d pod sets together".formatted(demands.size()),
        fitter.largest(state.fleet(), demands.get(0).request()));
  }
}
