package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A generation of TPUs: how the chips of a pod are connected, which slices are valid, and how many
 * chips a host has.
 *
 * <p>The known generations are {@link #V4}, {@link #V5E}, {@link #V5P}, {@link #V6E} and
 * {@link #V7X}; others can be described by new values.
 *
 * <p>Rules: TPU-U-1, TPU-U-5, TPU-U-6, TPU-U-7, TPU-U-10.
 *
 * @param name the name, for example {@code v6e}
 * @param accelerator the value of node label {@code cloud.google.com/gke-tpu-accelerator}
 * @param acceleratorType the prefix of accelerator types, before the number
 * @param coresPerChip how much one chip adds to the number of an accelerator type
 * @param layout how the chips of a pod are connected
 * @param podChips the number of chips of a whole pod
 * @param maxSliceChips the number of chips of the largest slice
 * @param sortedAxes whether the extents of slices of several cubes must be in ascending order
 * @param shapes the valid slices in ascending order; with cubes, only those smaller than a cube
 * @param hostBoxes the boxes of chips that one host may have
 * @since 0.1.0
 */
public record TpuGeneration(
    String name,
    String accelerator,
    String acceleratorType,
    int coresPerChip,
    Layout layout,
    int podChips,
    int maxSliceChips,
    boolean sortedAxes,
    List<SliceShape> shapes,
    List<SliceShape> hostBoxes) {
  /** Copies what it is given. */
  public TpuGeneration {
    shapes = ImmutableList.copyOf(shapes);
    hostBoxes = ImmutableList.copyOf(hostBoxes);
  }

  /** How the chips of a pod are connected. */
  public enum Layout {
    /** A grid of two dimensions that closes rings only along the full edge of the pod. */
    GRID,
    /** Cubes of 4x4x4 chips; optical switches join any of them to a torus of whole cubes. */
    CUBES
  }

  /** The edge of a cube, in chips. */
  static final int CUBE_EDGE = 4;

  /** The number of chips of a cube. */
  static final int CUBE_CHIPS = CUBE_EDGE * CUBE_EDGE * CUBE_EDGE;

  /** The extent along which a grid closes a ring, in chips. */
  private static final int GRID_EDGE = 16;

  private static final ImmutableList<SliceShape> GRID_SHAPES =
      shapes("1x1", "2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16");
  private static final ImmutableList<SliceShape> PARTS_OF_CUBE =
      shapes("2x2x1", "2x2x2", "2x2x4", "2x4x4");
  private static final ImmutableList<SliceShape> CUBES_IN_STEPS =
      shapes("4x4x4", "4x4x8", "4x8x8", "8x8x8", "8x8x16", "8x16x16", "16x16x16");
  private static final ImmutableList<SliceShape> GRID_HOSTS = shapes("1x1", "2x2", "2x4");
  private static final ImmutableList<SliceShape> CUBE_HOSTS = shapes("2x2x1");

  /** Hosts of one chip, each a slice by itself, and hosts in cubes. */
  private static final ImmutableList<SliceShape> V7X_HOSTS = shapes("1x1x1", "2x2x1");

  private static final ImmutableList<SliceShape> V7X_PARTS =
      shapes("1x1x1", "2x2x1", "2x2x2", "2x2x4", "2x4x4");

  /** TPU v4: 64 cubes. */
  public static final TpuGeneration V4 = cubes("v4", "tpu-v4-podslice", "v4-", 4096, 4096, false);

  /** TPU v5e: a pod of 16x16 chips. */
  public static final TpuGeneration V5E = grid("v5e", "tpu-v5-lite-podslice", "v5litepod-");

  /** TPU v5p: 140 cubes, slices of at most 96 of them. */
  public static final TpuGeneration V5P = cubes("v5p", "tpu-v5p-slice", "v5p-", 8960, 6144, true);

  /** TPU v6e (Trillium): a pod of 16x16 chips. */
  public static final TpuGeneration V6E = grid("v6e", "tpu-v6e-slice", "v6e-");

  /** TPU v7x (Ironwood): 144 cubes. */
  public static final TpuGeneration V7X = new TpuGeneration(
      "v7x", "tpu7x", "tpu7x-", 2, Layout.CUBES, 9216, 9216, true, V7X_PARTS, V7X_HOSTS);

  /** All known generations, oldest first. */
  public static final List<TpuGeneration> ALL = ImmutableList.of(V4, V5E, V5P, V6E, V7X);

  private static TpuGeneration grid(String name, String accelerator, String type) {
    return new TpuGeneration(
        name, accelerator, type, 1, Layout.GRID, 256, 256, true, GRID_SHAPES, GRID_HOSTS);
  }

  private static TpuGeneration cubes(
      String name, String accelerator, String type, int pod, int slice, boolean sorted) {
    return new TpuGeneration(
        name, accelerator, type, 2, Layout.CUBES, pod, slice, sorted, PARTS_OF_CUBE, CUBE_HOSTS);
  }

  private static ImmutableList<SliceShape> shapes(String... shapes) {
    return Stream.of(shapes).map(SliceShape::parse).collect(toImmutableList());
  }

  /**
   * {@return the generation whose nodes have this value of the label
   * {@code cloud.google.com/gke-tpu-accelerator}, empty if it is unknown}
   */
  public static Optional<TpuGeneration> ofAccelerator(String accelerator) {
    return ALL.stream().filter(row -> row.accelerator.equals(accelerator)).findFirst();
  }

  /**
   * Explains why a shape is not a valid slice of this generation.
   *
   * @param shape the shape
   * @return what was given and what would be valid; empty if the shape is valid
   */
  public Optional<String> problem(SliceShape shape) {
    return ShapeRules.problem(this, shape);
  }

  /** {@return the number of dimensions of slices, 2 or 3} */
  public int dimensions() {
    return layout == Layout.GRID ? 2 : 3;
  }

  /**
   * Finds the box of chips of one host.
   *
   * @param chips the chips that one pod requests, {@code google.com/tpu}
   * @return the box
   * @throws IllegalArgumentException if no host of this generation has so many chips
   */
  public SliceShape hostBox(int chips) {
    Optional<SliceShape> box =
        hostBoxes.stream().filter(each -> each.chips() == chips).findFirst();
    checkArgument(
        box.isPresent(),
        "hosts of %s chips in generation %s, expected boxes of %s",
        chips,
        name,
        hostBoxes);
    return box.orElseThrow();
  }

  /** {@return the accelerator type of a slice, for example {@code v6e-32} or {@code v5p-128}} */
  public String acceleratorType(SliceShape shape) {
    return acceleratorType + (long) shape.chips() * coresPerChip;
  }

  /** {@return whether a slice of this shape closes a ring along an axis; 0 for x} */
  public boolean isRing(SliceShape shape, int axis) {
    if (layout == Layout.GRID) {
      return shape.extent(axis) == GRID_EDGE;
    }
    return shape.x() >= CUBE_EDGE && shape.y() >= CUBE_EDGE && shape.z() >= CUBE_EDGE;
  }

  /** {@return the block shapes that measure room, largest first; each divides the one before} */
  ImmutableList<SliceShape> blocks() {
    Stream<SliceShape> more = layout == Layout.GRID ? Stream.empty() : CUBES_IN_STEPS.stream();
    return Stream.concat(shapes.stream(), more).collect(toImmutableList()).reverse();
  }
}
