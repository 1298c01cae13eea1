package io.kueue4j.examples.bench;

import io.kueue4j.core.tpu.SliceFit;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Fleets in which slices are placed as long as they fit, and removed at random; from a seed. */
public final class ChurnedFleets {
  private static final int EVENTS_BETWEEN = 12;

  /** The fleet and the requested slices. */
  public enum Kind {
    /** A pod of 8x8 hosts, slices at any host. */
    POD,
    /** A pod of 8x8 hosts, aligned slices. */
    POD_ALIGNED,
    /** 64 pods of 8x8 hosts, slices at any host. */
    PODS_64,
    /** Parts of 16 cubes. */
    PART_OF_16_CUBES,
    /** Parts of 144 cubes. */
    PART_OF_144_CUBES,
    /** Parts of 1,440 cubes. */
    PART_OF_1440_CUBES,
    /** Whole cubes of 144. */
    CUBES_OF_144,
    /** A fixed torus of 1,024 hosts, slices at any host, turned as is best. */
    TORUS;

    List<TpuPool> pools() {
      return switch (this) {
        case POD -> pods(1, TpuPool.Alignment.HOST_ALIGNED);
        case POD_ALIGNED -> pods(1, TpuPool.Alignment.ALIGNED_IDS);
        case PODS_64 -> pods(64, TpuPool.Alignment.HOST_ALIGNED);
        case PART_OF_16_CUBES -> cubes(16);
        case PART_OF_144_CUBES, CUBES_OF_144 -> cubes(144);
        case PART_OF_1440_CUBES -> cubes(1_440);
        case TORUS ->
          List.of(TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("16x16x16"))
              .withAlignment(TpuPool.Alignment.HOST_ALIGNED));
      };
    }

    private static List<TpuPool> pods(int pods, TpuPool.Alignment alignment) {
      return IntStream.range(0, pods)
          .mapToObj(
              pod -> TpuPool.grid("pod-" + pod, TpuGeneration.V6E, SliceShape.parse("16x16"), 4)
                  .withAlignment(alignment))
          .toList();
    }

    private static List<TpuPool> cubes(int cubes) {
      return List.of(TpuPool.cubes("block", TpuGeneration.V7X, cubes));
    }

    /** {@return requests for one slice} */
    List<SliceRequest> asked() {
      return switch (this) {
        case POD, POD_ALIGNED, PODS_64 -> requests("2x2", "2x4", "4x4", "4x8", "8x8", "8x16");
        case PART_OF_16_CUBES, PART_OF_144_CUBES, PART_OF_1440_CUBES ->
          requests("2x2x1", "2x2x2", "2x2x4", "2x4x4");
        case CUBES_OF_144 -> requests("4x4x4", "4x4x8", "4x8x8");
        case TORUS -> requests("2x2x2", "2x2x4", "4x4x4", "4x4x8", "4x8x8");
      };
    }

    /** {@return requests that fill the fleet; of cubes, parts and whole ones} */
    List<SliceRequest> mix() {
      return switch (this) {
        case POD, POD_ALIGNED, PODS_64, TORUS -> asked();
        case PART_OF_16_CUBES, PART_OF_144_CUBES, PART_OF_1440_CUBES, CUBES_OF_144 ->
          requests("2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4", "4x4x8");
      };
    }

    /** {@return requests for a slice that is large for the fleet} */
    List<SliceRequest> large() {
      return switch (this) {
        case POD, POD_ALIGNED, PODS_64 -> requests("8x8", "8x16");
        case TORUS -> requests("4x8x8", "8x8x8");
        case PART_OF_16_CUBES, PART_OF_144_CUBES, PART_OF_1440_CUBES, CUBES_OF_144 ->
          requests("4x4x8", "4x8x8");
      };
    }

    private static List<SliceRequest> requests(String... shapes) {
      return Stream.of(shapes)
          .map(shape -> SliceRequest.of(shape).withTurning())
          .toList();
    }
  }

  private final Random random;
  private final SliceFitter fitter = SliceFitter.create();
  private final List<SliceRequest> requests;
  private final List<String> held = new ArrayList<>();
  private TpuFleet fleet;
  private int slices;

  /** Fills a fleet until slices do not fit, and adds and removes slices from then on. */
  public ChurnedFleets(Kind kind, Random random) {
    this.random = random;
    this.fleet = TpuFleet.of(kind.pools());
    this.requests = kind.mix();
    int misses = 0;
    while (misses < 3) {
      misses += come() ? 0 : 1;
    }
  }

  private boolean come() {
    SliceFit fit = fitter.fit(fleet, requests.get(random.nextInt(requests.size())));
    for (SlicePlacement place : fit.slices()) {
      String id = "slice-" + slices++;
      fleet = fleet.allocate(TpuSlice.of(id, place));
      held.add(id);
    }
    return fit.isPlaced();
  }

  /** {@return the fleet after some more events} */
  public TpuFleet next() {
    for (int event = 0; event < EVENTS_BETWEEN; event++) {
      if (!held.isEmpty() && random.nextBoolean()) {
        fleet = fleet.release(held.remove(random.nextInt(held.size())));
      } else {
        come();
      }
    }
    return fleet;
  }
}
