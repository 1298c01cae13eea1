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
 * Settings and the steps to do to an engine that has them. Immutable; may be played as often as one
 * likes, against any engine.
 *
 * <p>A scenario has a text of one line, {@link #toString}, from which {@link #parse} makes an equal
 * scenario again:
 *
 * <pre>{@code
 * settings apply(flavor(f) queue(q all group(f(f gpu(2)))) local(ns lq q)) submit(ns w lq set(main 1 ask(gpu 2))) cycle
 * }</pre>
 *
 * <p>A line {@code seed:17} stands for the scenario that {@link ScenarioGenerator#create()} makes
 * from that seed; it is shorter, and means something else once the generator is changed.
 *
 * @param settings the settings of the engine
 * @param steps the steps
 */
public record Scenario(Settings settings, ImmutableList<Step> steps) {
  /** The time at which every scenario starts. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final String SEED = "seed:";

  /** {@return the scenario of {@code steps} with default settings} */
  public static Scenario of(Step... steps) {
    return new Scenario(Settings.defaults(), ImmutableList.copyOf(steps));
  }

  /**
   * {@return the scenario that {@code line} describes}
   *
   * @throws IllegalArgumentException if the line does not describe one; the message says where
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
   * @return what came of each step
   */
  public ImmutableList<PlayedStep> play(EngineUnderTest.Factory factory) {
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
   * {@return the scenarios that have a little less: without some steps, without an object that is
   * applied, or with a default setting; those that save most come first}
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
