package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.compiled.FlavorResource;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.usage.LocalQueueUsage;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Reading candidates one by one finds what collecting and sorting them does, in choices cohorts
 * that change all the while.
 */
class ClassicalCandidatesProperties {
  private static final List<String> COHORTS = List.of("r", "r", "left", "right", "deep");

  private final PreemptionFixture fixture = new PreemptionFixture();
  private final List<String> running = new ArrayList<>();
  private Choices choices = Choices.ofSeed(0);
  private int queues;

  /** Whether workloads may be queued later than their quota is reserved. */
  private boolean mayBeQueuedLater;

  private int submitted;

  private void begin(Choices from) {
    choices = from;
    fixture.cohorts.with(
        cohort("left", choices.nextInt(4)).parent("r"),
        cohort("right", choices.nextInt(4)).parent("r"),
        cohort("deep", choices.nextInt(4)).parent("left"));
    mayBeQueuedLater = choices.nextBoolean();
    queues = 2 + choices.nextInt(8);
    for (int i = 0; i < queues; i++) {
      fixture.cohorts.with(randomQueue("q" + i));
    }
    running.addAll(choices.list(4, 5 + choices.nextInt(20), each -> run()));
  }

  private ClusterQueue.Builder randomQueue(String name) {
    Preemption.Policy[] policies = Preemption.Policy.values();
    ResourceQuota ofGpus = gpus(choices.nextInt(5));
    if (choices.oneIn(4)) {
      ofGpus = ofGpus.withLendingLimit(Long.toString(Math.min(ofGpus.nominalQuota(), 2)));
    }
    return queue(
            name,
            choices.of(COHORTS),
            group(ofGpus, ResourceQuota.ofAmount("disk", choices.nextInt(5))))
        .admissionMode(
            choices.nextBoolean()
                ? AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING
                : AdmissionMode.NO_ADMISSION_FAIR_SHARING)
        .preemption(Preemption.builder()
            .withinClusterQueue(choices.of(policies))
            .reclaimWithinCohort(choices.of(policies))
            .borrowWithinCohort(
                choices.nextBoolean() ? Preemption.Policy.NEVER : Preemption.Policy.LOWER_PRIORITY)
            .maxPriorityThreshold(
                choices.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(choices.nextInt(4)))
            .build());
  }

  private String randomQueueName() {
    return "q" + choices.nextInt(queues);
  }

  private QuotaHolder randomHolder() {
    return fixture.holder(choices.of(running));
  }

  /** {@return the name of a new running workload} */
  private String run() {
    String name = "w" + submitted++;
    int what = choices.nextInt(3);
    Map<String, Long> amounts = what == 0
        ? Map.of("gpu", (long) choices.nextInt(4))
        : what == 1
            ? Map.of("disk", (long) choices.nextInt(4))
            : Map.of("gpu", 1L + choices.nextInt(3), "disk", 1L + choices.nextInt(3));
    long queued = 1000L * choices.nextInt(12);
    long reserved = queued + 1000L * (choices.nextInt(4) - (mayBeQueuedLater ? 1 : 0));
    String queue = randomQueueName();
    int priority = choices.nextInt(4);
    fixture.running(queued, reserved, name, name, queue, priority, amounts);
    choices.note(
        "%s of priority %s runs in %s with %s, queued at %s, reserved at %s",
        name, priority, queue, amounts, queued, reserved);
    return name;
  }

  private void change() {
    switch (choices.nextInt(6)) {
      case 0 -> running.add(run());
      case 1 -> {
        if (running.size() > 3) {
          QuotaHolder holder = randomHolder();
          choices.note("%s ends", holder.workload().source().name());
          running.remove(holder.workload().source().name());
          fixture.queueOf(holder).remove(holder);
        }
      }
      case 2 -> {
        QuotaHolder holder = randomHolder();
        choices.note("%s set aside or back", holder.workload().source().name());
        fixture.queueOf(holder).setAside(holder, !fixture.isSetAside(holder));
      }
      case 3 -> fixture.evict(choices.of(running), 1000L * choices.nextInt(12));
      case 4 -> fixture.cohorts.setActive(randomQueueName(), !choices.oneIn(3));
      default -> fixture.cohorts.with(randomQueue(randomQueueName()));
    }
  }

  /** Searches with some taken out and something added on trial, maybe with nothing of that. */
  private void compareOnTrial() {
    QueueQuota some = fixture.cohorts.queue("q0");
    QuotaTree tree = some.tree();
    int checkpoint = tree.checkpoint();
    for (int i = choices.nextInt(4); i > 0; i--) {
      QuotaHolder holder = randomHolder();
      QueueQuota queue = fixture.queueOf(holder);
      if (queue.tree().equals(tree) && !queue.isSetAside(holder)) {
        queue.uncharge(holder);
        queue.setAside(holder, true);
      }
    }
    for (int i = choices.nextInt(3); i > 0; i--) {
      QueueQuota queue = fixture.cohorts.queue(randomQueueName());
      if (queue.tree().equals(tree)) {
        tree.add(queue.node(), tree.column(fixture.cohorts.gpuPair()), choices.nextInt(4));
      }
    }
    compare();
    tree.rollback(checkpoint);
  }

  private void compare() {
    QueueQuota queue = fixture.cohorts.queue(randomQueueName());
    Preemptor preemptor =
        fixture.preemptor(queue.name(), choices.nextInt(5), 1000L * choices.nextInt(12));
    Demand demand = randomDemand(queue);

    LocalQueueUsage usage = choices.nextBoolean() ? LocalQueueUsage.NONE : this::usage;
    NaiveClassicalSearch naive = new NaiveClassicalSearch(preemptor, demand, usage);

    CandidateIndex index = CandidateIndex.of(preemptor, demand.needed(), usage);
    index.refresh();
    for (boolean allowsBorrowing : new boolean[] {true, false}) {
      assertThat(ImmutableList.copyOf(new ClassicalCandidates(
              index,
              preemptor,
              demand,
              CandidateLevel.of(preemptor.queue(), demand),
              allowsBorrowing)))
          .isEqualTo(naive.valid(allowsBorrowing));
    }
    assertThat(new ClassicalSearch(preemptor, demand, usage).search()).isEqualTo(naive.search());
  }

  private double usage(String localQueue) {
    return Math.floorMod(localQueue.hashCode() + submitted / 3, 3);
  }

  private Demand randomDemand(QueueQuota queue) {
    FlavorResource[] both = {fixture.cohorts.gpuPair(), fixture.cohorts.pair("default", "disk")};
    long[] amounts = {choices.nextInt(6), choices.nextInt(6)};
    FlavorResource[] needed =
        choices.oneIn(3) ? both : new FlavorResource[] {both[choices.nextInt(2)]};
    choices.note("%s demands %s", queue.name(), Arrays.toString(amounts));
    return new Demand(queue, needed, both, amounts, () -> true);
  }

  @Provide
  Arbitrary<Run> findWhatCollectingFindsRuns() {
    return Run.of(
        choices -> new ClassicalCandidatesProperties().checkFindWhatCollectingFinds(choices));
  }

  @Property(tries = 100)
  void findWhatCollectingFinds(@ForAll("findWhatCollectingFindsRuns") Run run) {
    run.check();
  }

  private void checkFindWhatCollectingFinds(Choices choices) {
    begin(choices);
    choices.repeat(25, number -> {
      change();
      if (choices.nextBoolean()) {
        compare();
      } else {
        compareOnTrial();
      }
    });
  }
}
