package io.kueue4j.examples.tpu.study;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.TpuFleet;

/**
 * A placement strategy for slices.
 *
 * @param name its name on the command line
 * @param description a description
 * @param factory creates the placer
 */
public record StudyPolicy(String name, String description, Factory factory) {
  /** Creates the placer of one simulation. */
  interface Factory {
    /** {@return a placer on a free fleet; the seed determines its random choices} */
    StudyPlacer create(TpuFleet fleet, long seed);
  }

  private static final StudyPolicy OURS = ours(0);
  private static final StudyPolicy BOUND = new StudyPolicy(
      "count-bound",
      "wherever enough hosts are free, which no geometry allows: the bound",
      (fleet, seed) -> new CountPlacer(fleet));

  /** Strategies for pods that are grids. */
  static final ImmutableList<StudyPolicy> GRID = ImmutableList.of(
      mesh("first-fit", "first fit at any host, turned or not", false, MeshRule.FIRST),
      mesh("aligned-first-fit", "first fit of aligned blocks", true, MeshRule.FIRST),
      mesh("aligned-buddy", "the smallest free aligned block", true, MeshRule.BUDDY),
      mesh(
          "largest-rectangle",
          "largest free rectangle shrinks least (MFP)",
          false,
          MeshRule.LARGEST_RECTANGLE),
      mesh("contact", "fewest free hosts around the slice", false, MeshRule.CONTACT),
      mesh(
          "gradient",
          "fewest places lost to other slices, without knowing the mix (FGD)",
          false,
          MeshRule.GRADIENT),
      OURS,
      ours(1),
      ours(2),
      ours(4),
      BOUND);

  /** Strategies for cubes. */
  static final ImmutableList<StudyPolicy> CUBES = ImmutableList.of(
      new StudyPolicy(
          "random",
          "any aligned part of a cube, with equal odds",
          (fleet, seed) -> new MeshPlacer(fleet, true, MeshRule.random(seed), CubeChoice.ANY)),
      mesh("spread", "emptiest cube", true, MeshRule.SPREAD),
      mesh("first-fit", "first aligned part of a cube that is free", true, MeshRule.FIRST),
      mesh(
          "level-by-level",
          "best fit at each level of labels, as Kueue does",
          true,
          MeshRule.LEVEL_BY_LEVEL),
      mesh("buddy", "the smallest free aligned block", true, MeshRule.BUDDY),
      OURS,
      ours(1),
      ours(2),
      BOUND);

  private static StudyPolicy mesh(String name, String words, boolean aligned, MeshRule rule) {
    return new StudyPolicy(
        name, words, (fleet, seed) -> new MeshPlacer(fleet, aligned, rule, CubeChoice.ANY));
  }

  private static StudyPolicy ours(int maxMoves) {
    return new StudyPolicy(
        maxMoves == 0 ? "kueue4j" : "kueue4j-moves-" + maxMoves,
        maxMoves == 0
            ? "the library's default objective"
            : "the same, and at most %d slice%s moved to make room"
                .formatted(maxMoves, maxMoves == 1 ? "" : "s"),
        (fleet, seed) -> new FleetPlacer(fleet, maxMoves));
  }

  /** {@return first fit on cubes joined to a fixed torus of that many cubes along each axis} */
  static StudyPolicy withoutSwitches(int width, int height, int depth) {
    return new StudyPolicy(
        "torus-first-fit",
        "first fit on the same cubes without optical switches, %dx%dx%d of them"
            .formatted(width, height, depth),
        (fleet, seed) ->
            new MeshPlacer(fleet, true, MeshRule.FIRST, CubeChoice.torus(width, height, depth)));
  }
}
