package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.Catalog;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.fleet.SliceDemand;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;

/** Slices of several pod sets in pods with bad hosts, compared with an exhaustive search. */
class JointSlicesProperties {
  private static final List<String> SHAPES = List.of("2x2", "2x4", "4x4", "4x8");

  @Property(tries = 1000, shrinking = ShrinkingMode.OFF)
  void roomIsFoundIffThereIsSome(@ForAll long seed) {
    Random random = new Random(seed);
    TpuPool.Alignment alignment =
        random.nextInt(4) == 0 ? TpuPool.Alignment.ALIGNED_IDS : TpuPool.Alignment.HOST_ALIGNED;
    TpuFleet fleet = TpuFleet.of(
        TpuSlices.pod("pod-0", "8x8").withAlignment(alignment),
        TpuSlices.pod("pod-1", "4x4").withAlignment(alignment));
    for (int host = 0; host < 16; host++) {
      if (random.nextInt(4) == 0) {
        fleet = fleet.withHealth("pod-0", HostHealth.DOWN, host);
      }
    }
    fleet = fleet.withHealth("pod-1", HostHealth.DOWN, random.nextInt(4));
    Workload job = TpuSlices.job("job", 0);
    List<SliceDemand> demands = new ArrayList<>();
    Workload.Builder workload = Workload.builder().from(job);
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      SliceRequest request = SliceRequest.of(SHAPES.get(random.nextInt(SHAPES.size())))
          .withCount(1 + random.nextInt(2));
      request = random.nextBoolean() ? request.withTurning() : request;
      demands.add(new SliceDemand(i, request));
      workload.addPodSets(TpuSlices.pods("p" + i, request));
    }
    Fleets fleets = new Fleets(new Catalog());
    fleets.put(TpuPoolSet.of("v6e", fleet));
    fleets.rebuild(List.of());
    List<ImmutableList<SlicePlacement>> places = fleets.place("v6e", demands, true);
    assertThat(places != null)
        .as("%s", demands)
        .isEqualTo(NaiveRoom.isThere(fleet, workload.build()));
    checkApart(fleet, demands, places);
  }

  private static void checkApart(
      TpuFleet fleet,
      List<SliceDemand> demands,
      @Nullable List<ImmutableList<SlicePlacement>> places) {
    Set<String> hosts = new HashSet<>();
    for (int i = 0; places != null && i < demands.size(); i++) {
      assertThat(places.get(i)).hasSize(demands.get(i).request().count());
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
