package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Forks, forks of forks, and views of all of them, while any of them changes: each behaves like an
 * engine with the same history that is independent of any other.
 *
 * <p>Some of them recycle ids of names after every call, which their twins never do.
 */
class WhatIfProperties {
  private static final int STEPS = 70;

  private Instant now = Cluster.START;

  /** An engine with forks or a fork itself, its twin that is independent, and their history. */
  private record Pair(AdmissionEngine engine, AdmissionEngine twin, List<RandomCall> story) {}

  /** A view, and what it must always show. */
  private record Look(EngineView view, String shown, List<RandomCall> story) {}

  private AdmissionEngine newEngine(Settings settings) {
    return AdmissionEngine.builder().clock(() -> now).settings(settings).build();
  }

  /** {@return an engine with the history {@code story}, each call at its time} */
  private AdmissionEngine replay(Settings settings, List<RandomCall> story) {
    AdmissionEngine engine = newEngine(settings);
    Instant present = now;
    for (RandomCall call : story) {
      now = call.time();
      call.callOn(engine);
    }
    now = present;
    return engine;
  }

  /**
   * Seeds that have failed: whether a workload whose backoff was over was shown as pending depended
   * on earlier calls (1032), and quota in use that is not declared was listed in another order.
   */
  @Example
  void everyForkIsOnItsOwnWithSeedsThatHaveFailed() {
    for (long seed : new long[] {1032, 1039, 1175}) {
      everyForkAndEveryOriginalIsOnItsOwn(seed);
    }
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void everyForkAndEveryOriginalIsOnItsOwn(@ForAll long seed) {
    now = Cluster.START;
    Random random = new Random(seed);
    Settings settings = RandomSettings.build(Settings.builder(), random, podsReady -> {});
    List<RandomCall> beginning = RandomCall.beginning(random, now);
    List<Pair> pairs = new ArrayList<>();
    List<Look> looks = new ArrayList<>();
    pairs.add(new Pair(
        recycling(replay(settings, beginning), random),
        replay(settings, beginning),
        new ArrayList<>(beginning)));
    for (int i = 0; i < STEPS; i++) {
      Pair pair = pairs.get(random.nextInt(pairs.size()));
      int choice = random.nextInt(20);
      if (choice == 0) {
        looks.add(look(pair, settings));
      } else if (choice == 1) {
        pairs.add(fork(pair.engine.view(), pair.story, settings, random));
      } else if (choice == 2 && !looks.isEmpty()) {
        Look look = looks.get(random.nextInt(looks.size()));
        pairs.add(fork(look.view, look.story, settings, random));
      } else if (choice == 3 && pairs.size() > 1) {
        pairs.remove(pair);
      } else if (choice == 4) {
        now = now.plusSeconds(random.nextInt(20));
      } else {
        call(RandomCall.next(random, now), pair);
      }
    }
    for (Look look : looks) {
      assertThat(EngineDescription.describe(look.view).lines().toList())
          .isEqualTo(look.shown.lines().toList());
    }
    for (Pair pair : pairs) {
      assertThat(EngineDescription.describe(pair.engine))
          .isEqualTo(EngineDescription.describe(pair.twin));
    }
  }

  private static void call(RandomCall call, Pair pair) {
    assertThat(call.callOn(pair.engine)).as("%s", call).isEqualTo(call.callOn(pair.twin));
    pair.story.add(call);
  }

  private Look look(Pair pair, Settings settings) {
    AdmissionEngine alone = replay(settings, pair.story);
    return new Look(
        pair.engine.view(), EngineDescription.describe(alone.view()), List.copyOf(pair.story));
  }

  private Pair fork(EngineView view, List<RandomCall> story, Settings settings, Random random) {
    return new Pair(
        recycling(view.whatIf(), random), replay(settings, story), new ArrayList<>(story));
  }

  /** {@return the engine, which from now on may recycle ids of names after every call} */
  private static AdmissionEngine recycling(AdmissionEngine engine, Random random) {
    if (random.nextBoolean()) {
      engine.inside(core -> {
        core.recycling().beEager();
        return core;
      });
    }
    return engine;
  }
}
