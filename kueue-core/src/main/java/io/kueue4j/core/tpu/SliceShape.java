package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.util.List;

/**
 * The extents of a box of chips, such as {@code 4x8} or {@code 4x4x8}: a slice, a pool, or the
 * chips of one host.
 *
 * <p>Shapes of two and three dimensions differ: {@code 2x2} is not {@code 2x2x1}.
 * {@link TpuGeneration#problem} decides which shapes are valid slices of a generation.
 *
 * <p>Rules: TPU-F-5, TPU-U-13.
 *
 * @param dimensions 2 or 3
 * @param x the number of chips along the first axis, at least 1
 * @param y the number of chips along the second axis, at least 1
 * @param z the number of chips along the third axis, at least 1; 1 if there are two dimensions
 * @since 0.1.0
 */
public record SliceShape(int dimensions, int x, int y, int z) {
  /** Larger than any machine; keeps products within 32 bits. */
  static final int MAX_EXTENT = 1024;

  private static final int MAX_DIGITS = 4;

  /**
   * Creates the shape.
   *
   * @throws IllegalArgumentException if an extent is out of range, or {@code z} is not 1 in two
   *     dimensions
   */
  public SliceShape {
    checkArgument(
        dimensions == 2 || dimensions == 3,
        "a shape of %s dimensions, expected 2 or 3",
        dimensions);
    checkExtent(x);
    checkExtent(y);
    checkExtent(z);
    checkArgument(
        dimensions == 3 || z == 1, "third extent %s of a shape of 2 dimensions, expected 1", z);
  }

  private static void checkExtent(int extent) {
    checkArgument(
        extent >= 1 && extent <= MAX_EXTENT,
        "an extent of %s chips, expected 1 to %s",
        extent,
        MAX_EXTENT);
  }

  /**
   * {@return the two-dimensional shape}
   *
   * @throws IllegalArgumentException if an extent is not 1 to 1024
   */
  public static SliceShape of(int x, int y) {
    return new SliceShape(2, x, y, 1);
  }

  /**
   * {@return the three-dimensional shape}
   *
   * @throws IllegalArgumentException if an extent is not 1 to 1024
   */
  public static SliceShape of(int x, int y, int z) {
    return new SliceShape(3, x, y, z);
  }

  /**
   * Parses a topology in GKE's notation.
   *
   * @param text for example {@code 4x8} or {@code 4x4x8}
   * @return the shape
   * @throws IllegalArgumentException if it is not two or three numbers with {@code x} between them
   */
  public static SliceShape parse(String text) {
    List<String> parts = Splitter.on('x').splitToList(text);
    boolean numbers = parts.stream()
        .allMatch(part -> !part.isEmpty()
            && part.length() <= MAX_DIGITS
            && part.charAt(0) != '0'
            && CharMatcher.inRange('0', '9').matchesAllOf(part));
    checkArgument(
        numbers && (parts.size() == 2 || parts.size() == 3),
        "\"%s\" is not a topology, expected two or three numbers of chips such as 4x8 or 4x4x8",
        text);
    int x = Integer.parseInt(parts.get(0));
    int y = Integer.parseInt(parts.get(1));
    return parts.size() == 2 ? of(x, y) : of(x, y, Integer.parseInt(parts.get(2)));
  }

  /** {@return the number of chips} */
  public int chips() {
    return x * y * z;
  }

  /** {@return the extent in chips along an axis: 0 for x, 1 for y, 2 for z} */
  public int extent(int axis) {
    return axis == 0 ? x : axis == 1 ? y : z;
  }

  /**
   * {@return this shape turned: its extents along the axes of the pool}
   *
   * @throws IllegalArgumentException if it has two dimensions and would extend along the third axis
   */
  public SliceShape turned(AxisOrder order) {
    return new SliceShape(
        dimensions,
        extent(order.sliceAxis(0)),
        extent(order.sliceAxis(1)),
        extent(order.sliceAxis(2)));
  }

  /**
   * {@return whether a torus of this shape can be twisted: two extents, both multiples of 4, one
   * twice the other}
   */
  public boolean isTwistable() {
    int low = Math.min(x, Math.min(y, z));
    int high = Math.max(x, Math.max(y, z));
    int middle = x + y + z - low - high;
    return dimensions == 3 && low % 4 == 0 && high == 2 * low && (middle == low || middle == high);
  }

  /** {@return the shape in GKE's notation} */
  @Override
  public String toString() {
    return dimensions == 2 ? x + "x" + y : x + "x" + y + "x" + z;
  }
}
