package io.kueue4j.examples.tpu.study;

import io.kueue4j.core.tpu.Defragmentation;
import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SlicePlanner;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Places slices like the library with its default objective, and moves some if allowed. */
final class FleetPlacer implements StudyPlacer {
  private final SliceFitter fitter = SliceFitter.create();
  private final SlicePlanner planner = SlicePlanner.using(fitter);
  private final Map<SliceShape, SliceRequest> requests = new HashMap<>();
  private final int maxMoves;

  private TpuFleet fleet;
  private long freeChips;
  private int moves;
  private long movedChips;

  FleetPlacer(TpuFleet fleet, int maxMoves) {
    this.fleet = fleet;
    this.maxMoves = maxMoves;
    this.freeChips = CountPlacer.healthyChips(fleet);
  }

  @Override
  public boolean place(StudyJob job) {
    SliceRequest request =
        requests.computeIfAbsent(job.shape(), shape -> SliceRequest.of(shape).withTurning());
    SliceFit fit = fitter.fit(fleet, request);
    if (fit.isPlaced()) {
      start(job, fit.slices().get(0));
      return true;
    }
    // If geometry is not the obstacle, no move helps.
    if (maxMoves == 0 || freeChips < job.shape().chips()) {
      return false;
    }
    Optional<Defragmentation> plan =
        planner.defragmentation(fleet, request, maxMoves, Integer.MAX_VALUE);
    if (plan.isEmpty()) {
      return false;
    }
    fleet = plan.get().applyTo(fleet);
    moves += plan.get().moves().size();
    movedChips += plan.get().movedChips();
    start(job, plan.get().placement());
    return true;
  }

  private void start(StudyJob job, SlicePlacement placement) {
    fleet = fleet.allocate(TpuSlice.of(id(job), placement).withTurning());
    freeChips -= job.shape().chips();
  }

  @Override
  public void end(StudyJob job) {
    fleet = fleet.release(id(job));
    freeChips += job.shape().chips();
  }

  private static String id(StudyJob job) {
    return "job-" + job.number();
  }

  @Override
  public int moves() {
    return moves;
  }

  @Override
  public long movedChips() {
    return movedChips;
  }
}
