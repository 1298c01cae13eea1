package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.checkedCluster;
import static io.kueue4j.core.Queues.checkedQueue;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.group;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.StableRun;
import io.kueue4j.core.decision.StableRun.RepeatedStop;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Cycles until a further one would decide the same. */
class StableRunTest {
  private final Cluster cluster = new Cluster();
  private final AdmissionEngine engine = cluster.engine;

  private Decisions runCycle() {
    Decisions cycle = engine.runCycle();
    Decisions decided = cycle;
    for (PreemptionVictim victim : cycle.preempted()) {
      decided = decided.and(engine.podsStopped(victim.workload()));
    }
    return decided;
  }

  private static ImmutableList<String> admitted(StableRun run) {
    return run.decisions().admitted().stream()
        .map(Admission::workload)
        .map(workload -> workload.name())
        .collect(ImmutableList.toImmutableList());
  }

  private static ClusterQueue.Builder reclaiming(String name, Preemption.Policy fromOthers) {
    return queue(name, 2)
        .cohort("team")
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(fromOthers)
            .build());
  }

  @Test
  void withNothingToTryItIsStableAtOnce() {
    assertThat(engine.runUntilStable(1).isStable()).isTrue();
    assertThat(engine.runUntilStable(5).cycles()).isEqualTo(1);
  }

  @Test
  void admitsAllThatFitOneAfterAnother() {
    cluster.with(queue("q", 3));
    for (int i = 0; i < 5; i++) {
      cluster.submit("w" + i, "q", 1);
    }

    StableRun run = engine.runUntilStable(100);

    assertThat(admitted(run)).containsExactly("w0", "w1", "w2");
    assertThat(run.decisions().pending()).extracting(AdmissionResult::workload).contains(id("w3"));
    assertThat(run.end()).isEqualTo(StableRun.End.STABLE);
    assertThat(engine.runUntilStable(100).decisions().admitted()).isEmpty();
  }

  @Test
  void aHeadThatNeverFitsDoesNotGoOnForEver() {
    cluster.with(queue("q", 3).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster.submit("large", "q", 4);

    StableRun run = engine.runUntilStable(100);

    assertThat(run.isStable()).isTrue();
    assertThat(run.cycles()).isLessThan(5);
  }

  @Test
  void theLimitEndsIt() {
    cluster.with(queue("q", 3));
    cluster.submit("a", "q", 1);
    cluster.submit("b", "q", 1);

    StableRun run = engine.runUntilStable(1);

    assertThat(admitted(run)).containsExactly("a");
    assertThat(run.end()).isEqualTo(StableRun.End.LIMIT_REACHED);
    assertThat(run.isStable()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> engine.runUntilStable(0))
        .withMessageContaining("at least 1");
  }

  @Test
  void withoutAReactionEvictedWorkloadsHoldTheirQuota() {
    cluster.with(reclaiming("q", Preemption.Policy.NEVER));
    cluster.run("low", "q", 2);
    cluster.submit(cluster.job("high", "q", 2, job -> job.priority(1)));

    StableRun run = engine.runUntilStable(100);

    assertThat(run.decisions().preempted())
        .extracting(PreemptionVictim::workload)
        .containsExactly(id("low"));
    assertThat(run.isStable()).isTrue();
    assertThat(engine.isStopping(id("low"))).isTrue();
    assertThat(cluster.workload("high").holdsQuota()).isFalse();
  }

  @Test
  void reportsBetweenCyclesLetThePreemptorStart() {
    cluster.with(reclaiming("q", Preemption.Policy.NEVER));
    cluster.run("low", "q", 2);
    cluster.submit(cluster.job("high", "q", 2, job -> job.priority(1)));

    StableRun run = engine.runUntilStable(100, this::runCycle);

    assertThat(admitted(run)).containsExactly("high");
    assertThat(run.isStable()).isTrue();
    assertThat(cluster.pending("q")).isEmpty();
    assertThat(cluster.inadmissible("q")).containsExactly("low");
  }

  @Test
  void theDecisionsOfOtherCallsAreAdded() {
    cluster.with(queue("q", 3));
    cluster.submit("a", "q", 1);

    ClusterQueue drained = queue("q", 3).stopPolicy(StopPolicy.HOLD_AND_DRAIN).build();

    StableRun run = engine.runUntilStable(100, () -> {
      Decisions cycle = engine.runCycle();
      return cycle.admitted().isEmpty() ? cycle : cycle.and(engine.apply(drained));
    });

    assertThat(run.decisions().evicted()).hasSize(1);
  }

  @Test
  void workloadsThatTakeTurnsEndIt() {
    cluster.with(
        queue("p", 2).cohort("pool"),
        queue("q", 2)
            .cohort("pool")
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .reclaimWithinCohort(Preemption.Policy.ANY)
                .borrowWithinCohort(Preemption.Policy.LOWER_PRIORITY)
                .build()));
    cluster.submit(cluster.job("l2", "p", 4, job -> job.priority(10)));
    cluster.submit(cluster.job("h1", "q", 2, job -> job.priority(1)));
    cluster.submit(cluster.job("h2", "q", 4, job -> job.priority(10)));
    // Preempted once, which is no loop.
    cluster.with(reclaiming("r", Preemption.Policy.NEVER).cohort(Optional.empty()));
    cluster.run("low", "r", 2).submit("high", "r", 2, 1);

    StableRun run = engine.runUntilStable(10_000, this::runCycle);

    assertThat(run.end()).isEqualTo(StableRun.End.PREEMPTION_LOOP);
    assertThat(run.loop())
        .extracting(RepeatedStop::message)
        .containsExactly(
            "ns/h1 preempts ns/l2 (InCohortReclamation)", "ns/h2 preempts ns/h1 (InClusterQueue)");
    assertThat(run.cycles()).isLessThan(1_000);
    assertThat(run.decisions().preempted())
        .filteredOn(victim -> victim.workload().equals(id("l2")))
        .hasSize(11);
  }

  /** The large ones are tried first, before and after the first one ends. */
  @Test
  void afterAChangeAllAreTriedAgain() {
    cluster.with(queue("q", 4)).run("first", "q", 4);
    for (int cores = 5; cores < 9; cores++) {
      cluster.submit("large-" + cores, "q", cores, 1);
    }
    cluster.submit("small", "q", 3);

    StableRun run = engine.runUntilStable(100, () -> {
      Decisions cycle = engine.runCycle();
      boolean allTried =
          cycle.pending().stream().anyMatch(pending -> pending.workload().equals(id("small")));
      return allTried ? cycle.and(engine.finish(id("first"))) : cycle;
    });

    assertThat(admitted(run)).containsExactly("small");
  }

  /** They were tried before their queue got quota, which is no decision. */
  @Test
  void reservationsAreChanges() {
    Cluster checked = checkedCluster("check");
    ClusterQueue wide =
        checkedQueue("check").resourceGroups(ImmutableList.of(group(cores(60)))).build();
    checked.submit("a", "q", 11).submit("b", "q", 12).submit("c", "q", 13);

    StableRun run = checked.engine.runUntilStable(100, () -> {
      Decisions cycle = checked.engine.runCycle();
      boolean allTried =
          cycle.pending().stream().anyMatch(pending -> pending.workload().equals(id("c")));
      return allTried ? cycle.and(checked.engine.apply(wide)) : cycle;
    });

    assertThat(run.decisions().all())
        .filteredOn(AdmissionResult.Reserved.class::isInstance)
        .hasSize(3);
  }

  private void withFlavors(int count) {
    FlavorQuotas[] flavors = new FlavorQuotas[count];
    for (int i = 0; i < count; i++) {
      cluster.with(ResourceFlavor.of("f" + i));
      flavors[i] = FlavorQuotas.of("f" + i, ResourceQuota.of("cpu", "1"));
    }
    cluster.with(openQueue("q")
        .queueingStrategy(QueueingStrategy.STRICT_FIFO)
        .addResourceGroups(ResourceGroup.of(flavors)));
  }

  @Test
  void flavorsThatWereAddedAreTried() {
    withFlavors(1);
    cluster.submit("large", "q", 2);
    AtomicInteger cycles = new AtomicInteger();

    StableRun run = engine.runUntilStable(100, () -> {
      if (cycles.incrementAndGet() == 3) {
        withFlavors(5);
      }
      return engine.runCycle();
    });

    assertThat(run.cycles()).as("1 with news, 6 without").isEqualTo(7);
  }

  @Test
  void flavorsThatWereRemovedAreNotWaitedFor() {
    withFlavors(5);
    cluster.submit("large", "q", 2);
    cluster.with(queue("other", 1)).run("first", "other", 1);
    AtomicInteger cycles = new AtomicInteger();

    StableRun run = engine.runUntilStable(100, () -> {
      Decisions cycle = engine.runCycle();
      if (cycles.incrementAndGet() != 3) {
        return cycle;
      }
      withFlavors(1);
      return cycle.and(engine.finish(id("first")));
    });

    assertThat(run.cycles()).as("news in 1 and 3, none in 2, 4 and 5").isEqualTo(5);
  }

  @Test
  void everyFlavorIsTriedBeforeItIsStable() {
    ImmutableList.Builder<FlavorQuotas> flavors = ImmutableList.builder();
    for (int i = 0; i < 6; i++) {
      cluster.with(ResourceFlavor.of("f" + i));
      flavors.add(FlavorQuotas.of("f" + i, ResourceQuota.of("cpu", "1")));
    }
    cluster.with(openQueue("q")
        .cohort("team")
        .addResourceGroups(ResourceGroup.of(flavors.build().toArray(new FlavorQuotas[0]))));
    for (int i = 0; i < 7; i++) {
      cluster.submit("w" + i, "q", 1);
    }

    assertThat(admitted(engine.runUntilStable(100))).hasSize(6);
  }

  @Test
  void whatWasPreemptedAsOftenAsHalfOfALoopIsPartOfIt() {
    AtomicInteger cycles = new AtomicInteger();

    StableRun run = engine.runUntilStable(100, () -> {
      int cycle = cycles.incrementAndGet();
      return Decisions.of(
          cycle > 6
              ? ImmutableList.of(preempted("a"))
              : ImmutableList.of(preempted("a"), preempted("b"), preempted("c" + cycle / 6)));
    });

    assertThat(run.loop()).extracting(stop -> stop.workload().name()).containsExactly("a", "b");
  }

  private static PreemptionVictim preempted(String victim) {
    return new PreemptionVictim(
        id(victim), "q", id("p"), PreemptionReason.IN_CLUSTER_QUEUE, ImmutableList.of());
  }
}
