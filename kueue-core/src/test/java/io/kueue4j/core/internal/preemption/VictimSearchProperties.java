package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.internal.attempt.Victim;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds of every search, in choices cohorts. */
class VictimSearchProperties {
  private static final List<String> COHORTS = List.of("r", "r", "left", "right", "deep");
  private static final List<ImmutableList<FairSharingStrategy>> STRATEGIES = List.of(
      ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
      ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
      ImmutableList.copyOf(FairSharingStrategy.values()));

  /** Who asks, for what, and the settings of fair sharing, if any. */
  private record Situation(Optional<Settings> fairSettings, Preemptor preemptor, Demand demand) {
    List<Victim> victims() {
      return fairSettings
          .map(settings ->
              new FairSearch(settings, preemptor, demand, LocalQueueUsage.NONE).search())
          .orElseGet(() -> new ClassicalSearch(preemptor, demand, LocalQueueUsage.NONE).search());
    }

    QuotaTree tree() {
      return preemptor.queue().tree();
    }

    QueueQuota queueOf(Victim victim) {
      return preemptor.queue().tree().layout().queueOf(victim.holder());
    }
  }

  private static Situation situation(Choices choices) {
    PreemptionFixture fixture = new PreemptionFixture();
    fixture.cohorts.with(
        cohort("left", choices.nextInt(4)).parent("r").fairSharingWeight(weight(choices)),
        cohort("right", choices.nextInt(4)).parent("r"),
        cohort("deep", choices.nextInt(4)).parent("left").fairSharingWeight(weight(choices)));
    int queues = 2 + choices.nextInt(5);
    for (int i = 0; i < queues; i++) {
      fixture.cohorts.with(randomQueue("q" + i, choices));
    }
    choices.repeat(3 + choices.nextInt(12), number -> {
      String name = "w" + number;
      String home = "q" + choices.nextInt(queues);
      int gpus = choices.nextInt(5);
      int priority = choices.nextInt(4);
      fixture.running(name, home, gpus, priority);
      choices.note("%s of priority %s runs in %s with %s", name, priority, home, gpus);
      if (choices.oneIn(5)) {
        choices.note("it is evicted");
        fixture.evicted(name);
      }
      fixture.setAside(name, choices.oneIn(10));
    });
    if (choices.oneIn(4)) {
      fixture.cohorts.deactivate("q" + choices.nextInt(queues));
    }
    String queue = "q" + choices.nextInt(queues);
    Optional<Settings> fairSettings = choices.nextBoolean()
        ? Optional.empty()
        : Optional.of(PreemptionFixture.fairly(choices.of(STRATEGIES), choices.nextBoolean())
            .build());
    return new Situation(
        fairSettings,
        fixture.preemptor(queue, choices.nextInt(5), choices.nextInt(15) * 1000L),
        fixture.demand(queue, 1 + choices.nextInt(8)));
  }

  private static ClusterQueue.Builder randomQueue(String name, Choices choices) {
    Preemption.Policy[] policies = Preemption.Policy.values();
    var quota = gpus(choices.nextInt(7));
    if (choices.oneIn(4)) {
      quota = quota.withBorrowingLimit(Integer.toString(choices.nextInt(4)));
    }
    if (choices.oneIn(4)) {
      quota = quota.withLendingLimit(Long.toString(Math.min(quota.nominalQuota(), 2)));
    }
    choices.note("%s has %s", name, quota);
    return queue(name, choices.of(COHORTS), group(quota))
        .fairSharingWeight(weight(choices))
        .preemption(Preemption.builder()
            .withinClusterQueue(choices.of(policies))
            .reclaimWithinCohort(choices.of(policies))
            .borrowWithinCohort(
                choices.nextBoolean() ? Preemption.Policy.NEVER : Preemption.Policy.LOWER_PRIORITY)
            .maxPriorityThreshold(
                choices.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(choices.nextInt(4)))
            .build());
  }

  private static double weight(Choices choices) {
    return choices.nextInt(4) * 0.5;
  }

  private static List<Long> usages(QuotaTree tree) {
    List<Long> usages = new ArrayList<>();
    for (int node = 0; node < tree.nodeCount(); node++) {
      for (int column = 0; column < tree.columnCount(); column++) {
        usages.add(tree.usage(node, column));
      }
    }
    return usages;
  }

  private static boolean fitsWithout(
      Situation situation, List<Victim> victims, boolean allowsBorrowing) {
    int checkpoint = situation.tree().checkpoint();
    victims.forEach(victim -> situation.queueOf(victim).uncharge(victim.holder()));
    boolean fits = situation.demand().fits(allowsBorrowing);
    situation.tree().rollback(checkpoint);
    return fits;
  }

  @Provide
  Arbitrary<Run> usageIsAsBeforeAndTheSameSearchFindsTheSameRuns() {
    return Run.of(choices -> {
      Situation situation = situation(choices);
      List<Long> before = usages(situation.tree());

      List<Victim> victims = situation.victims();

      assertThat(usages(situation.tree())).isEqualTo(before);
      assertThat(situation.tree().isInTrial()).isFalse();
      assertThat(situation.victims()).isEqualTo(victims);
    });
  }

  @Property(tries = 1500)
  void usageIsAsBeforeAndTheSameSearchFindsTheSame(
      @ForAll("usageIsAsBeforeAndTheSameSearchFindsTheSameRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> theDemandFitsWithoutTheVictimsRuns() {
    return Run.of(choices -> {
      Situation situation = situation(choices);
      List<Victim> victims = situation.victims();

      assertThat(victims).doesNotHaveDuplicates();
      assertThat(victims.isEmpty() || fitsWithout(situation, victims, true)).isTrue();
    });
  }

  @Property(tries = 1500)
  void theDemandFitsWithoutTheVictims(@ForAll("theDemandFitsWithoutTheVictimsRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> everyVictimIsNeededRuns() {
    return Run.of(choices -> {
      Situation situation = situation(choices);
      boolean allowsBorrowing = situation.fairSettings().isPresent();
      List<Victim> victims = situation.victims();
      if (situation.demand().fits(true)) {
        return;
      }
      for (Victim victim : victims) {
        List<Victim> others = new ArrayList<>(victims);
        others.remove(victim);
        assertThat(fitsWithout(situation, others, allowsBorrowing)).isFalse();
      }
    });
  }

  /** Without fair sharing a search may be for room that the queue need not borrow. */
  @Property(tries = 1500)
  void everyVictimIsNeeded(@ForAll("everyVictimIsNeededRuns") Run run) {
    run.check();
  }

  @Provide
  Arbitrary<Run> everyVictimMayBePreemptedRuns() {
    return Run.of(choices -> {
      Situation situation = situation(choices);
      Preemptor preemptor = situation.preemptor();
      Preemption policies = preemptor.queue().compiled().source().preemption();

      for (Victim victim : situation.victims()) {
        boolean own = situation.queueOf(victim).equals(preemptor.queue());
        Preemption.Policy policy =
            own ? policies.withinClusterQueue() : policies.reclaimWithinCohort();
        assertThat(preemptor.mayPreempt(victim.holder(), policy)).isTrue();
        assertThat(victim.reason() == PreemptionReason.IN_CLUSTER_QUEUE).isEqualTo(own);
        assertThat(situation.queueOf(victim).isSetAside(victim.holder())).isFalse();
        assertThat(own || situation.queueOf(victim).isActive()).isTrue();
        assertThat(own
                || !situation
                    .demand()
                    .needed()
                    .isWithinNominal(situation.queueOf(victim).node()))
            .isTrue();
      }
    });
  }

  @Property(tries = 1500)
  void everyVictimMayBePreempted(@ForAll("everyVictimMayBePreemptedRuns") Run run) {
    run.check();
  }
}
