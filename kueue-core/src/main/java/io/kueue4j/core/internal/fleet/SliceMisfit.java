package io.kueue4j.core.internal.fleet;

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
 * TPU slices that did not fit, with the state of the pools at that time. The reason is searched
 * only on demand.
 *
 * <p>Rules: TPU-F-7.
 */
public final class SliceMisfit {
  private final PoolSetState state;
  private final List<SliceDemand> demands;
  private final boolean countsUsage;
  private @Nullable FitFailure failure;

  /**
   * Creates it.
   *
   * @param state the pools
   * @param demands the demands that do not fit together
   * @param countsUsage whether hosts of slices in use are taken
   */
  public SliceMisfit(PoolSetState state, List<SliceDemand> demands, boolean countsUsage) {
    this.state = countsUsage ? state : state.emptied();
    this.demands = List.copyOf(demands);
    this.countsUsage = countsUsage;
  }

  /** {@return the first part of the message, before the figures} */
  public String introduction() {
    return countsUsage
        ? "no room for slices of pool set " + state.source().name() + ": "
        : "no room for slices even if pool set " + state.source().name() + " was empty: ";
  }

  /** {@return what prevents the slices from fitting, in figures} */
  public FitFailure failure() {
    FitFailure known = failure;
    if (known == null) {
      known = firstFailure();
      failure = known;
    }
    return known;
  }

  /** If hosts are excluded, they belong to indivisible pools of another shape. */
  private static FitFailure inOwnWords(FitFailure failure, SliceRequest request) {
    return failure.constraint() != FitFailure.Constraint.SELECTION
        ? failure
        : new FitFailure(
            failure.constraint(),
            "no pool is free that is one slice %s as a whole"
                .formatted(request.shapes().get(0)),
            failure.largest());
  }

  /**
   * {@return the failure of the first demand that does not fit, when demands are placed one after
   * another, the largest slices first}
   */
  private FitFailure firstFailure() {
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
