package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What holds of every failover. */
class SlicePlannerProperties {
  private final SlicePlanner planner = SlicePlanner.create();
  private final SliceFitter fitter = SliceFitter.create();

  @Provide
  Arbitrary<TpuFleet> fleets() {
    return Arbitraries.longs().map(seed -> {
      Random random = new Random(seed);
      TpuPool.Alignment alignment = FleetStates.alignment(random);
      List<TpuPool> pools = random.nextBoolean()
          ? FleetStates.pods(alignment, 1 + random.nextInt(2))
          : FleetStates.superpods(alignment);
      return FleetStates.used(pools, random, random.nextInt(60));
    });
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void aNewPlaceIsHealthyAndFree(@ForAll("fleets") TpuFleet fleet, @ForAll long seed) {
    Random random = new Random(seed);
    if (fleet.slices().isEmpty()) {
      return;
    }
    TpuSlice slice = fleet.slices().get(random.nextInt(fleet.slices().size()));
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
    boolean boxed = !slice.placement().pool().takesWholeCubes(slice.placement().shape());
    if (place.isEmpty() && boxed) {
      assertThat(fitter
              .fit(hurt.release(slice.id()), SliceRequest.of(slice.placement().shape()))
              .isPlaced())
          .isFalse();
    }
  }
}
