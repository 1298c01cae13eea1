package io.kueue4j.core;

import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.UsageBasedQueues.SHARING;
import static io.kueue4j.core.UsageBasedQueues.cluster;
import static io.kueue4j.core.UsageBasedQueues.consumed;
import static io.kueue4j.core.UsageBasedQueues.localQueue;
import static io.kueue4j.core.UsageBasedQueues.restore;
import static io.kueue4j.core.UsageBasedQueues.usageBased;
import static io.kueue4j.core.UsageBasedQueues.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.LocalQueueView.ConsumedUsage;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionMode;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Section 11 through the API: LocalQueues of one ClusterQueue are served by usage.
 *
 * <p>Half-life ten minutes, sampling every five: a penalty is 0.29289… of the requests.
 */
class AdmissionFairSharingEngineTest {
  private final Cluster cluster = cluster(SHARING);

  @CanIgnoreReturnValue
  private Cluster open(int cpu) {
    return UsageBasedQueues.open(cluster, usageBased("cq", cpu));
  }

  private double usage(String localQueue) {
    return UsageBasedQueues.usage(cluster, localQueue);
  }

  @Nested
  class OrderOfHeads {
    @Test
    void theLocalQueueThatUsedLessGoesFirst() {
      open(8);
      restore(cluster, "a", "3");
      restore(cluster, "b", "2");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.pending("cq")).containsExactly("b1", "a1");
      assertThat(admitted(cluster.cycle())).containsExactly("b1");
    }

    @Test
    void usageGoesBeforePriority() {
      open(8);
      restore(cluster, "a", "3");
      cluster.submit(cluster.job("a1", "a", 1, workload -> workload.priority(100)));
      cluster.submit("b1", "b", 1);
      assertThat(admitted(cluster.cycle())).containsExactly("b1");
    }

    @Test
    void twoEqualLocalQueuesAlternate() {
      open(8);
      for (int i = 1; i <= 4; i++) {
        cluster.submit("a" + i, "a", 1);
      }
      for (int i = 1; i <= 4; i++) {
        cluster.submit("b" + i, "b", 1);
      }
      assertThat(cluster.settle()).containsExactly("a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4");
    }

    @Test
    void weightsSetTheProportion() {
      cluster.with(usageBased("cq", 9).build(), localQueue("a", 1), localQueue("b", 2));
      for (int i = 1; i <= 9; i++) {
        cluster.submit("a" + i, "a", 1);
        cluster.submit("b" + i, "b", 1);
      }
      assertThat(cluster.settle()).filteredOn(name -> name.startsWith("b")).hasSize(6);
    }

    @Test
    void aLocalQueueWithoutWeightGoesLastThoughItUsedNothing() {
      cluster.with(usageBased("cq", 2).build(), localQueue("a", 0), localQueue("b", 1));
      restore(cluster, "b", "1000");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(usage("a")).isInfinite();
      assertThat(cluster.settle()).containsExactly("b1", "a1");
    }

    @Test
    void aChangedWeightCountsAtOnce() {
      open(8);
      restore(cluster, "a", "3");
      restore(cluster, "b", "2");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      cluster.with(localQueue("a", 2));
      assertThat(usage("a")).isEqualTo(1.5);
      assertThat(cluster.pending("cq")).containsExactly("a1", "b1");
      assertThat(admitted(cluster.cycle())).containsExactly("a1");
    }

    @Test
    void strictFifoBlocksOnTheHeadByUsage() {
      UsageBasedQueues.open(
          cluster, usageBased("cq", 4).queueingStrategy(QueueingStrategy.STRICT_FIFO));
      restore(cluster, "a", "3");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 5);
      assertThat(cluster.settle()).isEmpty();
      cluster.engine.delete(Cluster.id("b1"));
      assertThat(cluster.settle()).containsExactly("a1");
    }

    @Test
    void shapesAreGivenUpAcrossLocalQueues() {
      open(4);
      cluster.submit("a1", "a", 5);
      cluster.submit("b1", "b", 5);
      assertThat(admitted(cluster.cycle())).isEmpty();
      assertThat(cluster.inadmissible("cq")).containsExactlyInAnyOrder("a1", "b1");
    }

    @Test
    void samplingTurnsTheOrder() {
      open(8);
      cluster.run("runs", "a", 1);
      restore(cluster, "a", "0.5");
      restore(cluster, "b", "0.6");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.pending("cq")).containsExactly("a1", "b1");
      // The usage of a converges to 1 core, which is in use; the usage of b to 0.
      cluster.advance(Duration.ofMinutes(4));
      assertThat(cluster.pending("cq")).containsExactly("a1", "b1");
      cluster.advance(Duration.ofMinutes(1));
      assertThat(cluster.pending("cq")).containsExactly("b1", "a1");
      assertThat(admitted(cluster.cycle())).containsExactly("b1");
    }

    @Test
    void positionsAreByUsage() {
      open(8);
      restore(cluster, "a", "3");
      cluster.submit("a1", "a", 1);
      cluster.submit("a2", "a", 1);
      cluster.submit("b1", "b", 1);
      Explanation second = cluster.engine.explain(Cluster.id("a2"));
      assertThat(second.positionInClusterQueue()).hasValue(2);
      assertThat(second.positionInLocalQueue()).hasValue(1);
      assertThat(cluster.engine.explain(Cluster.id("b1")).positionInClusterQueue())
          .hasValue(0);
    }

    @Test
    void usageHasNoSayBetweenClusterQueues() {
      cluster.with(
          usageBased("cq", 1).cohort("c").build(),
          usageBased("other", 1).cohort("c").build(),
          localQueue("a", 1),
          LocalQueue.of(Cluster.NAMESPACE, "o", "other"));
      restore(cluster, "a", "100");
      cluster.submit("a1", "a", 2);
      cluster.submit("o1", "o", 2);
      assertThat(admitted(cluster.cycle())).as("older, though it used more").containsExactly("a1");
    }
  }

  @Nested
  class WhereItIsOff {
    private void expectAge(Cluster off) {
      off.submit("a1", "a", 1);
      off.submit("a2", "a", 1);
      off.submit("b1", "b", 1);
      assertThat(off.settle()).containsExactly("a1", "a2", "b1");
    }

    @Test
    void withoutSettings() {
      Cluster off = UsageBasedQueues.open(new Cluster(), usageBased("cq", 8));
      expectAge(off);
      assertThat(view(off, "a").fairSharingUsage()).isEmpty();
      assertThat(view(off, "a").consumed()).isEmpty();
      assertThat(EngineCalls.tick(off.engine)).isEmpty();
      assertThatThrownBy(() -> restore(off, "a", "1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("only with admissionFairSharing in the settings");
    }

    @Test
    void withTheGateOff() {
      Cluster off = UsageBasedQueues.open(
          new Cluster(Settings.builder()
              .admissionFairSharing(SHARING)
              .putFeatureGates(FeatureGate.ADMISSION_FAIR_SHARING, false)
              .build()),
          usageBased("cq", 8));
      expectAge(off);
      assertThat(view(off, "a").fairSharingUsage()).isEmpty();
    }

    @Test
    void withoutTheModeNothingIsPenalized() {
      expectAge(UsageBasedQueues.open(cluster, Queues.queue("cq", 8)));
      assertThat(usage("a")).isZero();
      cluster.advance(Duration.ofMinutes(10));
      assertThat(usage("a")).as("sampled all the same").isBetween(0.99999999, 1.0);
    }

    @Test
    void aModeSetLaterPenalizesButDoesNotOrder() {
      UsageBasedQueues.open(cluster, Queues.queue("cq", 8));
      cluster.with(usageBased("cq", 8).build());
      cluster.submit("a1", "a", 1);
      cluster.submit("a2", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.settle()).containsExactly("a1", "a2", "b1");
      assertThat(usage("a")).isPositive();
    }

    @Test
    void aModeTakenBackLaterStillOrders() {
      open(8);
      cluster.with(Queues.queue("cq", 8).build());
      restore(cluster, "a", "1");
      cluster.submit("a1", "a", 1);
      cluster.submit("b1", "b", 1);
      assertThat(cluster.settle()).containsExactly("b1", "a1");
    }
  }

  @Nested
  class Restart {
    @Test
    void anEngineGoesOnWhereAnotherEnded() {
      open(8);
      Workload running = cluster.run("a1", "a", 4).job("a1");
      Admission admission = cluster.engine.admission(running.id()).orElseThrow();
      cluster.advance(Duration.ofMinutes(7));
      ConsumedUsage stored = view(cluster, "a").consumed().orElseThrow();

      Cluster restarted = UsageBasedQueues.open(cluster(SHARING), usageBased("cq", 8));
      restarted.advance(Duration.ofMinutes(7));
      restarted.engine.lifecycle().restore(running, admission);
      assertThat(UsageBasedQueues.usage(restarted, "a"))
          .as("what is restored costs nothing")
          .isZero();
      restarted.engine.restoreConsumedUsage(Cluster.NAMESPACE, "a", stored);
      for (Cluster each : new Cluster[] {cluster, restarted}) {
        each.advance(Duration.ofMinutes(20));
      }
      assertThat(view(restarted, "a")).isEqualTo(view(cluster, "a"));
    }

    @Test
    void theUsageOfAnUnknownLocalQueueIsRefused() {
      open(8);
      assertThatThrownBy(() -> restore(cluster, "unknown", "1"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ns/unknown cannot be restored: it does not exist; apply it first");
    }

    @Test
    void consumedAmountsAreNotNegative() {
      assertThatThrownBy(() -> consumed("-1", Cluster.START))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the consumed amount of cpu is -1; expected 0 or more");
    }
  }

  @Nested
  class Victims {
    private List<String> victimsOf(Cluster some) {
      List<String> victims = new ArrayList<>();
      AdmissionResult result = some.engine
          .tryAdmit(some.job("incoming", "b", 2, workload -> workload.priority(100)))
          .result();
      assertThat(result).isInstanceOf(AdmissionResult.Preempting.class);
      ((AdmissionResult.Preempting) result)
          .victims()
          .forEach(victim -> victims.add(victim.workload().name()));
      return victims;
    }

    private Cluster full(ClusterQueue.Builder queue) {
      UsageBasedQueues.open(
              cluster,
              queue.preemption(Preemption.builder()
                  .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                  .build()))
          .with(localQueue("c", 1));
      cluster.run(cluster.job("a1", "a", 2, workload -> workload.priority(10)));
      cluster.run("c1", "c", 2);
      restore(cluster, "a", "9");
      restore(cluster, "c", "1");
      return cluster;
    }

    @Test
    void theLocalQueueThatUsedMoreLosesFirst() {
      assertThat(victimsOf(full(usageBased("cq", 4)))).containsExactly("a1");
    }

    @Test
    void withoutTheModeTheLowerPriorityLosesFirst() {
      assertThat(victimsOf(full(Queues.queue("cq", 4)))).containsExactly("c1");
    }
  }

  @Nested
  class Ticks {
    @Test
    void theNextTickIsTheNextSampling() {
      open(8);
      assertThat(EngineCalls.tick(cluster.engine))
          .contains(Cluster.START.plus(Duration.ofMinutes(5)));
      cluster.advance(Duration.ofMinutes(13));
      assertThat(EngineCalls.tick(cluster.engine))
          .contains(Cluster.START.plus(Duration.ofMinutes(15)));
      cluster.run("a1", "a", 1);
      cluster.advance(Duration.ofMinutes(2));
      assertThat(EngineCalls.tick(cluster.engine))
          .as("five minutes after a1 was admitted")
          .contains(Cluster.START.plus(Duration.ofMinutes(18)));
    }

    @Test
    void theNextTickIsTheNextEndOfABackoff() {
      Cluster plain = UsageBasedQueues.open(new Cluster(), Queues.queue("cq", 8));
      Instant due = Cluster.START.plusSeconds(90);
      plain.backOff(plain.job("a1", "a", 1), due);
      assertThat(EngineCalls.tick(plain.engine)).contains(due);
      assertThat(plain.pending("cq")).isEmpty();
      plain.advance(Duration.ofSeconds(90));
      assertThat(EngineCalls.tick(plain.engine)).isEmpty();
      assertThat(plain.pending("cq")).containsExactly("a1");
    }
  }

  @Nested
  class Shares {
    @Test
    void sharesOfQueuesAndCohortsAreRoundedUp() {
      cluster.with(
          Queues.queue("borrower", 1).cohort("low").build(),
          Queues.queue("lender", 5).cohort("low").build(),
          Queues.queue("outsider", 1).cohort("high").build(),
          Queues.cohort("low", "high"),
          Queues.localQueue("borrower"));
      cluster.run("job", "borrower", 2);
      // One core of the seven that its cohort could have, with what it may borrow.
      assertThat(cluster.view("borrower").weightedShare()).isEqualTo(143);
      assertThat(cluster.view("lender").weightedShare()).isZero();
      assertThat(cluster.engine.view().cohorts())
          .extracting(CohortView::name, CohortView::weightedShare)
          .containsExactly(tuple("high", 0L), tuple("low", 0L));
      cluster.run("more", "borrower", 5);
      // The cohort uses seven of its six cores, and could be lent seven.
      assertThat(cluster.engine.view().cohort("low").orElseThrow().weightedShare())
          .isEqualTo(143);
    }

    @Test
    void aBorrowerWithoutWeightHasTheLargestShare() {
      cluster.with(
          Queues.queue("borrower", 1).cohort("c").fairSharingWeight(0).build(),
          Queues.queue("lender", 5).cohort("c").build(),
          Queues.localQueue("borrower"));
      assertThat(cluster.view("borrower").weightedShare()).isZero();
      cluster.run("job", "borrower", 2);
      assertThat(cluster.view("borrower").weightedShare()).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void severalResourceGroupsAddUpByResource() {
    ResourceGroup group = Queues.group(Queues.cores(8));
    cluster.with(
        Queues.openQueue("cq")
            .addResourceGroups(group)
            .admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING)
            .build(),
        localQueue("a", 1));
    PodSet one = PodSet.builder().name("one").requestAmount("cpu", 1500).build();
    PodSet two = PodSet.builder().name("two").count(2).requestAmount("cpu", 250).build();
    cluster.run(cluster.jobOf("a1", "a", workload -> workload.addPodSets(one, two)));
    assertThat(usage("a")).isEqualTo(0.585786437);
  }
}
