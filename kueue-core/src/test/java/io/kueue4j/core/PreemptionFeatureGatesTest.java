package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of the feature gates of preemption and fair sharing. */
class PreemptionFeatureGatesTest {
  private static Preemption whileBorrowing() {
    return Preemption.builder()
        .withinClusterQueue(NEVER)
        .reclaimWithinCohort(ANY)
        .borrowWithinCohort(LOWER_PRIORITY)
        .build();
  }

  /** Rules S-7 and S-18: v1 is preempted by p1, which has to borrow; o1 is created in between. */
  @Nested
  class PreemptorsFirst {
    private Cluster waitingPreemptor(boolean first) {
      return waitForVictims(
          Cluster.with(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, first).ticking());
    }

    @CanIgnoreReturnValue
    private Cluster waitForVictims(Cluster cluster) {
      return waitForVictims(cluster, "unknown");
    }

    @CanIgnoreReturnValue
    private Cluster waitForVictims(Cluster cluster, String priorityClass) {
      cluster.with(
          queue("p", "c", 2).preemption(whileBorrowing()), queue("o", "c", 2), queue("v", "c", 0));
      cluster
          .with(LocalQueue.of("ns", "second", "p"))
          .run("v1", "v", 4, 0)
          .submit(Workload.builder()
              .from(cluster.job("p1", "p", 3, 5))
              .priorityClass(priorityClass)
              .build());
      assertThat(preempted(cluster.cycle()))
          .containsExactly("v1 for p1: InCohortReclaimWhileBorrowing");
      cluster.submit("o1", "o", 2, 0).stop("v1");
      return cluster;
    }

    @Test
    void thePreemptorThatWaitedForItsVictimsGoesFirst() {
      assertThat(admitted(waitingPreemptor(true).cycle())).containsExactly("p1");
    }

    @Test
    void withTheGateOffTheOneThatBorrowsLessGoesFirst() {
      assertThat(admitted(waitingPreemptor(false).cycle())).containsExactly("o1");
    }

    /** Rule U-11: only changes of the spec of a workload count. */
    static Stream<Arguments> changes() {
      return Stream.of(
          change("nothing", "p1", w -> w),
          change("uid", "p1", w -> w.uid("another")),
          change("priority", "o1", w -> w.priority(4)),
          change("priority class", "o1", w -> w.priorityClass("another")),
          change("queue", "o1", w -> w.queueName("second")),
          change("pods", "o1", w -> w.addPodSets(PodSet.builder().name("more").build())));
    }

    private static Arguments change(
        String what, String first, UnaryOperator<Workload.Builder> change) {
      return Arguments.of(what, first, change);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("changes")
    void aPreemptorWhoseSpecHasChangedHasNoPriorityAnyMore(
        String what, String first, UnaryOperator<Workload.Builder> change) {
      Cluster cluster = waitingPreemptor(true);

      cluster.engine.update(
          change.apply(Workload.builder().from(cluster.job("p1"))).build());

      assertThat(admitted(cluster.cycle())).as(what).containsExactly(first);
    }

    @Test
    void reclaimablePodsAreNoChangeOfTheSpec() {
      Cluster cluster = waitingPreemptor(true);
      cluster.reclaim("p1", "main", 0);

      assertThat(admitted(cluster.cycle())).containsExactly("p1");
    }

    @Test
    void aChangeOfTheSpecIsNotForgottenWithTheNextChange() {
      Cluster cluster = waitingPreemptor(true);
      Workload.Builder changed = Workload.builder().from(cluster.job("p1")).priority(4);
      cluster.engine.update(changed.build());
      cluster.engine.update(changed.uid("another").build());

      assertThat(admitted(cluster.cycle())).containsExactly("o1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBoostIsNoChangeOfTheSpec(boolean boosts) {
      Cluster cluster = new Cluster(Settings.builder()
              .putFeatureGates(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true)
              .putFeatureGates(FeatureGate.PRIORITY_BOOST, boosts)
              .build())
          .ticking();
      waitForVictims(cluster);

      cluster.engine.update(
          Workload.builder().from(cluster.job("p1")).priorityBoost(-1).build());

      assertThat(admitted(cluster.cycle())).containsExactly("p1");
    }

    private Cluster waitingPreemptorOfAClass() {
      Cluster cluster = Cluster.with(FeatureGate.PRIORITIZE_PREEMPTOR_WORKLOADS, true)
          .ticking()
          .with(new WorkloadPriorityClass("class", 5));
      return waitForVictims(cluster, "class");
    }

    @Test
    void aPriorityBesideAPriorityClassIsPartOfTheSpec() {
      Cluster cluster = waitingPreemptorOfAClass();

      cluster.engine.update(
          Workload.builder().from(cluster.job("p1")).priority(4).build());

      assertThat(admitted(cluster.cycle())).containsExactly("o1");
    }

    @Test
    void aNewValueOfThePriorityClassIsAChangeOfTheSpec() {
      Cluster cluster = waitingPreemptorOfAClass();

      cluster.with(new WorkloadPriorityClass("class", 6));

      assertThat(admitted(cluster.cycle())).containsExactly("o1");
    }
  }

  /** Rule U-5 c: v1 is preempted by a borrowing workload, after v2 was created. */
  @Nested
  class WithoutPrioritySorting {
    private Cluster preemptedAfterAnotherCame(boolean sortsByPriority) {
      Cluster cluster = Cluster.with(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT, sortsByPriority)
          .ticking()
          .with(
              queue("p", "c", 2).preemption(whileBorrowing()),
              queue("v", "c", 2)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
                      .reclaimWithinCohort(NEVER)
                      .build()));
      cluster.run("v1", "v", 4, 0).submit("p1", "p", 3, 5);
      Workload v2 = cluster.job("v2", "v", 2, 0);
      assertThat(preempted(cluster.cycle()))
          .containsExactly("v1 for p1: InCohortReclaimWhileBorrowing");
      return cluster.submit(v2);
    }

    @ParameterizedTest
    @CsvSource({"true, v1", "false, v2"})
    void whoWasPreemptedByABorrowerQueuesFromThenOn(boolean sortsByPriority, String first) {
      Cluster cluster = preemptedAfterAnotherCame(sortsByPriority);
      cluster.stop("v1");

      assertThat(cluster.pending("v")).hasSize(2).startsWith(first);
    }

    @ParameterizedTest
    @CsvSource({"true, WAITING_FOR_QUOTA", "false, WAITING_FOR_PREEMPTED_WORKLOADS"})
    void aVictimOfABorrowerCountsAsNewerBeforeItHasStopped(
        boolean sortsByPriority, PendingCause cause) {
      Cluster cluster = preemptedAfterAnotherCame(sortsByPriority);
      cluster.engine.delete(id("p1"));

      assertThat(cluster.cycle().preempted()).isEmpty();
      assertThat(cluster.workload("v2").cause()).isEqualTo(cause);
    }

    @Test
    void entriesOfACycleGoByAgeAlone() {
      Cluster cluster = Cluster.with(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT, false)
          .ticking()
          .with(queue("a", "c", 1), queue("b", "c", 1));
      cluster.submit("old", "a", 2, 0).submit("important", "b", 2, 9);

      assertThat(admitted(cluster.cycle())).containsExactly("old");
    }
  }

  /** V-8 through the engine. */
  @Nested
  class FairSharing {
    private Cluster shared(Settings.Builder settings) {
      Cluster cluster = new Cluster(settings.fairSharing().build())
          .ticking()
          .with(
              queue("a", "c", 3)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(NEVER)
                      .reclaimWithinCohort(ANY)
                      .build()),
              queue("b", "c", 3),
              queue("d", "c", 3));
      for (int i = 1; i <= 5; i++) {
        cluster.run("b" + i, "b", 1, 0);
      }
      return cluster;
    }

    @Test
    void takesFromTheLargestShare() {
      Cluster cluster = shared(Settings.builder());
      cluster.run("a1", "a", 3, 0).run("d1", "d", 1, 0).submit("a2", "a", 1, 0);

      assertThat(preempted(cluster.cycle())).containsExactly("b5 for a2: InCohortFairSharing");
    }

    @ParameterizedTest
    @CsvSource({"true, InCohortReclamation", "false, InCohortFairSharing"})
    void withinNominalQuotaReclaimsAsTheGateSays(boolean enabled, String reason) {
      Cluster cluster = shared(Settings.builder()
          .putFeatureGates(FeatureGate.FAIR_SHARING_PREEMPT_WITHIN_NOMINAL, enabled));
      cluster.run("d1", "d", 4, 0).submit("a1", "a", 1, 0);

      assertThat(preempted(cluster.cycle())).containsExactly("b5 for a1: " + reason);
    }

    @Test
    void admitsTheSmallerShareFirst() {
      Cluster cluster = shared(Settings.builder());
      cluster.run("a1", "a", 3, 0);
      cluster.submit("b6", "b", 1, 9).submit("a2", "a", 1, 0);

      assertThat(admitted(cluster.cycle())).containsExactly("a2");
    }

    @ParameterizedTest
    @CsvSource({"true, a2", "false, b2"})
    void theGateDecidesWhetherNonBorrowingGoesFirst(boolean enabled, String first) {
      var twoFlavors =
          ResourceGroup.of(FlavorQuotas.of(FLAVOR, cores(5)), FlavorQuotas.of("spot", cores(0)));
      Cluster cluster = new Cluster(Settings.builder()
              .fairSharing()
              .putFeatureGates(FeatureGate.FAIR_SHARING_PRIORITIZE_NON_BORROWING, enabled)
              .build())
          .ticking()
          .with(ResourceFlavor.of("spot"))
          .with(
              queue("a", "c", twoFlavors),
              queue("b", "c", 0),
              queue("d", "c", ResourceGroup.of(FlavorQuotas.of("spot", cores(20)))));
      cluster.run("filler", "b", 5, 0).run("a1", "a", 5, 0).engine.finish(id("filler"));
      cluster.submit("a2", "a", 5, 0).submit("b2", "b", 1, 0);

      assertThat(admitted(cluster.cycle())).startsWith(first);
    }
  }
}
