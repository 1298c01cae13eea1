package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Makes scenarios from seeds: the same seed gives the same scenario on every JVM. Immutable.
 *
 * <p>A scenario configures a small cluster, then mixes steps so that workloads compete for little
 * quota: bursts of submissions, cycles, trials, workloads that finish, victims that stop late or
 * never, and changes of everything while it is in use. To tell steps that mean something, such as
 * that a victim's pods have stopped, the generator plays what it makes against an
 * {@link io.kueue4j.core.AdmissionEngine}; the steps that it tells are complete in themselves and
 * may be played against any engine.
 */
public final class ScenarioGenerator {
  private final ScenarioOptions options;

  /** The themes of which all features are allowed. */
  private final ImmutableList<Theme> themes;

  private ScenarioGenerator(ScenarioOptions options) {
    this.options = options;
    this.themes = Arrays.stream(Theme.values())
        .filter(theme -> options.features().containsAll(theme.features()))
        .collect(ImmutableList.toImmutableList());
  }

  /** {@return a generator with default options} */
  public static ScenarioGenerator create() {
    return create(ScenarioOptions.defaults());
  }

  /** {@return a generator of what {@code options} allow} */
  public static ScenarioGenerator create(ScenarioOptions options) {
    return new ScenarioGenerator(options);
  }

  /** {@return the scenario of {@code seed}} */
  public Scenario scenario(long seed) {
    Dice dice = new Dice(seed);
    ImmutableSortedSet<Feature> features = features(dice, new Dice(~seed));
    Temper temper = Temper.of(dice, options.steps());
    Settings settings = SettingsGenerator.settings(dice, features);
    StepGenerator steps = new StepGenerator(
        dice, new ClusterGenerator(dice, options, features, temper), features, temper);
    return new Scenario(settings, guided(settings, steps, temper.steps()));
  }

  /**
   * {@return a part of the features}
   *
   * @param dice decides on all but topology
   * @param own decides on topology; by dice of its own, so that scenarios without it are as if
   *     there were no such feature
   */
  private ImmutableSortedSet<Feature> features(Dice dice, Dice own) {
    Theme theme = dice.pick(themes);
    boolean hasTopology = options.features().contains(Feature.TOPOLOGY)
        && own.oneIn(theme.features().contains(Feature.TOPOLOGY) ? 2 : 4);
    return options.features().stream()
        .filter(feature -> feature == Feature.TOPOLOGY
            ? hasTopology
            : theme.has(feature, dice) && !(hasTopology && isLeftOut(feature)))
        .collect(toImmutableSortedSet(Comparator.naturalOrder()));
  }

  /** {@return whether a feature does not go with topology: nodes are of ordinary size} */
  private static boolean isLeftOut(Feature feature) {
    return feature == Feature.HUGE_AMOUNTS;
  }

  private static ImmutableList<Step> guided(Settings settings, StepGenerator generator, int least) {
    ImmutableList.Builder<Step> steps = ImmutableList.builder();
    Player guide = new Player(AdmissionEngineUnderTest::create, settings);
    int count = -1;
    ImmutableList<Step> next = generator.first();
    while (count < least) {
      for (Step step : next) {
        steps.add(step);
        count++;
        try {
          generator.note(step, guide.play(step));
        } catch (RuntimeException | AssertionError e) {
          // The guide is broken; who plays the scenario will see it.
          return steps.build();
        }
      }
      next = generator.next(guide.observe());
    }
    return steps.build();
  }
}
