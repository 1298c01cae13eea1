package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** With the table the same cube is chosen as when all are looked into. */
class CubeTableProperties {
  /** The default objective under another name, for which there is no table. */
  private static final PlacementObjective UNTABLED = new PlacementObjective() {
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
  private final SliceFitter slow = SliceFitter.create().withObjective(UNTABLED);

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void theTableChoosesAsTheObjectiveDoes(@ForAll long seed) {
    Random random = new Random(seed);
    List<TpuPool> pools = FleetStates.superpods(TpuPool.Alignment.ALIGNED_IDS);
    TpuFleet fleet = FleetStates.used(pools, random, random.nextInt(80));
    for (int i = 0; i < 6; i++) {
      SliceRequest request =
          FleetStates.request(fleet.generation(), random).withCount(1 + random.nextInt(2));
      assertThat(fitter.fit(fleet, request)).isEqualTo(slow.fit(fleet, request));
    }
  }
}
