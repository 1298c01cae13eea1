package io.kueue4j.examples.tpu.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.PlacementObjective;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuSlice;
import io.kueue4j.examples.tpu.study.Mesh.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The ways to place that the library is compared with. */
final class MeshPlacerTest {
  private static StudyScenario scenario(String name) {
    return StudyScenario.ALL.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** {@return the place that a rule takes in one mesh with these free hosts} */
  private static long chosen(Mesh mesh, MeshRule rule, boolean aligned, long free, String shape) {
    SliceShape slice = SliceShape.parse(shape);
    Place best = null;
    long least = 0;
    for (Place place : aligned ? mesh.aligned(slice) : mesh.anywhere(slice)) {
      if ((place.hosts() & free) == place.hosts()) {
        long cost = rule.costs(mesh, free, slice).applyAsLong(place);
        if (best == null || cost < least) {
          best = place;
          least = cost;
        }
      }
    }
    return Objects.requireNonNull(best).hosts();
  }

  /** {@return the hosts of a pod that are marked, rows from the top} */
  private static long hosts(String... rows) {
    long hosts = 0;
    for (int y = 0; y < rows.length; y++) {
      for (int x = 0; x < rows[y].length(); x++) {
        hosts |= rows[y].charAt(x) == 'x' ? 1L << (x + 8 * y) : 0;
      }
    }
    return hosts;
  }

  @Test
  void placesAreCounted() {
    assertThat(Mesh.POD.aligned(SliceShape.parse("4x8"))).hasSize(8);
    assertThat(Mesh.POD.anywhere(SliceShape.parse("4x8"))).hasSize(7 * 5 * 2);
    assertThat(Mesh.POD.anywhere(SliceShape.parse("8x8"))).hasSize(25);
    assertThat(Mesh.CUBE.aligned(SliceShape.parse("2x2x4"))).hasSize(4);
    assertThat(Mesh.CUBE.anywhere(SliceShape.parse("8x8x8"))).isEmpty();
  }

  @Test
  void buddySplitsTheSmallestBlock() {
    long free = hosts("xxxx....", "xxxx....", "xxxx....", "xxxx....", "......xx");
    assertThat(chosen(Mesh.POD, MeshRule.FIRST, true, free, "2x2")).isEqualTo(1);
    assertThat(chosen(Mesh.POD, MeshRule.BUDDY, true, free, "2x2"))
        .isEqualTo(hosts("", "", "", "", "......x"));
  }

  @Test
  void theLargestRectangleIsKept() {
    long free = hosts("x.......", "........", "xxxxxxxx", "xxxxxxxx");
    assertThat(chosen(Mesh.POD, MeshRule.LARGEST_RECTANGLE, false, free, "2x2")).isEqualTo(1);
    long wide = hosts("xxxxxxxx", "xxxxxxxx", "xx......", "xx......", "xx......", "xx......");
    assertThat(chosen(Mesh.POD, MeshRule.LARGEST_RECTANGLE, false, wide, "4x4"))
        .isEqualTo(hosts("", "", "xx", "xx"));
  }

  @Test
  void aFreePodHasItsFullRectangle() {
    // Any corner costs a row or column of eight; any other place costs more.
    long taken = chosen(Mesh.POD, MeshRule.LARGEST_RECTANGLE, false, -1L, "2x2");
    assertThat(taken).isEqualTo(1);
  }

  @Test
  void contactPrefersCorners() {
    long free = hosts("........", ".xxxx...", ".xxxx...", ".xxxx...", "........", ".x......");
    assertThat(chosen(Mesh.POD, MeshRule.CONTACT, false, free, "2x2"))
        .isEqualTo(hosts("", "", "", "", "", ".x"));
    assertThat(chosen(Mesh.POD, MeshRule.CONTACT, false, hosts("xxx", "xxx", "xxx"), "2x2"))
        .isEqualTo(1);
  }

  @Test
  void theGradientKeepsRoomForOthers() {
    long free = hosts("xx......", "xx......", "........", "xxxx....");
    // A host at the end of the row costs one 2x4; one of the square costs two and the 4x4.
    assertThat(chosen(Mesh.POD, MeshRule.GRADIENT, false, free, "2x2"))
        .isEqualTo(hosts("", "", "", "x"));
  }

  @Test
  void levelByLevelTakesWhereFewestBlocksAreFree() {
    // Halves of a cube: hosts 0, 2, 4 … and 1, 3, 5 …; the second has two free hosts only.
    long free = 0b0101_0101_0101_0101L | (1L << 1) | (1L << 5);
    assertThat(chosen(Mesh.CUBE, MeshRule.LEVEL_BY_LEVEL, true, free, "2x2x1")).isEqualTo(1L << 1);
  }

  @Test
  void spreadTakesTheEmptiestCube() {
    TpuFleet fleet = scenario("cubes-16-inference").fleet(1);
    StudyPlacer spread = new MeshPlacer(fleet, true, MeshRule.SPREAD, CubeChoice.ANY);
    StudyPlacer packed = new MeshPlacer(fleet, true, MeshRule.BUDDY, CubeChoice.ANY);
    for (int number = 0; number < 16; number++) {
      StudyJob small = new StudyJob(number, 0, 1, SliceShape.parse("2x2x1"));
      assertThat(spread.place(small)).isTrue();
      assertThat(packed.place(small)).isTrue();
    }
    StudyJob cube = new StudyJob(16, 0, 1, SliceShape.parse("4x4x4"));
    assertThat(spread.place(cube)).isFalse();
    assertThat(packed.place(cube)).isTrue();
  }

  @Test
  void withoutSwitchesCubesMustBeNeighbours() {
    CubeChoice torus = CubeChoice.torus(4, 4, 4);
    long[] free = new long[64];
    free[0] = CubeChoice.WHOLE;
    free[2] = CubeChoice.WHOLE;
    SliceShape two = SliceShape.parse("4x4x8");
    assertThat(CubeChoice.ANY.choose(free, two)).containsExactly(0, 2);
    assertThat(torus.choose(free, two)).isEmpty();
    free[3] = CubeChoice.WHOLE;
    assertThat(torus.choose(free, two)).containsExactlyInAnyOrder(2, 3);
    free[2] = 0;
    assertThat(torus.choose(free, two)).as("across the seam").containsExactlyInAnyOrder(3, 0);
    free[48] = CubeChoice.WHOLE;
    free[3] = 0;
    assertThat(torus.choose(free, two)).as("along z").containsExactlyInAnyOrder(48, 0);
    assertThat(torus.choose(free, SliceShape.parse("4x8x8"))).isEmpty();
  }

  /** First fit at any host and the library agree on whether there is room, being independent. */
  @Test
  void theLibraryFitsExactlyWhatFitsAnywhere() {
    Random random = new Random(5);
    for (int round = 0; round < 40; round++) {
      TpuFleet fleet = scenario("pods-bad-hosts").fleet(round);
      StudyPlacer first = new MeshPlacer(fleet, false, MeshRule.FIRST, CubeChoice.ANY);
      List<StudyJob> running = new ArrayList<>();
      TpuFleet now = fleet;
      for (int number = 0; number < 120; number++) {
        StudyJob job = new StudyJob(number, 0, 1, JobMix.GRID.draw(random));
        boolean fits = FleetRoom.fits(now, job.shape());
        assertThat(first.place(job)).isEqualTo(fits);
        if (fits) {
          now = FleetRoom.firstFit(now, job);
          running.add(job);
        }
        if (random.nextInt(3) == 0 && !running.isEmpty()) {
          StudyJob ended = running.remove(random.nextInt(running.size()));
          first.end(ended);
          now = now.release("job-" + ended.number());
        }
      }
    }
  }

  /** The library with its objective of the first place. */
  private static final class FleetRoom {
    private static final SliceFitter FITTER =
        SliceFitter.create().withObjective(PlacementObjective.FIRST_FIT);

    static boolean fits(TpuFleet fleet, SliceShape shape) {
      return FITTER.fit(fleet, request(shape)).isPlaced();
    }

    static TpuFleet firstFit(TpuFleet fleet, StudyJob job) {
      return fleet.allocate(TpuSlice.of(
          "job-" + job.number(),
          FITTER.fit(fleet, request(job.shape())).slices().get(0)));
    }

    private static SliceRequest request(SliceShape shape) {
      return SliceRequest.of(shape).withTurning();
    }
  }

  @Test
  void whatEndsIsFreeAgain() {
    for (StudyPolicy policy : ImmutableList.copyOf(scenario("cubes-64").policies())) {
      StudyPlacer placer = policy.factory().create(scenario("cubes-64").fleet(1), 1);
      StudyJob all = new StudyJob(0, 0, 1, SliceShape.parse("16x16x16"));
      StudyJob small = new StudyJob(1, 0, 1, SliceShape.parse("2x2x1"));
      assertThat(placer.place(all)).as(policy.name()).isTrue();
      assertThat(placer.place(small)).as(policy.name()).isFalse();
      placer.end(all);
      assertThat(placer.place(small)).as(policy.name()).isTrue();
      assertThat(placer.place(all)).as(policy.name()).isFalse();
      placer.end(small);
      assertThat(placer.place(all)).as(policy.name()).isTrue();
    }
  }

  @Test
  void movesMakeRoom() {
    TpuFleet fleet = scenario("pod-loss").fleet(1);
    StudyPlacer still = new FleetPlacer(fleet, 0);
    StudyPlacer moving = new FleetPlacer(fleet, 1);
    StudyJob[] quarters = new StudyJob[4];
    for (StudyPlacer placer : ImmutableList.of(still, moving)) {
      for (int number = 0; number < 4; number++) {
        quarters[number] = new StudyJob(number, 0, 1, SliceShape.parse("8x8"));
        assertThat(placer.place(quarters[number])).isTrue();
      }
      // Two quarters at opposite corners are left.
      placer.end(quarters[0]);
      placer.end(quarters[3]);
    }
    StudyJob half = new StudyJob(4, 0, 1, SliceShape.parse("8x16"));
    assertThat(still.place(half)).isFalse();
    assertThat(moving.place(half)).isTrue();
    assertThat(moving.moves()).isEqualTo(1);
    assertThat(moving.movedChips()).isEqualTo(64);
  }
}
