package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.examples.simulation.InputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Searches for the smallest amount with which a goal is met, once for each combination of the
 * values of the other axes. If there are seeds, the goal is to be met with all of them. It is not
 * met if more jobs never finish than with the largest amount, since they do not fit.
 */
public final class GoalSearch {
  private final ImmutableList<Axis> axes;
  private final Goal goal;
  private final int along;
  private final ImmutableList<Line> lines;

  /**
   * Creates a search.
   *
   * @param axes the axes of the grid
   * @param goal the goal
   * @param name the name of the axis with the amounts; empty if there is only one
   * @throws InputException if there is no such axis, or several come into question
   */
  public GoalSearch(List<Axis> axes, Goal goal, Optional<String> name) {
    this.axes = ImmutableList.copyOf(axes);
    this.goal = goal;
    this.along = along(name);
    this.lines = lines();
  }

  /** The points that differ in the amount and the seed only. */
  private record Line(
      ImmutableMap<String, String> others, ImmutableList<ImmutableList<Integer>> points) {}

  /**
   * The answer for one combination of the values of the other axes.
   *
   * @param others these values, of the axes with several
   * @param amount the smallest amount with which the goal is met; empty if there is none
   * @param unfinished how many jobs never finish with this amount, at most of all seeds
   * @param isMonotone whether the goal is met with all larger amounts that were simulated, too
   */
  public record Answer(
      ImmutableMap<String, String> others,
      Optional<String> amount,
      int unfinished,
      boolean isMonotone) {}

  private int along(Optional<String> name) {
    List<Integer> candidates = IntStream.range(0, axes.size())
        .filter(i -> isAmount(axes.get(i)))
        .filter(i -> name.isEmpty() ? axes.get(i).varies() : axes.get(i).name().equals(name.get()))
        .boxed()
        .toList();
    if (candidates.size() != 1) {
      String amounts = Joiner.on(", ")
          .join(axes.stream().filter(GoalSearch::isAmount).map(Axis::name).iterator());
      throw new InputException("--along: "
          + (name.isPresent()
              ? "there are no quotas or nodes with the name '" + name.get() + "'"
              : "the grid has " + candidates.size() + " quotas or numbers of nodes with several"
                  + " values")
          + "; expected the name of one" + (amounts.isEmpty() ? "" : " of " + amounts));
    }
    return candidates.get(0);
  }

  private static boolean isAmount(Axis axis) {
    return axis.isNumeric()
        && !axis.name().equals("submissions")
        && !axis.name().equals("durations");
  }

  private ImmutableList<Line> lines() {
    int size = axes.stream().mapToInt(axis -> axis.values().size()).reduce(1, (a, b) -> a * b);
    Map<ImmutableMap<String, String>, List<List<Integer>>> byOthers = new LinkedHashMap<>();
    for (int point = 0; point < size; point++) {
      ImmutableMap.Builder<String, String> others = ImmutableMap.builder();
      SweepGrid.values(axes, point).forEach((axis, value) -> {
        if (!axis.equals(axes.get(along).name()) && !axis.equals(Axis.SEED) && varies(axis)) {
          others.put(axis, value);
        }
      });
      byOthers
          .computeIfAbsent(
              others.buildOrThrow(),
              unused -> IntStream.range(0, amounts())
                  .<List<Integer>>mapToObj(i -> new ArrayList<>())
                  .toList())
          .get(SweepGrid.indexes(axes, point).get(along))
          .add(point);
    }
    return byOthers.entrySet().stream()
        .map(line -> new Line(
            line.getKey(),
            line.getValue().stream().map(ImmutableList::copyOf).collect(toImmutableList())))
        .collect(toImmutableList());
  }

  private boolean varies(String name) {
    return axes.stream().anyMatch(axis -> axis.name().equals(name) && axis.varies());
  }

  private int amounts() {
    return axes.get(along).values().size();
  }

  /** {@return the goal} */
  public Goal goal() {
    return goal;
  }

  /** {@return the name of the axis with the amounts} */
  public String axis() {
    return axes.get(along).name();
  }

  /** {@return the answers by the points that were simulated} */
  public ImmutableList<Answer> answers(List<PointResult> results) {
    Map<Integer, PointResult> byPoint = byPoint(results);
    return lines.stream().map(line -> answer(line, byPoint)).collect(toImmutableList());
  }

  private Answer answer(Line line, Map<Integer, PointResult> results) {
    int smallest = -1;
    boolean monotone = true;
    for (int amount = 0; amount < amounts(); amount++) {
      boolean known = results.keySet().containsAll(line.points().get(amount));
      if (known && isMet(line, amount, results)) {
        smallest = smallest < 0 ? amount : smallest;
      } else if (known && smallest >= 0) {
        monotone = false;
      }
    }
    return new Answer(
        line.others(),
        smallest < 0 ? Optional.empty() : Optional.of(axes.get(along).values().get(smallest)),
        smallest < 0 ? 0 : unfinished(line.points().get(smallest), results),
        monotone);
  }

  private boolean isMet(Line line, int amount, Map<Integer, PointResult> results) {
    ImmutableList<Integer> points = line.points().get(amount);
    ImmutableList<Integer> largest = line.points().get(amounts() - 1);
    return IntStream.range(0, points.size()).allMatch(seed -> {
      PointResult result = results.get(points.get(seed));
      PointResult most = results.get(largest.get(seed));
      return result != null && goal.isMet(result, most == null ? 0 : Goal.unfinished(most));
    });
  }

  private static int unfinished(List<Integer> points, Map<Integer, PointResult> results) {
    return points.stream()
        .map(results::get)
        .filter(Objects::nonNull)
        .mapToInt(Goal::unfinished)
        .max()
        .orElse(0);
  }

  private static Map<Integer, PointResult> byPoint(List<PointResult> results) {
    Map<Integer, PointResult> byPoint = new HashMap<>();
    results.forEach(result -> byPoint.put(result.point(), result));
    return byPoint;
  }

  /**
   * {@return the results of the points that a bisection simulates, which finds the smallest amount
   * if the goal is met with every amount above one with which it is met}
   *
   * @param simulate simulates points, some of which may be missing in its answer: then it ends
   */
  public ImmutableList<PointResult> bisect(
      Function<List<Integer>, ImmutableList<PointResult>> simulate) {
    Map<Integer, PointResult> results = new HashMap<>();
    List<Bisection> open = new ArrayList<>(
        lines.stream().map(line -> new Bisection(line, amounts())).toList());
    while (!open.isEmpty()) {
      ImmutableList<Integer> next =
          open.stream().flatMap(line -> line.points().stream()).collect(toImmutableList());
      ImmutableList<PointResult> found = simulate.apply(next);
      found.forEach(result -> results.put(result.point(), result));
      if (found.size() < next.size()) {
        break;
      }
      open.forEach(each -> each.narrow(isMet(each.line, each.middle, results)));
      open.removeIf(Bisection::isDone);
    }
    return ImmutableList.sortedCopyOf(
        Comparator.comparingInt(PointResult::point), results.values());
  }

  /** The amounts of a line that still come into question as the smallest. */
  private static final class Bisection {
    private final Line line;
    private int low;
    private int high;

    /** The amount to try next: at first the largest, for if it is too small, so are all others. */
    private int middle;

    Bisection(Line line, int amounts) {
      this.line = line;
      this.high = amounts;
      this.middle = amounts - 1;
    }

    ImmutableList<Integer> points() {
      return line.points().get(middle);
    }

    void narrow(boolean isMet) {
      if (isMet) {
        high = middle;
      } else {
        low = middle + 1;
      }
      middle = (low + high) >>> 1;
    }

    boolean isDone() {
      return low >= high;
    }
  }
}
