package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** With tables and filters the same place is chosen as when all are looked at. */
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

  private static List<TpuPool> pools(Choices choices) {
    TpuPool.Alignment alignment = FleetStates.alignment(choices);
    return switch (choices.nextInt(4)) {
      case 0 -> FleetStates.superpods(TpuPool.Alignment.ALIGNED_IDS);
      case 1 -> FleetStates.pods(alignment, 1 + choices.nextInt(3));
      case 2 -> {
        List<TpuPool> mixed = new ArrayList<>(FleetStates.superpods(alignment));
        mixed.add(TpuPool.cubes("block-2", TpuGeneration.V7X, 70));
        yield mixed;
      }
      default -> {
        TpuPool torus = TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("4x8x8"))
            .withAlignment(alignment);
        yield List.of(
            choices.nextBoolean() ? torus.withSeamCrossing() : torus,
            TpuPool.cubes("block", TpuGeneration.V4, 2));
      }
    };
  }

  @Provide
  Arbitrary<Run> theyChooseAsTheObjectiveDoesRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = FleetStates.used(pools(choices), choices, choices.nextInt(80));
      for (int i = 0; i < 6; i++) {
        SliceRequest request = FleetStates.request(fleet.generation(), choices)
            .withCount(1 + choices.nextInt(2))
            .withRings(List.of(SliceRequest.Rings.values()).get(choices.nextInt(3)));
        assertThat(fitter.fit(fleet, request)).isEqualTo(slow.fit(fleet, request));
      }
    });
  }

  @Property(tries = 250)
  void theyChooseAsTheObjectiveDoes(@ForAll("theyChooseAsTheObjectiveDoesRuns") Run run) {
    run.check();
  }
}
