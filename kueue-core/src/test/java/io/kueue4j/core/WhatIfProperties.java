package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.AdmissionEngineBuilder.AssertionMode;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Forks, forks of forks, and views of all of them, while any of them changes: each behaves like an
 * engine with the same history that is independent of any other.
 */
class WhatIfProperties {
  private static final int STEPS = 70;

  /** An engine with forks or a fork itself, its twin that is independent, and their history. */
  record Pair(AdmissionEngine engine, AdmissionEngine twin, List<RandomCall> story) {}

  /** A view, and what it must always show. */
  record Look(EngineView view, String shown, List<RandomCall> story) {}

  /** All engines and views, and the present time. */
  static final class World {
    private final Settings settings;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<Look> looks = new ArrayList<>();
    private Instant now = Cluster.START;

    World(Setup setup) {
      settings = setup.settings();
      List<RandomCall> beginning = setup.beginning();
      pairs.add(new Pair(
          replay(beginning, AssertionMode.FULL), replay(beginning), new ArrayList<>(beginning)));
    }

    private AdmissionEngine newEngine(AssertionMode assertions) {
      return AdmissionEngine.builder()
          .clock(() -> now)
          .settings(settings)
          .assertions(assertions)
          .build();
    }

    /** {@return an engine with the history {@code story}, each call at its time} */
    private AdmissionEngine replay(List<RandomCall> story) {
      return replay(story, AssertionMode.NONE);
    }

    private AdmissionEngine replay(List<RandomCall> story, AssertionMode assertions) {
      AdmissionEngine engine = newEngine(assertions);
      Instant present = now;
      for (RandomCall call : story) {
        now = call.time();
        call.callOn(engine);
      }
      now = present;
      return engine;
    }

    /** {@return the pair of that number, counted around} */
    private Pair pair(int number) {
      return pairs.get(number % pairs.size());
    }

    private void call(RandomCall call, Pair pair) {
      RandomCall present = call.at(now);
      assertThat(present.callOn(pair.engine)).as("%s", call).isEqualTo(present.callOn(pair.twin));
      pair.story.add(present);
    }

    void look(Pair pair) {
      AdmissionEngine alone = replay(pair.story);
      looks.add(new Look(
          pair.engine.view(), EngineDescription.describe(alone.view()), List.copyOf(pair.story)));
    }

    void fork(Pair pair) {
      fork(pair.engine.view(), pair.story);
    }

    private void fork(EngineView view, List<RandomCall> story) {
      pairs.add(new Pair(view.whatIf(), replay(story), new ArrayList<>(story)));
    }

    void forkOfView(int number) {
      Look look = looks.get(number % looks.size());
      fork(look.view, look.story);
    }

    void check() {
      for (Look look : looks) {
        assertThat(EngineDescription.describe(look.view).lines().toList())
            .isEqualTo(look.shown.lines().toList());
      }
      for (Pair pair : pairs) {
        assertThat(EngineDescription.describe(pair.engine))
            .isEqualTo(EngineDescription.describe(pair.twin));
      }
    }
  }

  /**
   * The first engine.
   *
   * @param settings the settings of all engines
   * @param beginning its configuration
   */
  record Setup(Settings settings, List<RandomCall> beginning) {
    static Setup draw(Choices choices) {
      return new Setup(
          RandomSettings.build(Settings.builder(), choices, podsReady -> {}),
          RandomCall.beginning(choices));
    }
  }

  private static Operation<World> step(Choices choices) {
    int number = choices.nextInt(1 << 10);
    RandomCall call = RandomCall.next(choices);
    return switch (choices.nextInt(20)) {
      case 15 -> Operation.run("view engine " + number, world -> world.look(world.pair(number)));
      case 16 -> Operation.run("fork engine " + number, world -> world.fork(world.pair(number)));
      case 17 -> {
        int view = choices.nextInt(1 << 10);
        yield Operation.run(
            "fork view " + view + ", or on engine " + number + ": " + call, world -> {
              if (world.looks.isEmpty()) {
                world.call(call, world.pair(number));
              } else {
                world.forkOfView(view);
              }
            });
      }
      case 18 ->
        Operation.run(
            "drop engine " + number + " unless it is the last, on which: " + call, world -> {
              if (world.pairs.size() > 1) {
                world.pairs.remove(world.pair(number));
              } else {
                world.call(call, world.pair(number));
              }
            });
      case 19 -> {
        int seconds = choices.nextInt(20);
        yield Operation.run(
            seconds + " seconds pass", world -> world.now = world.now.plusSeconds(seconds));
      }
      default ->
        Operation.run(
            "on engine " + number + ": " + call, world -> world.call(call, world.pair(number)));
    };
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Choices.arbitrary(Setup::draw);
  }

  @Provide
  Arbitrary<List<Operation<World>>> steps() {
    return Choices.lists(STEPS, WhatIfProperties::step);
  }

  @Property(tries = 150)
  void everyForkAndEveryOriginalIsOnItsOwn(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Operation<World>> steps) {
    World world = new World(setup);
    steps.forEach(step -> step.on(world));
    world.check();
  }
}
