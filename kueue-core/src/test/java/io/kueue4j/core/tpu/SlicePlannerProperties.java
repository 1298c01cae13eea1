package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of every failover. */
class SlicePlannerProperties {
  private final SlicePlanner planner = SlicePlanner.create();
  private final SliceFitter fitter = SliceFitter.create();

  private static TpuFleet fleet(Choices choices) {
    TpuPool.Alignment alignment = FleetStates.alignment(choices);
    List<TpuPool> pools = choices.nextBoolean()
        ? FleetStates.pods(alignment, 1 + choices.nextInt(2))
        : FleetStates.superpods(alignment);
    return FleetStates.used(pools, choices, choices.nextInt(60));
  }

  @Provide
  Arbitrary<Run> aNewPlaceIsHealthyAndFreeRuns() {
    return Run.of(choices -> {
      TpuFleet fleet = fleet(choices);
      if (fleet.slices().isEmpty()) {
        return;
      }
      TpuSlice slice = fleet.slices().get(choices.nextInt(fleet.slices().size()));
      int broken = slice.placement().hosts().get(0);
      TpuFleet hurt = fleet.withHealth(slice.placement().pool().id(), HostHealth.DOWN, broken);
      Optional<SlicePlacement> place = planner.failover(hurt, slice.id());
      place.ifPresent(to -> {
        TpuFleet rest = hurt.release(slice.id());
        BitSet down = new BitSet();
        NaiveSlices.hosts(to).stream()
            .filter(host -> rest.isTaken(to.pool().id(), host)
                || rest.health(to.pool().id(), host) == HostHealth.DOWN)
            .forEach(down::set);
        assertThat(down.isEmpty()).isTrue();
        assertThat(to.shape()).isEqualTo(slice.placement().shape());
      });
      boolean boxed =
          !slice.placement().pool().takesWholeCubes(slice.placement().shape());
      if (place.isEmpty() && boxed) {
        assertThat(fitter
                .fit(hurt.release(slice.id()), SliceRequest.of(slice.placement().shape()))
                .isPlaced())
            .isFalse();
      }
    });
  }

  @Property(tries = 200)
  void aNewPlaceIsHealthyAndFree(@ForAll("aNewPlaceIsHealthyAndFreeRuns") Run run) {
    run.check();
  }
}
