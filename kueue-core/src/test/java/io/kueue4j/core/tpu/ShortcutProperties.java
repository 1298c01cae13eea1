package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** With tables, buckets and filters the same place is chosen as when all are looked at. */
class ShortcutProperties {
  /** The default objective under another name, for which there are no shortcuts. */
  private static final PlacementObjective PLAIN = new PlacementObjective() {
    @Override
    public int values(int levels) {
      return PlacementObjective.KEEP_BLOCKS.values(levels);
    }

    @Override
    public long value(int index, PlacementCandidate candidate) {
      return PlacementObjective.KEEP_BLOCKS.value(index, candidate);
    }
  };

  private final SliceFitter fitter = SliceFitter.create();
  private final SliceFitter slow = SliceFitter.create().withObjective(PLAIN);

  private static List<TpuPool> pools(Random random) {
    TpuPool.Alignment alignment = FleetStates.alignment(random);
    return switch (random.nextInt(4)) {
      case 0 -> FleetStates.superpods(TpuPool.Alignment.ALIGNED_IDS);
      case 1 -> FleetStates.pods(alignment, 1 + random.nextInt(3));
      case 2 -> {
        List<TpuPool> mixed = new ArrayList<>(FleetStates.superpods(alignment));
        mixed.add(TpuPool.cubes("block-2", TpuGeneration.V7X, 70));
        yield mixed;
      }
      default -> {
        TpuPool torus = TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("4x8x8"))
            .withAlignment(alignment);
        yield List.of(
            random.nextBoolean() ? torus.withSeamCrossing() : torus,
            TpuPool.cubes("block", TpuGeneration.V4, 2));
      }
    };
  }

  @Property(tries = 250, shrinking = ShrinkingMode.OFF)
  void theyChooseAsTheObjectiveDoes(@ForAll long seed) {
    Random random = new Random(seed);
    TpuFleet fleet = FleetStates.used(pools(random), random, random.nextInt(80));
    for (int i = 0; i < 6; i++) {
      SliceRequest request = FleetStates.request(fleet.generation(), random)
          .withCount(1 + random.nextInt(2))
          .withRings(List.of(SliceRequest.Rings.values()).get(random.nextInt(3)));
      assertThat(fitter.fit(fleet, request)).isEqualTo(slow.fit(fleet, request));
    }
  }

  /** Buckets that were changed with each slice and host are those that are made anew. */
  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void bucketsFollowChanges(@ForAll long seed) {
    Random random = new Random(seed);
    List<TpuPool> pools = List.of(TpuPool.cubes("block", TpuGeneration.V7X, 70));
    TpuFleet fleet = FleetStates.used(pools, random, random.nextInt(80));
    CubeIndex changed = fleet.state(0).index();
    CubeIndex fresh = CubeIndex.of(fleet.state(0));
    assertThat(changed.buckets()).isEqualTo(fresh.buckets());
    for (int shape = 0; shape < 4; shape++) {
      assertThat(changed.best(shape)).isEqualTo(fresh.best(shape));
    }
  }

  /** A pool ten times as large has no more kinds of cubes to look at. */
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void bucketsDoNotGrowWithCubes(@ForAll long seed) {
    TpuPool pool = TpuPool.cubes("block", TpuGeneration.V7X, 1_000);
    TpuFleet fleet = FleetStates.used(List.of(pool), new Random(seed), 60);
    assertThat(fleet.state(0).index().buckets()).isLessThan(30);
  }
}
