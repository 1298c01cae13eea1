package io.kueue4j.examples.story;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.examples.simulation.SimulatedJob;
import io.kueue4j.k8s.Manifests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Plays a scenario. */
public final class StoryRun {
  private final Story story;
  private final ManifestPlayer player;
  private final Watches watches = new Watches();
  private final List<Moment> moments = new ArrayList<>();
  private final List<StoryFailure> failures = new ArrayList<>();
  private int cycles;

  private StoryRun(Story story, ManifestPlayer player) {
    this.story = story;
    this.player = player;
  }

  /**
   * Plays a scenario: creates the jobs that are given, then takes one step after the other.
   *
   * @param settings the settings of Kueue for the objects that are given
   * @throws InputException if what is given breaks rules; says every place
   */
  public static StoryResult play(Story story, Function<Manifests, Settings> settings) {
    ManifestPlayer player = ManifestPlayer.of(
        story.given(),
        settings.apply(story.given()),
        story.tpuSlices(),
        story.start(),
        story.stops());
    return new StoryRun(story, player).play();
  }

  private StoryResult play() {
    player.afterEachCycle(() -> watches.afterCycle(player.engine().view()));
    if (take(story.line(), () -> player.jobs().forEach(player::create))) {
      moment(job -> false);
      for (StoryStep step : story.steps()) {
        if (!take(step.line(), () -> step.action().accept(player))) {
          break;
        }
        Moment now = moment(step::isAbout);
        moments.add(now);
        check(step, now);
      }
    }
    failures.addAll(watches.failures(moment(watches::isAbout)));
    return new StoryResult(
        story,
        ImmutableList.sortedCopyOf(Comparator.comparingInt(StoryFailure::line), failures),
        happened());
  }

  /** {@return whether a step could be taken} */
  private boolean take(int line, Runnable step) {
    try {
      step.run();
      return true;
    } catch (InputException e) {
      failures.add(new StoryFailure(line, String.valueOf(e.getMessage()), Optional.empty()));
      return false;
    }
  }

  /**
   * {@return how things are}
   *
   * @param explained the jobs whose reasons matter
   */
  private Moment moment(Predicate<SimulatedJob> explained) {
    int before = cycles;
    cycles = player.cycles();
    return new Moment(
        player.phase(story.name(), explained),
        player.engine().view(),
        cycles - before,
        player.now());
  }

  private void check(StoryStep step, Moment now) {
    watches.afterStep(now);
    for (Expectation expectation : step.expectations()) {
      expectation
          .difference(now)
          .ifPresent(message -> failures.add(new StoryFailure(
              expectation.line(), message, expectation.job().flatMap(now.phase()::job))));
    }
    step.expect()
        .filter(expect -> step.expectations().isEmpty())
        .ifPresent(expect -> failures.add(new StoryFailure(
            expect.line(), "expect is empty; --update fills it in", Optional.empty())));
    watches.begin(step, now);
  }

  /** {@return what happened in the steps that have a failure in their {@code expect}} */
  private ImmutableMap<Integer, Map<String, Object>> happened() {
    Set<Integer> lines = new HashSet<>();
    failures.forEach(failure -> lines.add(failure.line()));
    ImmutableMap.Builder<Integer, Map<String, Object>> happened = ImmutableMap.builder();
    for (int i = 0; i < moments.size(); i++) {
      StoryStep step = story.steps().get(i);
      boolean isWrong = step.expectations().stream().anyMatch(each -> lines.contains(each.line()))
          || (step.expect().isPresent() && step.expectations().isEmpty());
      if (isWrong) {
        happened.put(i, new Happened(step, moments.get(i), watches).toMap());
      }
    }
    return happened.buildOrThrow();
  }
}
