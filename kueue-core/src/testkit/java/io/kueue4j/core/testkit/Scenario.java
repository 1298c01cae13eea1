package io.kueue4j.core.testkit;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings of an engine, and steps to execute on it. Immutable; may be played any number of
 * times, against any engine.
 *
 * <p>A scenario has a text of one line, {@link #toString}, which {@link #parse} converts back to an
 * equal scenario:
 *
 * <pre>{@code
 * settings apply(flavor(f) queue(q all group(f(f gpu(2)))) local(ns lq q)) submit(ns w lq set(main 1 ask(gpu 2))) cycle
 * }</pre>
 *
 * <p>A line {@code seed:17} stands for the scenario that {@link ScenarioGenerator#create()}
 * generates from that seed; it is shorter, but changes its meaning with the generator.
 *
 * @param settings the settings of the engine
 * @param steps the steps
 */
public record Scenario(Settings settings, List<Step> steps) {
  /** Copies what it is given. */
  public Scenario {
    steps = ImmutableList.copyOf(steps);
  }

  /** The time at which every scenario starts. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final String SEED = "seed:";

  /** {@return a scenario of {@code steps} with default settings} */
  public static Scenario of(Step... steps) {
    return new Scenario(Settings.defaults(), ImmutableList.copyOf(steps));
  }

  /**
   * {@return the scenario described by {@code line}}
   *
   * @throws IllegalArgumentException if the line is malformed; the message names the position
   */
  public static Scenario parse(String line) {
    String text = line.strip();
    if (!text.startsWith(SEED)) {
      return ScenarioText.parse(text);
    }
    try {
      return ScenarioGenerator.create().scenario(Long.parseLong(text.substring(SEED.length())));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "cannot read the scenario \"" + text + "\"; expected an integer after " + SEED, e);
    }
  }

  /**
   * Plays the scenario.
   *
   * @return the result of each step
   */
  public List<PlayedStep> play(EngineUnderTest.Factory factory) {
    Player player = new Player(factory, settings);
    return steps.stream().map(player::playAndObserve).collect(toImmutableList());
  }

  /** {@return this scenario and then {@code more} steps} */
  public Scenario then(Iterable<? extends Step> more) {
    return new Scenario(
        settings, ImmutableList.<Step>builder().addAll(steps).addAll(more).build());
  }

  /** {@return this scenario without {@code count} steps, from the one of index {@code from} on} */
  public Scenario without(int from, int count) {
    checkArgument(
        from >= 0 && count >= 0 && from + count <= steps.size(),
        "cannot drop %s steps from index %s on, there are %s",
        count,
        from,
        steps.size());
    List<Step> rest = new ArrayList<>(steps.subList(0, from));
    rest.addAll(steps.subList(from + count, steps.size()));
    return new Scenario(settings, ImmutableList.copyOf(rest));
  }

  /**
   * {@return the reduced scenarios: without some steps, without an object that is applied, or with
   * a default setting; the largest reductions first}
   */
  public Stream<Scenario> reductions() {
    return Reductions.of(this);
  }

  /** {@return the scenario in one line, for {@link #parse}} */
  @Override
  public String toString() {
    return ScenarioText.print(settings, steps);
  }
}
