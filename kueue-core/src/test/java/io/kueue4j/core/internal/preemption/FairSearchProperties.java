package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.FairSharingStrategy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * The search under fair sharing against one that collects and compares everything anew, one search
 * after another while workloads come and go.
 */
class FairSearchProperties {
  private static final List<String> COHORTS =
      List.of("r", "r", "left", "left", "right", "deep", "deeper", "aside");
  private static final List<Double> WEIGHTS = List.of(1.0, 1.0, 1.0, 2.0, 0.5, 0.0);
  private static final List<ImmutableList<FairSharingStrategy>> STRATEGIES = List.of(
      ImmutableList.of(FairSharingStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE),
      ImmutableList.of(FairSharingStrategy.LESS_THAN_INITIAL_SHARE),
      ImmutableList.copyOf(FairSharingStrategy.values()));

  private final PreemptionFixture fixture = new PreemptionFixture();
  private final List<String> running = new ArrayList<>();
  private Random random = new Random();
  private int queues;
  private int submitted;

  private void create(long seed) {
    random = new Random(seed);
    fixture.cohorts.with(
        cohort("left", random.nextInt(4)).parent("r").fairSharing(weight()),
        cohort("right", random.nextInt(4)).parent("r"),
        cohort("aside", 0).parent("r").fairSharing(weight()),
        cohort("deep", random.nextInt(4)).parent("left").fairSharing(weight()),
        cohort("deeper", 0).parent("deep").fairSharing(weight()));
    queues = 2 + random.nextInt(12);
    for (int i = 0; i < queues; i++) {
      fixture.cohorts.with(randomQueue(i));
    }
    for (int i = 0; i < 30; i++) {
      run();
    }
  }

  private ClusterQueue.Builder randomQueue(int i) {
    PreemptionPolicy[] policies = PreemptionPolicy.values();
    String cohort = COHORTS.get((i + queues) % COHORTS.size());
    return queue(
            "q" + i,
            cohort,
            group(gpus(random.nextInt(4)), ResourceQuota.ofAmount("disk", random.nextInt(4))))
        .fairSharing(weight())
        .admissionMode(
            random.nextBoolean()
                ? AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING
                : AdmissionMode.NO_ADMISSION_FAIR_SHARING)
        .preemption(Preemption.of(
            policies[random.nextInt(policies.length)],
            random.nextBoolean()
                ? PreemptionPolicy.ANY
                : policies[random.nextInt(policies.length)]));
  }

  private FairSharing weight() {
    return new FairSharing(WEIGHTS.get(random.nextInt(WEIGHTS.size())));
  }

  private void run() {
    String name = "w" + submitted++;
    Map<String, Long> amounts = switch (random.nextInt(4)) {
      case 0 -> Map.of("disk", (long) random.nextInt(4));
      case 1 -> Map.of("gpu", 1L + random.nextInt(3), "disk", 1L);
      default -> Map.of("gpu", 1L + random.nextInt(3));
    };
    fixture.running(
        1000L * random.nextInt(8),
        1000L * random.nextInt(8),
        name,
        name,
        "q" + random.nextInt(queues),
        random.nextInt(3),
        amounts);
    running.add(name);
  }

  private void change() {
    QuotaHolder some = fixture.holder(running.get(random.nextInt(running.size())));
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> run();
      case 3, 4, 5 -> {
        if (running.size() > 10) {
          running.remove(some.workload().source().name());
          some.queue().remove(some);
        }
      }
      case 6 -> some.evict(1000L * random.nextInt(8));
      case 7 -> some.setAside(!some.isSetAside());
      default -> changeQueue("q" + random.nextInt(queues));
    }
  }

  private void changeQueue(String name) {
    if (random.nextInt(4) == 0) {
      fixture.cohorts.deactivate(name);
    } else {
      ClusterQueue spec = fixture.cohorts.queue(name).compiled().source();
      fixture.cohorts.with(ClusterQueue.builder().from(spec).fairSharing(weight()));
    }
  }

  private static List<Victim> victims(VictimSearch search, Preemptor preemptor, Demand demand) {
    return search.search(preemptor, demand);
  }

  @Property(tries = 600, shrinking = ShrinkingMode.OFF)
  void findsWhatLookingAtEverythingFinds(@ForAll long seed, @ForAll boolean countsUsage) {
    create(seed);
    LocalQueueUsage usage = countsUsage
        ? localQueue -> Math.floorMod(localQueue.hashCode() + submitted / 3, 3)
        : LocalQueueUsage.NONE;
    for (int i = 0; i < 40; i++) {
      change();
      ImmutableList<FairSharingStrategy> strategies =
          STRATEGIES.get(random.nextInt(STRATEGIES.size()));
      boolean withinNominal = random.nextInt(3) == 0;
      String queue = "q" + random.nextInt(queues);
      Preemptor preemptor = fixture.preemptor(queue, random.nextInt(4), 1000L * random.nextInt(9));
      Demand demand = fixture.demand(queue, 1 + random.nextInt(6));

      assertThat(victims(new FairSearch(strategies, withinNominal, usage), preemptor, demand))
          .isEqualTo(
              victims(new NaiveFairSearch(strategies, withinNominal, usage), preemptor, demand));
    }
  }
}
