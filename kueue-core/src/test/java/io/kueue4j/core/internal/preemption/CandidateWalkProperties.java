package io.kueue4j.core.internal.preemption;

import static io.kueue4j.core.internal.fairness.GpuCohorts.cohort;
import static io.kueue4j.core.internal.fairness.GpuCohorts.gpus;
import static io.kueue4j.core.internal.fairness.GpuCohorts.group;
import static io.kueue4j.core.internal.fairness.GpuCohorts.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.internal.fairness.LocalQueueUsage;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;

/**
 * Reading candidates one by one finds what collecting and sorting them does, in random cohorts that
 * change all the while.
 */
class CandidateWalkProperties {
  private static final List<String> COHORTS = List.of("r", "r", "left", "right", "deep");

  /** There is no usage, but the search cannot know that. */
  private static final LocalQueueUsage ALL_EQUAL = localQueue -> 1;

  private final PreemptionFixture fixture = new PreemptionFixture();
  private final List<String> running = new ArrayList<>();
  private Random random = new Random();
  private int queues;

  /** Whether workloads may be queued later than their quota is reserved. */
  private boolean mayBeQueuedLater;

  private int submitted;

  private void begin(long seed) {
    random = new Random(seed);
    fixture.cohorts.with(
        cohort("left", random.nextInt(4)).parent("r"),
        cohort("right", random.nextInt(4)).parent("r"),
        cohort("deep", random.nextInt(4)).parent("left"));
    mayBeQueuedLater = random.nextBoolean();
    queues = 2 + random.nextInt(8);
    for (int i = 0; i < queues; i++) {
      fixture.cohorts.with(randomQueue("q" + i));
    }
    for (int i = 0; i < 5 + random.nextInt(20); i++) {
      run();
    }
  }

  private ClusterQueue.Builder randomQueue(String name) {
    PreemptionPolicy[] policies = PreemptionPolicy.values();
    ResourceQuota ofGpus = gpus(random.nextInt(5));
    if (random.nextInt(4) == 0) {
      ofGpus = ofGpus.withLendingLimit(Long.toString(Math.min(ofGpus.nominalQuota(), 2)));
    }
    return queue(
            name,
            COHORTS.get(random.nextInt(COHORTS.size())),
            group(ofGpus, ResourceQuota.ofAmount("disk", random.nextInt(5))))
        .preemption(new Preemption(
            policies[random.nextInt(policies.length)],
            policies[random.nextInt(policies.length)],
            random.nextBoolean() ? PreemptionPolicy.NEVER : PreemptionPolicy.LOWER_PRIORITY,
            random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(4))));
  }

  private String randomQueueName() {
    return "q" + random.nextInt(queues);
  }

  private QuotaHolder randomHolder() {
    return fixture.holder(running.get(random.nextInt(running.size())));
  }

  private void run() {
    String name = "w" + submitted++;
    int what = random.nextInt(3);
    Map<String, Long> amounts = what == 0
        ? Map.of("gpu", (long) random.nextInt(4))
        : what == 1
            ? Map.of("disk", (long) random.nextInt(4))
            : Map.of("gpu", 1L + random.nextInt(3), "disk", 1L + random.nextInt(3));
    long queued = 1000L * random.nextInt(12);
    long reserved = queued + 1000L * (random.nextInt(4) - (mayBeQueuedLater ? 1 : 0));
    fixture.running(queued, reserved, name, name, randomQueueName(), random.nextInt(4), amounts);
    running.add(name);
  }

  private void change() {
    switch (random.nextInt(6)) {
      case 0 -> run();
      case 1 -> {
        if (running.size() > 3) {
          QuotaHolder holder = randomHolder();
          running.remove(holder.workload().source().name());
          holder.queue().remove(holder);
        }
      }
      case 2 -> {
        QuotaHolder holder = randomHolder();
        holder.setAside(!holder.isSetAside());
      }
      case 3 -> randomHolder().evict(1000L * random.nextInt(12));
      case 4 -> fixture.cohorts.setActive(randomQueueName(), random.nextInt(3) > 0);
      default -> fixture.cohorts.with(randomQueue(randomQueueName()));
    }
  }

  /** Searches with some taken out and something added on trial, maybe with nothing of that. */
  private void compareOnTrial() {
    QueueQuota some = fixture.cohorts.queue("q0");
    QuotaTree tree = some.tree();
    int checkpoint = tree.checkpoint();
    for (int i = random.nextInt(4); i > 0; i--) {
      QuotaHolder holder = randomHolder();
      if (holder.queue().tree().equals(tree) && !holder.isSetAside()) {
        holder.uncharge();
        holder.setAside(true);
      }
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      QueueQuota queue = fixture.cohorts.queue(randomQueueName());
      if (queue.tree().equals(tree)) {
        tree.add(queue.node(), tree.column(fixture.cohorts.gpuPair()), random.nextInt(4));
      }
    }
    compare();
    tree.rollback(checkpoint);
  }

  private void compare() {
    QueueQuota queue = fixture.cohorts.queue(randomQueueName());
    Preemptor preemptor =
        fixture.preemptor(queue.name(), random.nextInt(5), 1000L * random.nextInt(12));
    Demand demand = randomDemand(queue);

    for (boolean allowsBorrowing : new boolean[] {true, false}) {
      assertThat(readValid(IndexedCandidates.find(preemptor, demand), demand, allowsBorrowing))
          .isEqualTo(readValid(
              new CollectedCandidates(preemptor, demand, LocalQueueUsage.NONE),
              demand,
              allowsBorrowing));
    }
    assertThat(new ClassicalSearch(LocalQueueUsage.NONE).search(preemptor, demand))
        .isEqualTo(new ClassicalSearch(ALL_EQUAL).search(preemptor, demand));
  }

  private Demand randomDemand(QueueQuota queue) {
    int[] both = {fixture.cohorts.gpuPair(), fixture.cohorts.pair("default", "disk")};
    long[] amounts = {random.nextInt(6), random.nextInt(6)};
    int[] needed = random.nextInt(3) == 0 ? both : new int[] {both[random.nextInt(2)]};
    return new Demand(queue, needed, both, amounts, () -> true);
  }

  private static List<ClassicalCandidate> readValid(
      @Nullable ClassicalCandidates candidates, Demand demand, boolean allowsBorrowing) {
    List<ClassicalCandidate> read = new ArrayList<>();
    if (candidates != null) {
      candidates.inOrder(allowsBorrowing).forEachRemaining(candidate -> {
        if (ClassicalSearch.isValid(candidate, demand, allowsBorrowing)) {
          read.add(candidate);
        }
      });
    }
    return read;
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void findWhatCollectingFinds(@ForAll long seed) {
    begin(seed);
    for (int i = 0; i < 25; i++) {
      change();
      if (random.nextBoolean()) {
        compare();
      } else {
        compareOnTrial();
      }
    }
  }
}
