package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.PreemptionReason;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** What holds of every search, in random cohorts. */
class VictimSearchProperties {
  private static final List<String> COHORTS = List.of("r", "r", "left", "right", "deep");
  private static final List<ImmutableList<FairSharingStrategy>> STRATEGIES = List.of(
      ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
      ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
      ImmutableList.copyOf(FairSharingStrategy.values()));

  /** Who asks, for what, by which search. */
  private record Situation(VictimSearch search, Preemptor preemptor, Demand demand) {
    List<Victim> victims() {
      return search.search(preemptor, demand);
    }

    QuotaTree tree() {
      return preemptor.queue().tree();
    }
  }

  private static Situation situation(long seed) {
    Random random = new Random(seed);
    PreemptionFixture fixture = new PreemptionFixture();
    fixture.cohorts.with(
        cohort("left", random.nextInt(4)).parent("r").fairSharing(weight(random)),
        cohort("right", random.nextInt(4)).parent("r"),
        cohort("deep", random.nextInt(4)).parent("left").fairSharing(weight(random)));
    int queues = 2 + random.nextInt(5);
    for (int i = 0; i < queues; i++) {
      fixture.cohorts.with(randomQueue("q" + i, random));
    }
    for (int i = 0; i < 3 + random.nextInt(12); i++) {
      String name = "w" + i;
      String queue = "q" + random.nextInt(queues);
      fixture.running(name, queue, random.nextInt(5), random.nextInt(4));
      if (random.nextInt(5) == 0) {
        fixture.evicted(name);
      }
      fixture.holder(name).setAside(random.nextInt(10) == 0);
    }
    if (random.nextInt(4) == 0) {
      fixture.cohorts.deactivate("q" + random.nextInt(queues));
    }
    String queue = "q" + random.nextInt(queues);
    VictimSearch search = random.nextBoolean()
        ? new ClassicalSearch(LocalQueueUsage.NONE)
        : new FairSearch(
            STRATEGIES.get(random.nextInt(STRATEGIES.size())),
            random.nextBoolean(),
            LocalQueueUsage.NONE);
    return new Situation(
        search,
        fixture.preemptor(queue, random.nextInt(5), random.nextInt(15) * 1000L),
        fixture.demand(queue, 1 + random.nextInt(8)));
  }

  private static ClusterQueue.Builder randomQueue(String name, Random random) {
    PreemptionPolicy[] policies = PreemptionPolicy.values();
    var quota = gpus(random.nextInt(7));
    if (random.nextInt(4) == 0) {
      quota = quota.withBorrowingLimit(Integer.toString(random.nextInt(4)));
    }
    if (random.nextInt(4) == 0) {
      quota = quota.withLendingLimit(Long.toString(Math.min(quota.nominalQuota(), 2)));
    }
    return queue(name, COHORTS.get(random.nextInt(COHORTS.size())), group(quota))
        .fairSharing(weight(random))
        .preemption(new Preemption(
            policies[random.nextInt(policies.length)],
            policies[random.nextInt(policies.length)],
            random.nextBoolean() ? PreemptionPolicy.NEVER : PreemptionPolicy.LOWER_PRIORITY,
            random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(4))));
  }

  private static FairSharing weight(Random random) {
    return new FairSharing(random.nextInt(4) * 0.5);
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
    victims.forEach(victim -> victim.holder().uncharge());
    boolean fits = situation.demand().fits(allowsBorrowing);
    situation.tree().rollback(checkpoint);
    return fits;
  }

  @Property(tries = 1500, shrinking = ShrinkingMode.OFF)
  void usageIsAsBeforeAndTheSameSearchFindsTheSame(@ForAll long seed) {
    Situation situation = situation(seed);
    List<Long> before = usages(situation.tree());

    List<Victim> victims = situation.victims();

    assertThat(usages(situation.tree())).isEqualTo(before);
    assertThat(situation.tree().isInTrial()).isFalse();
    assertThat(situation.victims()).isEqualTo(victims);
  }

  @Property(tries = 1500, shrinking = ShrinkingMode.OFF)
  void theDemandFitsWithoutTheVictims(@ForAll long seed) {
    Situation situation = situation(seed);
    List<Victim> victims = situation.victims();

    assertThat(victims).doesNotHaveDuplicates();
    assertThat(victims.isEmpty() || fitsWithout(situation, victims, true)).isTrue();
  }

  /** Without fair sharing a search may be for room that the queue need not borrow. */
  @Property(tries = 1500, shrinking = ShrinkingMode.OFF)
  void everyVictimIsNeeded(@ForAll long seed) {
    Situation situation = situation(seed);
    boolean allowsBorrowing = situation.search() instanceof FairSearch;
    List<Victim> victims = situation.victims();
    if (situation.demand().fits(true)) {
      return;
    }
    for (Victim victim : victims) {
      List<Victim> others = new ArrayList<>(victims);
      others.remove(victim);
      assertThat(fitsWithout(situation, others, allowsBorrowing)).isFalse();
    }
  }

  @Property(tries = 1500, shrinking = ShrinkingMode.OFF)
  void everyVictimMayBePreempted(@ForAll long seed) {
    Situation situation = situation(seed);
    Preemptor preemptor = situation.preemptor();
    Preemption policies = preemptor.queue().compiled().source().preemption();

    for (Victim victim : situation.victims()) {
      boolean own = victim.holder().queue().equals(preemptor.queue());
      PreemptionPolicy policy =
          own ? policies.withinClusterQueue() : policies.reclaimWithinCohort();
      assertThat(preemptor.mayPreempt(victim.holder(), policy)).isTrue();
      assertThat(victim.reason() == PreemptionReason.IN_CLUSTER_QUEUE).isEqualTo(own);
      assertThat(victim.holder().isSetAside()).isFalse();
      assertThat(own || victim.holder().queue().isActive()).isTrue();
      assertThat(own
              || !situation
                  .demand()
                  .needed()
                  .isWithinNominal(victim.holder().queue().node()))
          .isTrue();
    }
  }
}
