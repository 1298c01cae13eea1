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

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several heads, victims and flavors in one cycle. */
class PreemptionCycleTest {
  private static final FeatureGate RECOMPUTE =
      FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP;

  /** V-14. */
  @Test
  void whatAVictimFreesBeyondItsPreemptorMayBeTakenAtOnce() {
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("p", "c", 10)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(ANY)
                    .build()),
            queue("v", "c", 0),
            queue("b1", "c", 1),
            queue("b2", "c", 1));
    cluster.run("p0", "p", 3, 0).run("v1", "v", 6, 0);
    cluster.submit("p1", "p", 4, 0).submit("b1", "b1", 2, 0).submit("b2", "b2", 2, 0);

    Decisions result = cluster.cycle();

    assertThat(preempted(result)).containsExactly("v1 for p1: InCohortReclamation");
    assertThat(admitted(result)).containsExactly("b1", "b2");
    assertThat(cluster.used("p") + cluster.used("v") + cluster.used("b1") + cluster.used("b2"))
        .isEqualTo(13);

    cluster.stop("v1");
    assertThat(admitted(cluster.cycle())).containsExactly("p1");
    assertThat(cluster.used("p")).isEqualTo(7);
  }

  @Test
  void severalMayPreemptInOneCohortAndCycle() {
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("a", "c", 2)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(NEVER)
                    .build()),
            queue("b", "c", 2)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(NEVER)
                    .build()));
    cluster.run("a1", "a", 2, 0).run("b1", "b", 2, 0);
    cluster.submit("a2", "a", 2, 1).submit("b2", "b", 2, 1);

    assertThat(preempted(cluster.cycle()))
        .containsExactly("a1 for a2: InClusterQueue", "b1 for b2: InClusterQueue");
  }

  @Test
  void whoIsAdmittedInACycleIsNoVictimInIt() {
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("a", "c", 4)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(ANY)
                    .build()),
            queue("v", "c", 0),
            queue("z", "c", 0));
    cluster.run("z1", "z", 1, 0);
    cluster.submit("v1", "v", 3, 9).submit("a1", "a", 4, 0);

    Decisions result = cluster.cycle();

    assertThat(preempted(result)).containsExactly("z1 for a1: InCohortReclamation");
    assertThat(result.admitted()).isEmpty();
  }

  /** Rule S-15 and step 8 of S-10: p1 and p2 both reclaim what v has borrowed. */
  @Nested
  class OverlappingVictims {
    private Cluster cluster(boolean recomputes) {
      return Cluster.with(RECOMPUTE, recomputes)
          .ticking()
          .with(
              queue("p1", "c", 3)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(NEVER)
                      .reclaimWithinCohort(ANY)
                      .build()),
              queue("p2", "c", 3)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(NEVER)
                      .reclaimWithinCohort(ANY)
                      .build()),
              queue("v", "c", 0));
    }

    @Test
    void theSecondWaitsForTheVictimOfTheFirstIfThatIsEnough() {
      Cluster cluster = cluster(true);
      cluster.run("v1", "v", 6, 0).submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);

      assertThat(preempted(cluster.cycle())).containsExactly("v1 for first: InCohortReclamation");
      assertThat(cluster.workload("second").cause())
          .isEqualTo(PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS);
      cluster.stop("v1");
      assertThat(admitted(cluster.cycle())).containsExactly("first", "second");
    }

    @Test
    void whatTheSecondWaitsForIsNotGivenToOthers() {
      Cluster cluster = cluster(true)
          .with(
              queue("p2", "c", 4)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(NEVER)
                      .reclaimWithinCohort(ANY)
                      .build()),
              queue("z", "c", 0));
      cluster.run("v1", "v", 6, 0).submit("first", "p1", 3, 0).submit("second", "p2", 4, 0);
      cluster.submit("third", "z", 1, 0);

      assertThat(cluster.cycle().admitted()).isEmpty();
      assertThat(cluster.workload("second").cause())
          .isEqualTo(PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS);
      assertThat(cluster.engine.explain(id("third")).reasons())
          .extracting(Reason::code)
          .containsExactly(ReasonCode.TAKEN_IN_CYCLE);
    }

    @Test
    void theSecondFindsOtherVictimsIfThereAre() {
      Cluster cluster = cluster(true);
      cluster.run("v1", "v", 3, 0).run("v2", "v", 3, 1);
      cluster.submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);

      assertThat(preempted(cluster.cycle()))
          .containsExactly(
              "v1 for first: InCohortReclamation", "v2 for second: InCohortReclamation");
    }

    @ParameterizedTest
    @CsvSource({"6", "3"})
    void withTheGateOffTheSecondIsPassedOver(int sizeOfEachVictim) {
      Cluster cluster = cluster(false);
      for (int i = 1; i <= 6 / sizeOfEachVictim; i++) {
        cluster.run("v" + i, "v", sizeOfEachVictim, i);
      }
      cluster.submit("first", "p1", 3, 0).submit("second", "p2", 3, 0);

      assertThat(preempted(cluster.cycle())).containsExactly("v1 for first: InCohortReclamation");
      assertThat(cluster.workload("second").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
      assertThat(cluster.engine.explain(id("second")).reasons())
          .extracting(Reason::code)
          .containsExactly(ReasonCode.VICTIMS_TAKEN_IN_CYCLE);
    }

    @Test
    void theSecondKeepsTheFlavorThatItWasNominatedFor() {
      var twoFlavors =
          ResourceGroup.of(FlavorQuotas.of(FLAVOR, cores(3)), FlavorQuotas.of("spot", cores(3)));
      Cluster cluster = new Cluster()
          .ticking()
          .with(ResourceFlavor.of("spot"))
          .with(
              queue("p1", "c", 3)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(NEVER)
                      .reclaimWithinCohort(LOWER_PRIORITY)
                      .build()),
              queue("p2", "c", twoFlavors)
                  .preemption(Preemption.builder()
                      .withinClusterQueue(NEVER)
                      .reclaimWithinCohort(LOWER_PRIORITY)
                      .build())
                  .flavorFungibility(new FlavorFungibility(
                      FlavorFungibility.Policy.MAY_STOP_SEARCH,
                      FlavorFungibility.Policy.MAY_STOP_SEARCH,
                      Optional.empty())),
              queue("v", "c", 0),
              queue("x", "c", 0));
      cluster.run("v1", "v", 3, 0).run("x1", "x", 3, 9);
      cluster.submit("first", "p1", 3, 5).submit("second", "p2", 3, 5);

      Decisions result = cluster.cycle();

      assertThat(preempted(result)).containsExactly("v1 for first: InCohortReclamation");
      assertThat(result.admitted()).isEmpty();
      assertThat(cluster.workload("second").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
    }
  }

  /** Rule S-18: a is pending without victims; b could use the quota that a cannot get. */
  @ParameterizedTest
  @CsvSource({"NEVER, false", "LOWER_PRIORITY, false", "ANY, true"})
  void roomIsHeldWithoutVictimsUnlessAllCanBeReclaimed(
      Preemption.Policy reclaim, boolean admitsTheOther) {
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("a", "c", 5)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(reclaim)
                    .build()),
            queue("b", "c", 5));
    cluster
        .run("a1", "a", 2, 9)
        .run("b1", "b", 4, 9)
        .submit("a2", "a", 5, 8)
        .submit("b2", "b", 3, 0);

    assertThat(admitted(cluster.cycle()).contains("b2")).isEqualTo(admitsTheOther);
    assertThat(cluster.workload("a2").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
  }

  /** V-10 in its variants. */
  @ParameterizedTest
  @CsvSource({
    "true, 5, InCohortReclaimWhileBorrowing",
    "true, 4, InCohortReclamation",
    "false, 4, InCohortReclamation"
  })
  void preemptsWhileBorrowingUpToTheThreshold(boolean borrows, int cores, String reason) {
    Cluster cluster = borrowersOfTwoPriorities(borrows);
    cluster.submit("a1", "a", cores, 5);

    assertThat(preempted(cluster.cycle())).containsExactly("b1 for a1: " + reason);
  }

  @Test
  void doesNotPreemptWhileBorrowingWithoutAPolicyForIt() {
    Cluster cluster = borrowersOfTwoPriorities(false);
    cluster.submit("a1", "a", 5, 5);

    assertThat(cluster.cycle().preempted()).isEmpty();
    assertThat(cluster.workload("a1").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
  }

  private static Cluster borrowersOfTwoPriorities(boolean borrows) {
    Preemption whileBorrowing = Preemption.builder()
        .withinClusterQueue(NEVER)
        .reclaimWithinCohort(ANY)
        .borrowWithinCohort(LOWER_PRIORITY)
        .maxPriorityThreshold(0)
        .build();
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("a", "c", 4)
                .preemption(
                    borrows
                        ? whileBorrowing
                        : Preemption.builder()
                            .withinClusterQueue(NEVER)
                            .reclaimWithinCohort(ANY)
                            .build()),
            queue("b", "c", 4));
    return cluster.run("b1", "b", 3, -1).run("b2", "b", 3, 10);
  }

  /** Rule P-21: b borrows x and could release y, c borrows y and could release x. */
  @Test
  void victimsAreFoundForAllResourcesTogether() {
    Cluster cluster = new Cluster()
        .ticking()
        .with(
            queue("a", "c", twoResources(3, 3))
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(LOWER_PRIORITY)
                    .build()),
            queue("b", "c", twoResources(0, 3)),
            queue("d", "c", twoResources(3, 0)));
    cluster.run(cluster.job("b1", "b", 0, Map.of("y", 3L)));
    cluster.run(cluster.job("b2", "b", 1, Map.of("x", 1L)));
    cluster.run(cluster.job("b3", "b", 9, Map.of("x", 1L)));
    cluster.run(cluster.job("d1", "d", 0, Map.of("x", 3L)));
    cluster.run(cluster.job("d2", "d", 1, Map.of("y", 1L)));
    cluster.run(cluster.job("d3", "d", 9, Map.of("y", 1L)));

    Workload ofX = cluster.job("of-x", "a", 5, Map.of("x", 3L));
    Workload ofY = cluster.job("of-y", "a", 5, Map.of("y", 3L));
    assertThat(cluster.engine.tryAdmit(ofX).result()).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(cluster.engine.tryAdmit(ofY).result()).isInstanceOf(AdmissionResult.Pending.class);
    cluster.submit(cluster.job("both", "a", 5, Map.of("x", 3L, "y", 3L)));

    assertThat(preempted(cluster.cycle()))
        .containsExactlyInAnyOrder(
            "b1 for both: InCohortReclamation", "d1 for both: InCohortReclamation");
  }

  private static ResourceGroup twoResources(long x, long y) {
    return ResourceGroup.of(
        FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount("x", x), ResourceQuota.ofAmount("y", y)));
  }

  /** Rule X-2: up to 0.19.2, pods are not among the resources that victims are searched for. */
  @ParameterizedTest
  @CsvSource({"V0_19, 1, 1", "V0_19, 2, 0", "V0_19_7, 2, 2", "V0_20, 1, 1", "V0_20, 2, 2"})
  void whereOnlyPodsAreShortVictimsMakeRoomForThem(KueueVersion version, int pods, int victims) {
    Cluster cluster = new Cluster(Settings.builder().kueueVersion(version).build())
        .ticking()
        .with(queue(
                "q",
                "c",
                ResourceGroup.of(
                    FlavorQuotas.of(FLAVOR, cores(100), ResourceQuota.ofAmount("pods", 4L))))
            .preemption(Preemption.builder()
                .withinClusterQueue(LOWER_PRIORITY)
                .reclaimWithinCohort(NEVER)
                .build()));
    for (int i = 1; i <= 4; i++) {
      cluster.run("low" + i, "q", 1, i);
    }
    cluster.submit(cluster
        .jobWithoutPods("high", "q")
        .priority(9)
        .addPodSets(PodSet.builder().count(pods).request("cpu", "1").build())
        .build());

    Decisions result = cluster.cycle();

    assertThat(preempted(result))
        .isEqualTo(
            ImmutableList.of("low1 for high: InClusterQueue", "low2 for high: InClusterQueue")
                .subList(0, victims));
    assertThat(cluster.workload("high").cause())
        .isEqualTo(
            victims > 0
                ? PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS
                : PendingCause.WAITING_FOR_QUOTA);
  }

  /**
   * Rules P-3 and U-6: of equal priority only workloads created in a later second are preempted.
   */
  @ParameterizedTest
  @CsvSource({"-1, false", "0, false", "999, false", "1000, true"})
  void whoCameInTheSameSecondIsNotPreemptedAsNewer(long millisLater, boolean preempts) {
    Cluster cluster = new Cluster()
        .ticking()
        .with(queue("q", "c", 2)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_OR_NEWER_EQUAL_PRIORITY)
                .reclaimWithinCohort(NEVER)
                .build()));
    PodSet twoGpus = PodSet.builder().request("cpu", "2").build();
    Workload waiting =
        cluster.jobWithoutPods("waiting", "q").addPodSets(twoGpus).build();
    Instant created = cluster.now();
    cluster.run(cluster
        .jobWithoutPods("running", "q")
        .creationTime(created.plusMillis(millisLater))
        .addPodSets(twoGpus)
        .build());
    cluster.submit(waiting);

    assertThat(cluster.cycle().preempted().isEmpty()).isNotEqualTo(preempts);
  }

  /** Rule P-2: pods are needed; a workload that uses only pods can release them. */
  @Test
  void whereOnlyPodsAreShortWhoHoldsOnlyPodsIsPreempted() {
    Cluster cluster = new Cluster()
        .ticking()
        .with(queue(
                "q",
                "c",
                ResourceGroup.of(
                    FlavorQuotas.of(FLAVOR, cores(100), ResourceQuota.ofAmount("pods", 2L))))
            .preemption(Preemption.builder()
                .withinClusterQueue(LOWER_PRIORITY)
                .reclaimWithinCohort(NEVER)
                .build()));
    cluster.run(cluster.job("plain", "q", 1, Map.of())).run("low", "q", 1, 2);
    cluster.submit("high", "q", 1, 9);

    assertThat(preempted(cluster.cycle())).containsExactly("plain for high: InClusterQueue");
  }

  /** Rule F-17: reclaiming from others is better than preemption in the own queue. */
  @ParameterizedTest
  @CsvSource({"true, spot", "false, default"})
  void aFlavorToReclaimIsPreferredToOneToPreemptIn(boolean reclaims, String flavor) {
    var twoFlavors =
        ResourceGroup.of(FlavorQuotas.of(FLAVOR, cores(2)), FlavorQuotas.of("spot", cores(2)));
    Cluster cluster = new Cluster()
        .ticking()
        .with(ResourceFlavor.of("spot"))
        .with(
            queue("a", "c", twoFlavors)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(reclaims ? ANY : NEVER)
                    .build()),
            queue("b", "c", ResourceGroup.of(FlavorQuotas.of("spot", cores(0)))));
    cluster.run("a1", "a", 2, 0).run("b1", "b", 2, 0).submit("a2", "a", 2, 5);

    PreemptionVictim victim = cluster.cycle().preempted().get(0);

    assertThat(victim.frees().get(0).flavor()).isEqualTo(flavor);
  }

  /** Rule F-17: the borrow level is that after the victims have stopped. */
  @Test
  void preemptionThatEndsBorrowingIsPreferredToBorrowing() {
    var twoFlavors =
        ResourceGroup.of(FlavorQuotas.of(FLAVOR, cores(2)), FlavorQuotas.of("spot", cores(0)));
    Cluster cluster = new Cluster()
        .ticking()
        .with(ResourceFlavor.of("spot"))
        .with(
            queue("a", "c", twoFlavors)
                .preemption(Preemption.builder()
                    .withinClusterQueue(LOWER_PRIORITY)
                    .reclaimWithinCohort(NEVER)
                    .build())
                .flavorFungibility(new FlavorFungibility(
                    FlavorFungibility.Policy.TRY_NEXT_FLAVOR,
                    FlavorFungibility.Policy.TRY_NEXT_FLAVOR,
                    Optional.of(FlavorFungibility.Preference.PREEMPTION_OVER_BORROWING))),
            queue("b", "c", ResourceGroup.of(FlavorQuotas.of("spot", cores(2)))));
    cluster.run("a1", "a", 2, 0).submit("a2", "a", 2, 5);

    Decisions result = cluster.cycle();

    assertThat(preempted(result)).containsExactly("a1 for a2: InClusterQueue");
    assertThat(result.admitted()).isEmpty();
  }

  /** Rules. */
  @Nested
  class PartialAdmission {
    private Cluster cluster(Preemption.Policy withinQueue) {
      return new Cluster()
          .ticking()
          .with(queue("q", "c", 6)
              .preemption(Preemption.builder()
                  .withinClusterQueue(withinQueue)
                  .reclaimWithinCohort(NEVER)
                  .build()));
    }

    private Workload shrinkable(Cluster cluster) {
      return cluster
          .jobWithoutPods("high", "q")
          .priority(1)
          .addPodSets(PodSet.builder().count(6).minCount(2).request("cpu", "1").build())
          .build();
    }

    private int podsAdmitted(Cluster cluster) {
      return cluster.cycle().admitted().get(0).podSetAssignments().get(0).count();
    }

    @Test
    void preemptsForAllPodsRatherThanAdmittingFewer() {
      Cluster cluster = cluster(LOWER_PRIORITY);
      cluster.run("low", "q", 3, 0).submit(shrinkable(cluster));

      assertThat(preempted(cluster.cycle())).containsExactly("low for high: InClusterQueue");
      cluster.stop("low");
      assertThat(podsAdmitted(cluster)).isEqualTo(6);
    }

    @Test
    void admitsFewerPodsWhereItMayNotPreempt() {
      Cluster cluster = cluster(NEVER);
      cluster.run("low", "q", 3, 0).submit(shrinkable(cluster));

      assertThat(podsAdmitted(cluster)).isEqualTo(3);
    }

    @Test
    void preemptsForMorePodsRatherThanAdmittingFewer() {
      Cluster cluster = cluster(LOWER_PRIORITY);
      cluster.run("top", "q", 1, 9).run("low", "q", 3, 0).submit(shrinkable(cluster));

      assertThat(preempted(cluster.cycle())).containsExactly("low for high: InClusterQueue");
      cluster.stop("low");
      assertThat(podsAdmitted(cluster)).isEqualTo(5);
    }
  }
}
