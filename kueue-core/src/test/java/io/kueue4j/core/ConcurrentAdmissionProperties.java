package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of workloads that try all flavors concurrently. */
class ConcurrentAdmissionProperties {
  private static final int STEPS = 80;

  @Provide
  Arbitrary<ConcurrentAdmissionPolicy> policies() {
    return Arbitraries.of(
        ConcurrentFlavors.TRY_PREFERRED,
        ConcurrentFlavors.RETAIN_FIRST,
        ConcurrentAdmissionPolicy.upTo("reservation"),
        ConcurrentAdmissionPolicy.upTo("on-demand"));
  }

  private static Settings settings(Random random) {
    Settings.Builder settings = ConcurrentFlavors.settings();
    if (random.nextBoolean()) {
      settings.podsReady(PodsReadyPolicy.builder()
          .timeout(Duration.ofMinutes(3))
          .blockAdmission(random.nextInt(4) == 0)
          .build());
    }
    return settings.build();
  }

  private static ClusterQueue.Builder queue(
      ConcurrentAdmissionPolicy policy, Random random, boolean checks) {
    ClusterQueue.Builder queue = ConcurrentFlavors.queue(policy);
    if (random.nextBoolean()) {
      queue.preemption(ConcurrentFlavors.RECLAIM);
    }
    if (checks) {
      queue.addAllAdmissionChecks(ImmutableList.of(new AdmissionCheckRule(
          "check",
          random.nextBoolean() ? ImmutableList.of() : ImmutableList.of("spot", "reservation"))));
    }
    return queue;
  }

  private static RandomConcurrentAdmission play(
      ConcurrentAdmissionPolicy policy, long seed, boolean checks) {
    Random random = new Random(seed);
    Settings settings = settings(random);
    RandomConcurrentAdmission play =
        new RandomConcurrentAdmission(queue(policy, random, checks), settings, seed, checks);
    play.engine.apply(AdmissionCheck.of("check", "controller"));
    return play;
  }

  @Property(tries = 150)
  void noWorkloadHoldsQuotaTwice(
      @ForAll("policies") ConcurrentAdmissionPolicy policy, @ForAll long seed) {
    run(policy, seed, false);
  }

  @Property(tries = 150)
  void noWorkloadRunsTwice(
      @ForAll("policies") ConcurrentAdmissionPolicy policy, @ForAll long seed) {
    run(policy, seed, true);
  }

  private static void run(ConcurrentAdmissionPolicy policy, long seed, boolean checks) {
    RandomConcurrentAdmission play = play(policy, seed, checks);
    Random seeds = new Random(seed);
    List<String> log = new ArrayList<>();
    try {
      for (int i = 0; i < STEPS; i++) {
        log.add(play.step(seeds.nextLong()));
        play.check();
      }
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(String.join("\n", log), failure);
    }
  }

  @Property(tries = 60)
  void aForkGoesOnAlike(@ForAll("policies") ConcurrentAdmissionPolicy policy, @ForAll long seed) {
    RandomConcurrentAdmission play = play(policy, seed, true);
    Random seeds = new Random(seed);
    for (int i = 0; i < STEPS / 2; i++) {
      play.step(seeds.nextLong());
    }
    RandomConcurrentAdmission fork = play.fork();
    List<String> expected = new ArrayList<>();
    List<String> actual = new ArrayList<>();
    for (int i = 0; i < STEPS / 2; i++) {
      long next = seeds.nextLong();
      expected.add(play.step(next));
      actual.add(fork.step(next));
      assertThat(actual).isEqualTo(expected);
      assertThat(fork.holders()).isEqualTo(play.holders());
    }
  }

  @Property(tries = 60)
  void theSameCallsGiveTheSameAnswers(
      @ForAll("policies") ConcurrentAdmissionPolicy policy, @ForAll long seed) {
    RandomConcurrentAdmission one = play(policy, seed, true);
    RandomConcurrentAdmission other = play(policy, seed, true);
    Random seeds = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      long next = seeds.nextLong();
      assertThat(one.step(next)).isEqualTo(other.step(next));
    }
  }

  @Property(tries = 100)
  void restoredAllIsAsItWas(
      @ForAll("policies") ConcurrentAdmissionPolicy policy,
      @ForAll long seed,
      @ForAll boolean checks) {
    Settings settings = ConcurrentFlavors.settings().build();
    ClusterQueue.Builder queue = queue(policy, new Random(seed), checks);
    RandomConcurrentAdmission play = new RandomConcurrentAdmission(queue, settings, seed, checks);
    play.engine.apply(AdmissionCheck.of("check", "controller"));
    Random seeds = new Random(seed);
    List<String> log = new ArrayList<>();
    for (int i = 0; i < STEPS / 2; i++) {
      log.add(play.step(seeds.nextLong()));
    }
    try {
      restored(play, play.restart(queue, settings));
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(String.join("\n", log) + failure, failure);
    }
  }

  private static void restored(RandomConcurrentAdmission play, RandomConcurrentAdmission restored) {
    assertThat(restored.holders()).isEqualTo(play.holders());
    restored.check();
    for (var id : play.known.keySet()) {
      assertThat(restored.engine.lifecycle().status(id).variants())
          .isEqualTo(play.engine.lifecycle().status(id).variants());
    }
  }

  /**
   * After a restart, the restored history determines the future of a workload that is alone in its
   * queue.
   */
  @Property(tries = 100)
  void restoredItGoesOnAlike(
      @ForAll("policies") ConcurrentAdmissionPolicy policy,
      @ForAll long seed,
      @ForAll boolean checks) {
    Settings settings = settings(new Random(seed));
    ClusterQueue.Builder queue = queue(policy, new Random(seed), checks);
    RandomConcurrentAdmission play =
        new RandomConcurrentAdmission(queue, settings, seed, checks).alone();
    play.engine.apply(AdmissionCheck.of("check", "controller"));
    Random seeds = new Random(seed);
    List<String> log = new ArrayList<>();
    for (int i = 0; i < STEPS / 2; i++) {
      log.add(play.step(seeds.nextLong()));
    }
    RandomConcurrentAdmission restored = play.restart(queue, settings);
    play.cycles();
    restored.cycles();
    for (int i = 0; i < STEPS / 2; i++) {
      long next = seeds.nextLong();
      log.add(play.step(next));
      String answer = restored.step(next);
      play.cycles();
      restored.cycles();
      assertThat(restored.standing())
          .as("%s%nafter the restart: %s", String.join("\n", log), answer)
          .isEqualTo(play.standing());
    }
  }

  /** Rule CA-3 through the API: the final flavor of a workload. */
  @Property(tries = 150)
  void aWorkloadWithoutRivalsRunsOnTheBestFlavorWithRoom(
      @ForAll long seed, @ForAll boolean blocks) {
    PodsReadyPolicy patient = PodsReadyPolicy.builder()
        .timeout(Duration.ofDays(100))
        .blockAdmission(blocks)
        .build();
    RandomConcurrentAdmission play = new RandomConcurrentAdmission(
            ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED),
            ConcurrentFlavors.settings().podsReady(patient).build(),
            seed,
            false)
        .alone();
    Random seeds = new Random(seed);
    List<String> log = new ArrayList<>();
    for (int i = 0; i < STEPS / 2; i++) {
      log.add(play.step(seeds.nextLong()));
      play.rest();
      assertThat(play.missedFlavor()).as("%s", String.join("\n", log)).isEmpty();
    }
  }

  /** With one flavor there is one variant, and only its name differs. */
  @Property(tries = 60)
  void withOneFlavorAllIsAsWithoutAPolicy(@ForAll long seed) {
    ImmutableList<String> one = ImmutableList.of("spot");
    RandomConcurrentAdmission with = new RandomConcurrentAdmission(
        ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED, one),
        ConcurrentFlavors.settings().build(),
        seed,
        false);
    RandomConcurrentAdmission without = new RandomConcurrentAdmission(
        Queues.openQueue("q").cohort("c").addResourceGroups(ConcurrentFlavors.group(4, one)),
        ConcurrentFlavors.settings().build(),
        seed,
        false);
    Random seeds = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      long next = seeds.nextLong();
      with.stepOfOneFlavor(next);
      without.stepOfOneFlavor(next);
      assertThat(with.holders()).isEqualTo(without.holders());
      assertThat(with.running).isEqualTo(without.running);
      assertThat(with.stopping).isEqualTo(without.stopping);
    }
  }
}
