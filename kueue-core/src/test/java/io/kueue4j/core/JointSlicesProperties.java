package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.SliceDemand;
import io.kueue4j.core.internal.versioned.Journal;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Slices of several pod sets in pods with bad hosts, compared with an exhaustive search. */
class JointSlicesProperties {
  private static final List<String> SHAPES = List.of("2x2", "2x4", "4x4", "4x8");

  /**
   * A case.
   *
   * @param fleet two pods with bad hosts
   * @param requests the requests of each pod set of a job
   */
  record Case(TpuFleet fleet, List<SliceRequest> requests) {
    static Case draw(Choices choices) {
      TpuPool.Alignment alignment =
          choices.oneIn(4) ? TpuPool.Alignment.ALIGNED_IDS : TpuPool.Alignment.HOST_ALIGNED;
      TpuFleet fleet = TpuFleet.of(
          TpuSlices.pod("pod-0", "8x8").withAlignment(alignment),
          TpuSlices.pod("pod-1", "4x4").withAlignment(alignment));
      for (int host = 0; host < 16; host++) {
        if (choices.nextInt(4) == 3) {
          fleet = fleet.withHealth("pod-0", HostHealth.DOWN, host);
        }
      }
      fleet = fleet.withHealth("pod-1", HostHealth.DOWN, choices.nextInt(4));
      return new Case(fleet, choices.list(1, 2 + choices.nextInt(2), Case::request));
    }

    private static SliceRequest request(Choices choices) {
      SliceRequest request = SliceRequest.of(choices.of(SHAPES)).withCount(1 + choices.nextInt(2));
      SliceRequest scoped =
          choices.oneIn(3) ? request.withScope(SliceRequest.Scope.SAME_POOL) : request;
      return choices.nextBoolean() ? scoped.withTurning() : scoped;
    }

    @Override
    public String toString() {
      List<String> broken = fleet.pools().stream()
          .flatMap(pool -> IntStream.range(0, pool.hosts())
              .filter(host -> fleet.health(pool.id(), host) == HostHealth.DOWN)
              .mapToObj(host -> pool.id() + "/" + host))
          .toList();
      return fleet.pools().get(0).alignment() + ", broken " + broken + ", " + requests;
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    return Choices.arbitrary(Case::draw);
  }

  @Property(tries = 1000)
  void roomIsFoundIffThereIsSome(@ForAll("cases") Case room) {
    TpuFleet fleet = room.fleet();
    Workload job = TpuSlices.job("job", 0);
    List<SliceDemand> demands = new ArrayList<>();
    Workload.Builder workload = Workload.builder().from(job);
    for (int i = 0; i < room.requests().size(); i++) {
      SliceRequest request = room.requests().get(i);
      demands.add(new SliceDemand(i, request));
      workload.addPodSets(TpuSlices.pods("p" + i, request));
    }
    Fleets fleets = new Fleets(new Journal());
    fleets.setPoolSet("v6e", TpuPoolSet.of("v6e", fleet));
    fleets.rebuild(List.of());
    List<List<SlicePlacement>> places = fleets.place("v6e", demands, true);
    assertThat(places != null)
        .as("%s", demands)
        .isEqualTo(NaiveRoom.isThere(fleet, workload.build()));
    checkApart(fleet, demands, places);
  }

  private static void checkApart(
      TpuFleet fleet, List<SliceDemand> demands, @Nullable List<List<SlicePlacement>> places) {
    Set<String> hosts = new HashSet<>();
    for (int i = 0; places != null && i < demands.size(); i++) {
      assertThat(places.get(i)).hasSize(demands.get(i).request().count());
      if (demands.get(i).request().scope() == SliceRequest.Scope.SAME_POOL) {
        assertThat(places.get(i).stream().map(SlicePlacement::pool).distinct()).hasSize(1);
      }
      for (SlicePlacement place : places.get(i)) {
        assertThat(demands.get(i).request().shapes()).contains(place.shape());
        place.hosts().forEach(host -> {
          assertThat(fleet.health(place.pool().id(), host)).isEqualTo(HostHealth.HEALTHY);
          assertThat(hosts.add(place.pool().id() + host)).isTrue();
        });
      }
    }
  }
}
