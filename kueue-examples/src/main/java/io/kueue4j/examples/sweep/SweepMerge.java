package io.kueue4j.examples.sweep;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.examples.simulation.InputException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Joins the results of the parts of a grid. */
public final class SweepMerge {
  private static final int MAX_NAMED = 10;

  private SweepMerge() {}

  /**
   * {@return the result of the whole grid}
   *
   * @param parts the parts by the names of their files
   * @throws InputException if they are of different grids, or a point is missing or there twice
   */
  public static SweepResult merge(Map<String, SweepResult> parts) {
    Map.Entry<String, SweepResult> first = parts.entrySet().iterator().next();
    SweepResult grid = first.getValue();
    Map<Integer, String> files = new TreeMap<>();
    ImmutableList.Builder<PointResult> points = ImmutableList.builder();
    parts.forEach((file, part) -> {
      checkSameGrid(first.getKey(), grid, file, part);
      for (PointResult point : part.points()) {
        String other = files.put(point.point(), file);
        if (other != null) {
          throw new InputException(
              file + ": point " + point.point() + " is in " + other + ", too; name each part once");
        }
        points.add(point);
      }
    });
    checkComplete(grid, files, parts);
    return grid.with(Optional.empty(), points.build());
  }

  private static void checkSameGrid(
      String firstFile, SweepResult first, String file, SweepResult part) {
    if (!part.version().equals(first.version())) {
      throw new InputException(file + ": made by version " + part.version() + ", but " + firstFile
          + " by " + first.version() + "; run all parts by one version");
    }
    if (!part.digest().equals(first.digest()) || !part.axes().equals(first.axes())) {
      throw new InputException(file + ": of another grid than " + firstFile
          + ", or of other files; run all parts with the same input");
    }
  }

  private static void checkComplete(
      SweepResult grid, Map<Integer, String> files, Map<String, SweepResult> parts) {
    ImmutableSortedSet.Builder<Integer> missing = ImmutableSortedSet.naturalOrder();
    for (int point = 0; point < grid.size(); point++) {
      if (!files.containsKey(point)) {
        missing.add(point);
      }
    }
    ImmutableSortedSet<Integer> points = missing.build();
    if (points.isEmpty()) {
      return;
    }
    int of = parts.values().stream()
        .flatMap(part -> part.part().stream())
        .mapToInt(SweepResult.Part::of)
        .max()
        .orElse(1);
    ImmutableSortedSet<Integer> indexes = points.stream()
        .map(point -> point % of)
        .collect(ImmutableSortedSet.toImmutableSortedSet(Integer::compareTo));
    throw new InputException(points.size() + " of " + grid.size() + " points are missing: "
        + named(points)
        + (of > 1 ? "; of " + of + " parts, run and name those with index " + named(indexes) : ""));
  }

  private static String named(ImmutableSortedSet<Integer> numbers) {
    return Joiner.on(", ").join(numbers.stream().limit(MAX_NAMED).iterator())
        + (numbers.size() > MAX_NAMED ? " and " + (numbers.size() - MAX_NAMED) + " more" : "");
  }
}
