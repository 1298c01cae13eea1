package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The results of the points of a grid, or of some of them.
 *
 * @param digest the hash of the grid and its files
 * @param version the version of the program that simulated it
 * @param axes the axes of the grid
 * @param part which part of the points this is, empty if it is the whole grid
 * @param points the results in the order of the points
 */
public record SweepResult(
    String digest,
    String version,
    ImmutableList<Axis> axes,
    Optional<Part> part,
    ImmutableList<PointResult> points) {
  /** Sorts the points. */
  public SweepResult {
    points = ImmutableList.sortedCopyOf(Comparator.comparingInt(PointResult::point), points);
  }

  /**
   * A part of the points of a grid: every {@code of}-th, beginning with {@code index}.
   *
   * @param index the number of the part, from 0
   * @param of the number of parts
   */
  public record Part(int index, int of) {
    /** {@return whether a point belongs to this part} */
    public boolean contains(int point) {
      return point % of == index;
    }

    @Override
    public String toString() {
      return index + " of " + of;
    }
  }

  /** {@return the number of points of the whole grid} */
  public int size() {
    return axes.stream().mapToInt(axis -> axis.values().size()).reduce(1, (a, b) -> a * b);
  }

  /** {@return the axes with several values} */
  public ImmutableList<Axis> varying() {
    return axes.stream().filter(Axis::varies).collect(ImmutableList.toImmutableList());
  }

  /** {@return the values of a point by the names of the axes} */
  public ImmutableMap<String, String> values(PointResult result) {
    return SweepGrid.values(axes, result.point());
  }

  /** {@return the same grid with these results} */
  SweepResult with(Optional<Part> otherPart, List<PointResult> results) {
    return new SweepResult(digest, version, axes, otherPart, ImmutableList.copyOf(results));
  }
}
