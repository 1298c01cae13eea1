package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of workloads that try all flavors concurrently. */
class ConcurrentAdmissionProperties {
  private static final int STEPS = 80;

  /**
   * The configuration of a play.
   *
   * @param settings the settings
   * @param queue the ClusterQueue {@code q}
   * @param hasChecks whether it has an admission check
   */
  record Setup(Settings settings, ClusterQueue queue, boolean hasChecks) {
    RandomConcurrentAdmission newPlay() {
      RandomConcurrentAdmission play =
          new RandomConcurrentAdmission(newQueue(), settings, hasChecks);
      play.engine.apply(AdmissionCheck.of("check", "controller"));
      return play;
    }

    /** {@return another play in another engine with all workloads of {@code play} restored} */
    RandomConcurrentAdmission restarted(RandomConcurrentAdmission play) {
      return play.restart(newQueue(), settings);
    }

    private ClusterQueue.Builder newQueue() {
      return ClusterQueue.builder().from(queue);
    }

    @Override
    public String toString() {
      return settings.podsReady() + " " + queue.concurrentAdmissionPolicy() + " "
          + queue.preemption() + " " + queue.admissionChecks();
    }
  }

  private static Setup setup(Choices choices, boolean waits, boolean hasChecks) {
    Settings.Builder settings = ConcurrentFlavors.settings();
    if (waits && choices.nextBoolean()) {
      settings.podsReady(PodsReadyPolicy.builder()
          .timeout(Duration.ofMinutes(3))
          .blockAdmission(choices.nextInt(4) == 3)
          .build());
    }
    ClusterQueue.Builder queue = ConcurrentFlavors.queue(choices.of(
        ConcurrentFlavors.TRY_PREFERRED,
        ConcurrentFlavors.RETAIN_FIRST,
        ConcurrentAdmissionPolicy.upTo("reservation"),
        ConcurrentAdmissionPolicy.upTo("on-demand")));
    if (choices.nextBoolean()) {
      queue.preemption(ConcurrentFlavors.RECLAIM);
    }
    if (hasChecks) {
      queue.addAllAdmissionChecks(ImmutableList.of(new AdmissionCheckRule(
          "check",
          choices.nextBoolean() ? ImmutableList.of() : ImmutableList.of("spot", "reservation"))));
    }
    return new Setup(settings.build(), queue.build(), hasChecks);
  }

  @Provide
  Arbitrary<Setup> withoutChecks() {
    return Choices.arbitrary(choices -> setup(choices, true, false));
  }

  @Provide
  Arbitrary<Setup> withChecks() {
    return Choices.arbitrary(choices -> setup(choices, true, true));
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Choices.arbitrary(choices -> setup(choices, true, choices.nextBoolean()));
  }

  @Provide
  Arbitrary<Setup> patient() {
    return Choices.arbitrary(choices -> setup(choices, false, choices.nextBoolean()));
  }

  @Provide
  Arbitrary<List<Operation<RandomConcurrentAdmission>>> calls() {
    return Choices.lists(STEPS, RandomConcurrentAdmission::call);
  }

  @Provide
  Arbitrary<List<Operation<RandomConcurrentAdmission>>> fewCalls() {
    return Choices.lists(STEPS / 2, RandomConcurrentAdmission::call);
  }

  @Provide
  Arbitrary<List<Operation<RandomConcurrentAdmission>>> callsAlone() {
    return Choices.lists(STEPS / 2, RandomConcurrentAdmission::callAlone);
  }

  @Property(tries = 75)
  void noWorkloadHoldsQuotaTwice(
      @ForAll("withoutChecks") Setup setup,
      @ForAll("calls") List<Operation<RandomConcurrentAdmission>> calls) {
    run(setup, calls);
  }

  @Property(tries = 75)
  void noWorkloadRunsTwice(
      @ForAll("withChecks") Setup setup,
      @ForAll("calls") List<Operation<RandomConcurrentAdmission>> calls) {
    run(setup, calls);
  }

  private static void run(Setup setup, List<Operation<RandomConcurrentAdmission>> calls) {
    RandomConcurrentAdmission play = setup.newPlay();
    List<String> log = new ArrayList<>();
    try {
      for (Operation<RandomConcurrentAdmission> call : calls) {
        log.add(play.step(call));
        play.check();
      }
    } catch (RuntimeException | AssertionError failure) {
      throw new AssertionError(String.join("\n", log), failure);
    }
  }

  @Property(tries = 60)
  void aForkGoesOnAlike(
      @ForAll("withChecks") Setup setup,
      @ForAll("fewCalls") List<Operation<RandomConcurrentAdmission>> before,
      @ForAll("fewCalls") List<Operation<RandomConcurrentAdmission>> afterwards) {
    RandomConcurrentAdmission play = setup.newPlay();
    before.forEach(play::step);
    RandomConcurrentAdmission fork = play.fork();
    List<String> expected = new ArrayList<>();
    List<String> actual = new ArrayList<>();
    for (Operation<RandomConcurrentAdmission> call : afterwards) {
      expected.add(play.step(call));
      actual.add(fork.step(call));
      assertThat(actual).isEqualTo(expected);
      assertThat(fork.holders()).isEqualTo(play.holders());
    }
  }

  @Property(tries = 60)
  void theSameCallsGiveTheSameAnswers(
      @ForAll("withChecks") Setup setup,
      @ForAll("calls") List<Operation<RandomConcurrentAdmission>> calls) {
    RandomConcurrentAdmission one = setup.newPlay();
    RandomConcurrentAdmission other = setup.newPlay();
    for (Operation<RandomConcurrentAdmission> call : calls) {
      assertThat(one.step(call)).isEqualTo(other.step(call));
    }
  }

  @Property(tries = 100)
  void restoredAllIsAsItWas(
      @ForAll("patient") Setup setup,
      @ForAll("fewCalls") List<Operation<RandomConcurrentAdmission>> calls) {
    RandomConcurrentAdmission play = setup.newPlay();
    List<String> log = new ArrayList<>();
    calls.forEach(call -> log.add(play.step(call)));
    try {
      restored(play, setup.restarted(play));
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
   *
   * <p>No status carries which admission waits for pods to be ready (rule L-23) and which variant
   * its queue tries first because it waits for a migration (rule U-10). Kueue forgets both at a
   * restart as well. The original engine goes on with what it remembers, even if the quota has
   * changed since; a case in which the restored engine decides otherwise is not compared.
   */
  @Property(tries = 100)
  void restoredItGoesOnAlike(
      @ForAll("setups") Setup setup,
      @ForAll("callsAlone") List<Operation<RandomConcurrentAdmission>> before,
      @ForAll("callsAlone") List<Operation<RandomConcurrentAdmission>> afterwards) {
    RandomConcurrentAdmission play = setup.newPlay().alone();
    List<String> log = new ArrayList<>();
    before.forEach(call -> log.add(play.step(call)));
    RandomConcurrentAdmission restored = setup.restarted(play);
    ImmutableList<String> remembered = play.remembered();
    play.cycles();
    restored.cycles();
    if (remembered.stream().anyMatch(each -> !play.outcome(each).equals(restored.outcome(each)))) {
      return;
    }
    for (Operation<RandomConcurrentAdmission> call : afterwards) {
      log.add(play.step(call));
      String answer = restored.step(call);
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
      @ForAll("callsAlone") List<Operation<RandomConcurrentAdmission>> calls,
      @ForAll boolean blocks) {
    PodsReadyPolicy patient = PodsReadyPolicy.builder()
        .timeout(Duration.ofDays(100))
        .blockAdmission(blocks)
        .build();
    RandomConcurrentAdmission play = new RandomConcurrentAdmission(
            ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED),
            ConcurrentFlavors.settings().podsReady(patient).build(),
            false)
        .alone();
    List<String> log = new ArrayList<>();
    for (Operation<RandomConcurrentAdmission> call : calls) {
      log.add(play.step(call));
      play.rest();
      assertThat(play.missedFlavor()).as("%s", String.join("\n", log)).isEmpty();
    }
  }

  /** With one flavor there is one variant, and only its name differs. */
  @Property(tries = 60)
  void withOneFlavorAllIsAsWithoutAPolicy(
      @ForAll("calls") List<Operation<RandomConcurrentAdmission>> calls) {
    ImmutableList<String> one = ImmutableList.of("spot");
    RandomConcurrentAdmission with = new RandomConcurrentAdmission(
            ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED, one),
            ConcurrentFlavors.settings().build(),
            false)
        .keepingFlavors();
    RandomConcurrentAdmission without = new RandomConcurrentAdmission(
            Queues.openQueue("q").cohort("c").addResourceGroups(ConcurrentFlavors.group(4, one)),
            ConcurrentFlavors.settings().build(),
            false)
        .keepingFlavors();
    for (Operation<RandomConcurrentAdmission> call : calls) {
      with.step(call);
      without.step(call);
      assertThat(with.holders()).isEqualTo(without.holders());
      assertThat(with.running).isEqualTo(without.running);
      assertThat(with.stopping).isEqualTo(without.stopping);
    }
  }
}
