package io.kueue4j.core.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What a pool knows during a trial, against every place looked at host by host. */
class TrialPoolProperties {
  private static TpuPool pool(Choices choices) {
    TpuPool pool = switch (choices.nextInt(3)) {
      case 0 -> FleetStates.SMALL;
      case 1 -> TpuPool.cubes("block", TpuGeneration.V7X, 1 + choices.nextInt(5));
      default -> TpuPool.torus("torus", TpuGeneration.V4, SliceShape.parse("4x8x16"));
    };
    return pool.withAlignment(FleetStates.alignment(choices));
  }

  private static void check(TrialPool trial, TpuFleet now, SliceShape shape) {
    TpuPool pool = now.pools().get(0);
    BitSet busy = NaiveSlices.busy(now, pool, false);
    if (pool.kind() == TpuPool.Kind.CUBES_OCS) {
      long whole = IntStream.range(0, pool.cubes())
          .filter(cube -> busy.get(cube * 16, cube * 16 + 16).isEmpty())
          .count();
      PlaceTable cube = trial.layout().wholeCube();
      assertThat(trial.hasRoom(cube, (int) whole)).isTrue();
      assertThat(trial.hasRoom(cube, (int) whole + 1)).isFalse();
    }
    if (!pool.takesWholeCubes(shape)) {
      PlaceTable table = trial.layout().places(new PlaceTable.Key(shape, true, false));
      int free = NaiveSlices.free(NaiveSlices.boxes(pool, shape, true), busy).size();
      assertThat(trial.hasRoom(table, 1)).isEqualTo(free > 0);
      assertThat(places(trial, table, 0)).isEqualTo(free);
    }
  }

  private static int places(TrialPool trial, PlaceTable table, int most) {
    int places = 0;
    for (int mesh = 0; mesh < trial.meshes(); mesh++) {
      long[] usable = trial.state().usable(table.shape());
      for (int place = trial.next(table, usable, mesh, 0, most);
          place >= 0;
          place = trial.next(table, usable, mesh, place + 1, most)) {
        places++;
      }
    }
    return places;
  }

  /** Of all places with so few slices in the way, and those alone. */
  private static void checkInTheWay(TrialPool trial, TpuFleet now, SliceShape shape, int most) {
    TpuPool pool = now.pools().get(0);
    if (pool.takesWholeCubes(shape)) {
      return;
    }
    BitSet broken = NaiveSlices.busy(TpuFleet.of(pool), pool, false);
    IntStream.range(0, pool.hosts())
        .filter(host -> now.health(pool.id(), host) != HostHealth.HEALTHY)
        .forEach(broken::set);
    long naive = NaiveSlices.boxes(pool, shape, true).stream()
        .filter(place -> !place.intersects(broken))
        .filter(place -> now.slices().stream()
                .filter(slice -> NaiveSlices.hosts(slice.placement()).intersects(place))
                .count()
            <= most)
        .count();
    PlaceTable table = trial.layout().places(new PlaceTable.Key(shape, true, false));
    assertThat(places(trial, table, most)).isEqualTo((int) naive);
  }

  @Provide
  Arbitrary<Run> whatIsKnownIsSoRuns() {
    return Run.of(choices -> {
      TpuPool pool = pool(choices);
      TpuFleet fleet = FleetStates.used(List.of(pool), choices, choices.nextInt(20));
      List<Resident> gone = new ArrayList<>();
      TrialPool trial = new TrialPool(fleet.state(0), slice -> !gone.contains(slice));
      SliceShape shape =
          FleetStates.request(pool.generation(), choices).shapes().get(0);
      check(trial, fleet, shape);
      Deque<TpuFleet> before = new ArrayDeque<>();
      TpuFleet now = fleet;
      for (TpuSlice slice : fleet.slices()) {
        if (choices.oneIn(3)) {
          Resident resident = resident(trial, slice);
          before.push(now);
          now = now.release(slice.id());
          gone.add(resident);
          trial.toggle(resident);
          check(trial, now, shape);
          checkInTheWay(trial, now, shape, choices.nextInt(3));
        }
      }
      while (!before.isEmpty()) {
        trial.toggle(gone.remove(gone.size() - 1));
        now = before.pop();
        check(trial, now, shape);
      }
      assertThat(now).isEqualTo(fleet);
    });
  }

  @Property(tries = 300)
  void whatIsKnownIsSo(@ForAll("whatIsKnownIsSoRuns") Run run) {
    run.check();
  }

  private static Resident resident(TrialPool trial, TpuSlice slice) {
    for (int mesh = 0; mesh < trial.meshes(); mesh++) {
      for (Resident resident : trial.state().residents(mesh)) {
        if (resident.slice().equals(slice)) {
          return resident;
        }
      }
    }
    throw new AssertionError("nowhere: " + slice);
  }
}
