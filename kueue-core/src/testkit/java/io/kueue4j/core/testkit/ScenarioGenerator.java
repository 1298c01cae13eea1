package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableSortedSet.toImmutableSortedSet;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Generates scenarios from seeds: the same seed yields the same scenario on every JVM. Immutable.
 *
 * <p>A scenario configures a small cluster, then mixes steps so that workloads compete for little
 * quota: bursts of submissions, cycles, trials, workloads that finish, victims that stop late or
 * never, and changes of all objects while they are in use. To generate meaningful steps, such as
 * that a victim's pods have stopped, the generator plays them against an
 * {@link io.kueue4j.core.AdmissionEngine}; the resulting steps are self-contained and may be played
 * against any engine.
 */
public final class ScenarioGenerator {
  private final ScenarioOptions options;

  /** The themes whose features are all allowed. */
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

  /** {@return a generator for {@code options}} */
  public static ScenarioGenerator create(ScenarioOptions options) {
    return new ScenarioGenerator(options);
  }

  /** {@return the scenario of {@code seed}} */
  public Scenario scenario(long seed) {
    Dice dice = new Dice(seed);
    ImmutableSortedSet<Feature> features = features(dice, new Dice(~seed));
    Temper temper = Temper.of(dice, options.steps());
    Settings settings = SettingsGenerator.settings(dice, features, options.kueueVersion());
    StepGenerator steps = new StepGenerator(
        dice, new ClusterGenerator(dice, options, features, temper), features, temper);
    return new Scenario(settings, guided(settings, steps, temper.steps()));
  }

  /**
   * {@return a random subset of the features}
   *
   * @param dice decides on all except topology
   * @param own decides on topology; separate, so that scenarios without it do not depend on this
   *     feature
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

  /** {@return whether a feature is excluded with topology: nodes have ordinary sizes} */
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
          // The guiding engine failed; playing the scenario will show it.
          return steps.build();
        }
      }
      next = generator.next(guide.observe());
    }
    return steps.build();
  }
}
