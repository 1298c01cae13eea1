package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.math.LongMath;
import com.google.common.primitives.ImmutableIntArray;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A grid of simulations: each combination of a history, a configuration, a policy, the values of
 * all steps, a load and a seed is a point. Points are numbered from 0; the last axis changes first.
 *
 * @param histories the histories, at least one
 * @param configurations the configurations, at least one
 * @param policies the policies, at least one
 * @param steps the amounts that take several values
 * @param load the loads and seeds
 * @param axes the axes
 */
public record SweepGrid(
    ImmutableList<GridHistory> histories,
    ImmutableList<GridConfiguration> configurations,
    ImmutableList<Policy> policies,
    ImmutableList<Step> steps,
    Load load,
    ImmutableList<Axis> axes) {
  /** The largest number of points. */
  public static final int MAX_POINTS = 100_000;

  /** {@return the grid of these} */
  static SweepGrid of(
      ImmutableList<GridHistory> histories,
      ImmutableList<GridConfiguration> configurations,
      ImmutableList<Policy> policies,
      ImmutableList<Step> steps,
      Load load) {
    ImmutableList.Builder<Axis> axes = ImmutableList.builder();
    axes.add(axis("history", histories, GridHistory::name))
        .add(axis("configuration", configurations, GridConfiguration::name))
        .add(axis("policy", policies, Policy::name));
    steps.forEach(step -> axes.add(new Axis(step.name(), true, step.values())));
    axes.add(new Axis("submissions", true, factors(load.submissions())))
        .add(new Axis("durations", true, factors(load.durations())))
        .add(
            load.seeds().isEmpty()
                ? new Axis(Axis.SEED, false, ImmutableList.of("none"))
                : axis(Axis.SEED, load.seeds(), String::valueOf));
    return new SweepGrid(histories, configurations, policies, steps, load, axes.build());
  }

  private static <T> Axis axis(String name, List<T> values, Function<T, String> text) {
    return new Axis(name, false, values.stream().map(text).collect(toImmutableList()));
  }

  private static ImmutableList<String> factors(List<BigDecimal> factors) {
    return factors.stream().map(BigDecimal::toPlainString).collect(toImmutableList());
  }

  /** {@return the number of points, {@link Long#MAX_VALUE} if it does not fit into a long} */
  public long size() {
    long size = 1;
    for (Axis axis : axes) {
      size = LongMath.saturatedMultiply(size, axis.values().size());
    }
    return size;
  }

  /** {@return the point of that number} */
  public Point point(int number) {
    return new Point(number, indexes(axes, number));
  }

  /** {@return the positions of the values of a point on each axis} */
  static ImmutableIntArray indexes(List<Axis> axes, int point) {
    int[] indexes = new int[axes.size()];
    int rest = point;
    for (int i = axes.size() - 1; i >= 0; i--) {
      int values = axes.get(i).values().size();
      indexes[i] = rest % values;
      rest /= values;
    }
    return ImmutableIntArray.copyOf(indexes);
  }

  /** {@return the values of a point by the names of the axes} */
  static ImmutableMap<String, String> values(List<Axis> axes, int point) {
    ImmutableIntArray indexes = indexes(axes, point);
    ImmutableMap.Builder<String, String> values = ImmutableMap.builder();
    for (int i = 0; i < axes.size(); i++) {
      values.put(axes.get(i).name(), axes.get(i).values().get(indexes.get(i)));
    }
    return values.buildOrThrow();
  }

  /** A point of the grid. */
  public final class Point {
    private static final int FIRST_STEP = 3;
    private final int number;
    private final ImmutableIntArray indexes;

    private Point(int number, ImmutableIntArray indexes) {
      this.number = number;
      this.indexes = indexes;
    }

    /** {@return its number} */
    public int number() {
      return number;
    }

    /** {@return its history} */
    public GridHistory history() {
      return histories.get(indexes.get(0));
    }

    /** {@return its configuration} */
    public GridConfiguration configuration() {
      return configurations.get(indexes.get(1));
    }

    /** {@return its policy} */
    public Policy policy() {
      return policies.get(indexes.get(2));
    }

    /** {@return the position of its value of a step} */
    public int value(int step) {
      return indexes.get(FIRST_STEP + step);
    }

    /** {@return its factor on the number of jobs per time} */
    public BigDecimal submissions() {
      return load.submissions().get(indexes.get(FIRST_STEP + steps.size()));
    }

    /** {@return its factor on durations} */
    public BigDecimal durations() {
      return load.durations().get(indexes.get(FIRST_STEP + steps.size() + 1));
    }

    /** {@return its seed, empty if the history is taken as it is} */
    public OptionalLong seed() {
      return load.seeds().isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of(load.seeds().get(indexes.get(FIRST_STEP + steps.size() + 2)));
    }
  }
}
