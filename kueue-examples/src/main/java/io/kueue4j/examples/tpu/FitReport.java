package io.kueue4j.examples.tpu;

import com.google.common.base.Ascii;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.Defragmentation;
import io.kueue4j.core.tpu.Defragmentation.SliceMove;
import io.kueue4j.core.tpu.FitFailure;
import io.kueue4j.core.tpu.PoolMetrics;
import io.kueue4j.core.tpu.SliceEviction;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.List;
import java.util.function.Consumer;

/** Prints the results of requests, in tables and sentences. */
public final class FitReport {
  private FitReport() {}

  /** {@return the pools as rows of a table, header first} */
  public static ImmutableList<ImmutableList<String>> pools(TpuFleet fleet) {
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    rows.add(ImmutableList.of(
        "POOL", "KIND", "HOSTS", "FREE", "NOT HEALTHY", "LARGEST THAT FITS", "FREE BEYOND IT"));
    for (TpuPool pool : fleet.pools()) {
      PoolMetrics metrics = PoolMetrics.of(fleet, pool.id());
      rows.add(ImmutableList.of(
          pool.id(),
          PlaceText.kind(pool),
          String.valueOf(metrics.hosts()),
          String.valueOf(metrics.freeHealthyHosts()),
          String.valueOf(metrics.hosts() - metrics.healthyHosts()),
          metrics.largest().map(SliceShape::toString).orElse("<none>"),
          (metrics.fragmentationPermille() + 5) / 10 + " %"));
    }
    return rows.build();
  }

  /** {@return the placed slices as rows of a table, header first} */
  public static ImmutableList<ImmutableList<String>> placed(List<FitAnswer> answers) {
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    rows.add(ImmutableList.of("SLICE", "SHAPE", "POOL", "CHIPS", "HOSTS", "RINGS"));
    for (FitAnswer answer : answers) {
      for (int number = 0; number < answer.placements().size(); number++) {
        SlicePlacement place = answer.placements().get(number);
        rows.add(ImmutableList.of(
            answer.request().sliceId(number),
            place.shape().toString(),
            place.pool().id(),
            PlaceText.chips(place),
            PlaceText.hosts(place),
            PlaceText.rings(place)));
      }
    }
    return rows.build();
  }

  /** Prints where a slice with failed hosts is moved. */
  public static void print(FailedSlice failed, boolean moved, Consumer<String> out) {
    String from = failed.slice().id() + " (" + failed.slice().placement().shape()
        + ") has hosts that are down";
    out.accept(from
        + failed
            .to()
            .map(place -> (moved ? ", goes to " : ", could go to ") + PlaceText.of(place))
            .orElse(", and there is no place for it"));
  }

  /** Prints the moves for a request, or why it does not fit and what would help. */
  public static void print(FitAnswer answer, int maxMoves, Consumer<String> out) {
    String name = answer.request().name();
    if (answer.moves().isPresent()) {
      out.accept(name + " fits after " + moves(answer.moves().get()));
      printMoves(answer.moves().get(), out);
      out.accept("");
    }
    if (answer.failure().isEmpty()) {
      return;
    }
    FitFailure failure = answer.failure().get();
    out.accept(name + " (" + Joiner.on(" or ").join(answer.request().request().shapes())
        + ") does not fit");
    out.accept("  because of " + Ascii.toLowerCase(failure.constraint().name()) + ": "
        + failure.message());
    out.accept("  largest slice that fits now: "
        + failure.largest().map(SliceShape::toString).orElse("none"));
    if (answer.request().request().count() > 1) {
      out.accept("  slices of those that fit now: " + answer.fewerFit());
    } else {
      printRepairs(answer, maxMoves, out);
    }
    out.accept("");
  }

  private static void printRepairs(FitAnswer answer, int maxMoves, Consumer<String> out) {
    if (answer.repair().isPresent()) {
      out.accept("  would fit at " + PlaceText.of(answer.repair().get().placement()) + " after "
          + moves(answer.repair().get()));
      printMoves(answer.repair().get(), out);
    } else if (maxMoves > 0) {
      out.accept("  no plan of at most " + count(maxMoves, "move") + " was found");
    }
    if (answer.eviction().isPresent()) {
      SliceEviction eviction = answer.eviction().get();
      out.accept("  would fit at " + PlaceText.of(eviction.placement()) + " if "
          + Joiner.on(", ").join(eviction.owners())
          + " stopped: "
          + count(eviction.cost(), "chip") + ", "
          + (eviction.isCheapest() ? "the fewest possible" : "perhaps not the fewest"));
    } else {
      out.accept("  would not fit even if all owners stopped");
    }
  }

  private static String moves(Defragmentation plan) {
    return count(plan.moves().size(), "move") + " of " + count(plan.movedChips(), "chip");
  }

  private static void printMoves(Defragmentation plan, Consumer<String> out) {
    for (SliceMove move : plan.moves()) {
      out.accept(
          "    " + move.slice().id() + " from " + PlaceText.of(move.slice().placement())
              + " to " + PlaceText.of(move.to())
              + (move.stopsFirst() ? ", must stop before" : ""));
    }
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
