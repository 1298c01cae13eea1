package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.FairSharingStrategy;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

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
  private Choices choices = Choices.ofSeed(0);
  private int queues;
  private int submitted;

  private void create(Choices from) {
    choices = from;
    fixture.cohorts.with(
        cohort("left", choices.nextInt(4)).parent("r").fairSharingWeight(weight()),
        cohort("right", choices.nextInt(4)).parent("r"),
        cohort("aside", 0).parent("r").fairSharingWeight(weight()),
        cohort("deep", choices.nextInt(4)).parent("left").fairSharingWeight(weight()),
        cohort("deeper", 0).parent("deep").fairSharingWeight(weight()));
    queues = 2 + choices.nextInt(12);
    for (int i = 0; i < queues; i++) {
      fixture.cohorts.with(randomQueue(i));
    }
    running.addAll(choices.list(11, 30, each -> run()));
  }

  private ClusterQueue.Builder randomQueue(int i) {
    Preemption.Policy[] policies = Preemption.Policy.values();
    String cohort = COHORTS.get((i + queues) % COHORTS.size());
    return queue(
            "q" + i,
            cohort,
            group(gpus(choices.nextInt(4)), ResourceQuota.ofAmount("disk", choices.nextInt(4))))
        .fairSharingWeight(weight())
        .admissionMode(
            choices.nextBoolean()
                ? AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING
                : AdmissionMode.NO_ADMISSION_FAIR_SHARING)
        .preemption(Preemption.builder()
            .withinClusterQueue(choices.of(policies))
            .reclaimWithinCohort(
                choices.nextBoolean() ? Preemption.Policy.ANY : choices.of(policies))
            .build());
  }

  private double weight() {
    return choices.of(WEIGHTS);
  }

  /** {@return the name of a new running workload} */
  private String run() {
    String name = "w" + submitted++;
    Map<String, Long> amounts = switch (choices.nextInt(4)) {
      case 0 -> Map.of("disk", (long) choices.nextInt(4));
      case 1 -> Map.of("gpu", 1L + choices.nextInt(3), "disk", 1L);
      default -> Map.of("gpu", 1L + choices.nextInt(3));
    };
    String queue = "q" + choices.nextInt(queues);
    int priority = choices.nextInt(3);
    fixture.running(
        1000L * choices.nextInt(8),
        1000L * choices.nextInt(8),
        name,
        name,
        queue,
        priority,
        amounts);
    choices.note("%s of priority %s runs in %s with %s", name, priority, queue, amounts);
    return name;
  }

  private void change() {
    QuotaHolder some = fixture.holder(choices.of(running));
    switch (choices.nextInt(9)) {
      case 0, 1, 2 -> running.add(run());
      case 3, 4, 5 -> {
        if (running.size() > 10) {
          choices.note("%s ends", some.workload().source().name());
          running.remove(some.workload().source().name());
          fixture.queueOf(some).remove(some);
        }
      }
      case 6 -> fixture.evict(some.workload().source().name(), 1000L * choices.nextInt(8));
      case 7 -> fixture.queueOf(some).setAside(some, !fixture.isSetAside(some));
      default -> changeQueue("q" + choices.nextInt(queues));
    }
  }

  private void changeQueue(String name) {
    if (choices.oneIn(4)) {
      fixture.cohorts.deactivate(name);
    } else {
      ClusterQueue spec = fixture.cohorts.queue(name).compiled().source();
      fixture.cohorts.with(ClusterQueue.builder().from(spec).fairSharingWeight(weight()));
    }
  }

  @Provide
  Arbitrary<Run> findsWhatLookingAtEverythingFindsRuns() {
    return Run.of(
        choices -> new FairSearchProperties().checkFindsWhatLookingAtEverythingFinds(choices));
  }

  @Property(tries = 600)
  void findsWhatLookingAtEverythingFinds(@ForAll("findsWhatLookingAtEverythingFindsRuns") Run run) {
    run.check();
  }

  private void checkFindsWhatLookingAtEverythingFinds(Choices choices) {
    create(choices);
    boolean countsUsage = choices.nextBoolean();
    LocalQueueUsage usage = countsUsage
        ? localQueue -> Math.floorMod(localQueue.hashCode() + submitted / 3, 3)
        : LocalQueueUsage.NONE;
    choices.repeat(40, number -> {
      change();
      ImmutableList<FairSharingStrategy> strategies = choices.of(STRATEGIES);
      boolean withinNominal = choices.oneIn(3);
      String queue = "q" + choices.nextInt(queues);
      Preemptor preemptor =
          fixture.preemptor(queue, choices.nextInt(4), 1000L * choices.nextInt(9));
      int demanded = 1 + choices.nextInt(6);
      Demand demand = fixture.demand(queue, demanded);
      choices.note("%s demands %s by %s", queue, demanded, strategies);

      Settings settings = PreemptionFixture.fairly(strategies, withinNominal)
          .strictFairSharing(choices.nextBoolean())
          .build();
      assertThat(new FairSearch(settings, preemptor, demand, usage).search())
          .isEqualTo(new NaiveFairSearch(settings, preemptor, demand, usage).search());
    });
  }
}
