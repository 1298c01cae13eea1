package io.kueue4j.core.internal.flavor;

import static io.kueue4j.core.internal.flavor.FlavorFixture.disk;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpu;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpus;
import static io.kueue4j.core.internal.flavor.FlavorFixture.pods;
import static io.kueue4j.core.internal.flavor.FlavorFixture.reserved;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spec;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spot;
import static io.kueue4j.core.internal.flavor.FlavorFixture.ssd;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.attempt.FlavorFit;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a workload as a whole gets: per pod set and resource, in which mode, and why not. */
class AssignmentWalkTest {
  private final FlavorFixture fixture = new FlavorFixture();

  @Nested
  class QuotaTest {
    @Test
    void fitsUpToWhatIsAvailable() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 2);

      Assignment assignment = fixture.assign(queue, gpus("main", 3));

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(assignment.borrowLevel()).isZero();
      assertThat(fixture.chosen(assignment, gpus("main", 3))).containsExactly("main: 3 spot/gpu");
      assertThat(fixture.reasons(assignment, gpus("main", 3))).isEmpty();
    }

    @Test
    void exceedsTheMaximumIfNotEvenAnEmptyClusterWouldDo() {
      fixture.queue("lender", spot(gpu(5)));
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));

      Assignment assignment = fixture.assign(queue, gpus("main", 11));

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(assignment.cause()).isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
      assertThat(fixture.reasons(assignment, gpus("main", 11)))
          .containsExactly("EXCEEDS_MAXIMUM spot");
      assertThat(fixture.asked).isEmpty();
    }

    @Test
    void asksTheOracleWithinNominalEvenIfTheQueueItselfUsesIt() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 5);

      Assignment assignment = fixture.assign(queue, gpus("main", 5));

      assertThat(fixture.asked).containsExactly("spot/gpu=5");
      assertThat(assignment.mode()).isEqualTo(AssignmentMode.PREEMPT);
    }

    @Test
    void doesNotAskTheOracleAboveNominalInOneLevel() {
      fixture.queue("lender", spot(gpu(5)));
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 5);

      Assignment assignment = fixture.assign(queue, gpus("main", 6));

      assertThat(fixture.asked).isEmpty();
      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(assignment.cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
      assertThat(fixture.reasons(assignment, gpus("main", 6)))
          .containsExactly("INSUFFICIENT_QUOTA spot");
    }

    @Test
    void asksTheOracleAboveNominalIfASubtreeWouldTakeIt() {
      fixture.cohort("m", "r", spot(gpu(2)));
      QueueQuota other = fixture.queue(spec("y", spot(gpu(5))).cohort("r"));
      QueueQuota queue = fixture.queue(spec("x", spot(gpu(1))).cohort("m"));
      fixture.use(other, "spot", "gpu", 6);

      fixture.assign(queue, gpus("main", 3));

      assertThat(fixture.asked).containsExactly("spot/gpu=3");
    }

    @ParameterizedTest
    @CsvSource({
      "NEVER, NEVER, false, false",
      "ANY, NEVER, false, false",
      "ANY, LOWER_PRIORITY, false, true",
      "ANY, NEVER, true, true",
      "LOWER_PRIORITY, NEVER, true, true",
      "NEVER, NEVER, true, false"
    })
    void asksTheOracleAboveNominalIfItMayPreemptWhileBorrowing(
        Preemption.Policy reclaim, Preemption.Policy borrow, boolean fairSharing, boolean asks) {
      if (fairSharing) {
        fixture.use(Settings.builder().fairSharing());
      }
      fixture.queue("lender", spot(gpu(5)));
      QueueQuota queue = fixture.queue(spec("queue", spot(gpu(5)))
          .preemption(Preemption.builder()
              .reclaimWithinCohort(reclaim)
              .borrowWithinCohort(borrow)
              .build()));
      fixture.use(queue, "spot", "gpu", 5);

      Assignment assignment = fixture.assign(queue, gpus("main", 6));

      assertThat(fixture.asked).hasSize(asks ? 1 : 0);
      assertThat(assignment.mode())
          .isEqualTo(asks ? AssignmentMode.PREEMPT : AssignmentMode.NO_FIT);
    }

    @Test
    void countsWhatEarlierPodSetsGot() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 1);

      Assignment assignment = fixture.assign(queue, gpus("a", 3), gpus("b", 2));

      assertThat(fixture.asked).containsExactly("spot/gpu=5");
      assertThat(assignment.mode()).isEqualTo(AssignmentMode.PREEMPT);
      assertThat(fixture.usage(assignment)).containsExactly("spot/gpu=5");
    }

    @Test
    void keepsTheModeThatTheOracleFound() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 5);
      fixture.answer("spot", "gpu", FlavorFit.RECLAIM, 2);

      Assignment assignment = fixture.assign(queue, gpus("main", 5));

      assertThat(assignment.podSets().get(0).mode(0)).isEqualTo(FlavorFit.RECLAIM);
      assertThat(assignment.borrowLevel()).isEqualTo(2);
      assertThat(assignment.cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);
    }

    @Test
    void saysThatNothingMayBePreempted() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 5);

      assertThat(fixture.reasons(fixture.assign(queue, gpus("main", 1)), gpus("main", 1)))
          .containsExactly("NO_PREEMPTION_CANDIDATES spot");
    }
  }

  @Nested
  class SeveralResources {
    private final PodSet podSet =
        pods("main", 3).requestAmount("gpu", 1).requestAmount("disk", 1).build();

    @Test
    void ofOneGroupGetTheSameFlavor() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5), disk(2)), reserved(gpu(5), disk(5)));

      assertThat(fixture.chosen(fixture.assign(queue, podSet), podSet))
          .containsExactly("main: 3 reserved/disk, 3 reserved/gpu");
    }

    @Test
    void ofSeveralGroupsAreDecidedIndependently() {
      QueueQuota queue = fixture.queue(spec("queue", spot(gpu(1)), reserved(gpu(5)))
          .addResourceGroups(ResourceGroup.of(ssd(5))));

      assertThat(fixture.chosen(fixture.assign(queue, podSet), podSet))
          .containsExactly("main: 3 ssd/disk, 3 reserved/gpu");
    }

    @Test
    void makeAFlavorAsBadAsTheWorst() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5), disk(5)));
      fixture.use(queue, "spot", "disk", 5);
      fixture.answer("spot", "disk", FlavorFit.PREEMPT, 0);

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.PREEMPT);
      assertThat(assignment.podSets().get(0).mode(0)).as("disk").isEqualTo(FlavorFit.PREEMPT);
      assertThat(assignment.podSets().get(0).mode(1)).as("gpu").isEqualTo(FlavorFit.FIT);
    }

    /** The pair of one resource is taken as a unit: (fit, 1) is worse than (preempt, 0). */
    @Test
    void mayFitAsAPairThoughOneOfThemNeedsPreemption() {
      fixture.queue("lender", spot(gpu(5), disk(0)));
      QueueQuota queue = fixture.queue(spec("queue", spot(gpu(0), disk(5)))
          .flavorFungibility(new FlavorFungibility(
              Policy.TRY_NEXT_FLAVOR,
              Policy.TRY_NEXT_FLAVOR,
              Optional.of(Preference.PREEMPTION_OVER_BORROWING))));
      fixture.use(queue, "spot", "disk", 5);
      fixture.answer("spot", "disk", FlavorFit.PREEMPT, 0);

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(assignment.borrowLevel()).isEqualTo(1);
      assertThat(assignment.podSets().get(0).mode(0)).as("disk").isEqualTo(FlavorFit.PREEMPT);
      assertThat(fixture.reasons(assignment, podSet)).isEmpty();
    }

    @Test
    void levelIsTheHighestOfAllResources() {
      fixture.queue("lender", spot(gpu(5), disk(5)));
      QueueQuota queue = fixture.queue("queue", spot(gpu(0), disk(5)));

      assertThat(fixture.assign(queue, podSet).borrowLevel()).isEqualTo(1);
    }

    @Test
    void failAsAWholeIfOneHasNoFlavor() {
      QueueQuota queue =
          fixture.queue(spec("queue", spot(gpu(2))).addResourceGroups(ResourceGroup.of(ssd(5))));

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(assignment.podSets()).as("nor the index of the other group").isEmpty();
      assertThat(assignment.usage().size()).isZero();
    }
  }

  @Nested
  class UncoveredResources {
    private final QueueQuota queue = fixture.queue("queue", spot(gpu(5)));

    @Test
    void failIfMoreThanNothingIsAsked() {
      PodSet podSet =
          pods("main", 1).requestAmount("gpu", 1).requestAmount("disk", 1).build();

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(assignment.cause()).isEqualTo(PendingCause.NO_MATCHING_FLAVOR);
      assertThat(fixture.reasons(assignment, podSet)).containsExactly("RESOURCE_NOT_COVERED");
    }

    @Test
    void arePassedOverIfNothingIsAsked() {
      PodSet podSet =
          pods("main", 1).requestAmount("gpu", 1).requestAmount("disk", 0).build();

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(fixture.chosen(assignment, podSet)).containsExactly("main: 1 spot/gpu");
    }

    @Test
    void arePassedOverIfTheyAreToBeIgnored() {
      fixture.use(
          Settings.builder().quotaCheckStrategy(Settings.QuotaCheckStrategy.IGNORE_UNDECLARED));
      PodSet podSet =
          pods("main", 1).requestAmount("gpu", 1).requestAmount("disk", 9).build();

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(fixture.usage(assignment)).containsExactly("spot/gpu=1");
    }

    /** Deviates from upstream, which would lose the later pod sets. */
    @Test
    void thatAreAllAPodSetAsksForDoNotLoseLaterPodSets() {
      PodSet nothing = pods("nothing", 2).requestAmount("disk", 0).build();

      Assignment assignment = fixture.assign(queue, nothing, gpus("worker", 3));

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(fixture.chosen(assignment, nothing, gpus("worker", 3)))
          .containsExactly("nothing", "worker: 3 spot/gpu");
    }

    @Test
    void thatAreAllAPodSetAsksForDoNotHideThatLaterPodSetsFail() {
      PodSet nothing = pods("nothing", 2).requestAmount("disk", 0).build();

      assertThat(fixture.assign(queue, nothing, gpus("worker", 6)).mode())
          .isEqualTo(AssignmentMode.NO_FIT);
    }
  }

  @Nested
  class RequestsOfNothing {
    private final PodSet zero = pods("main", 1).requestAmount("gpu", 0).build();

    @Test
    void bindAFlavor() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));

      Assignment assignment = fixture.assign(queue, zero);

      assertThat(fixture.chosen(assignment, zero)).containsExactly("main: 0 spot/gpu");
      assertThat(fixture.usage(assignment)).containsExactly("spot/gpu=0");
    }

    @Test
    void fitAndBorrowInAnOverusedQueue() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));
      fixture.use(queue, "spot", "gpu", 6);

      Assignment assignment = fixture.assign(queue, zero);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(assignment.borrowLevel()).isEqualTo(1);
    }

    @Test
    void withoutAnyResourceFitWithoutFlavor() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)));

      Assignment assignment = fixture.assign(queue, pods("main", 1).build());

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.FIT);
      assertThat(assignment.usage().size()).isZero();
    }
  }

  @Nested
  class QueueWithoutFlavors {
    private final QueueQuota queue = fixture.queue(ClusterQueue.builder().name("empty"));

    @ParameterizedTest
    @CsvSource({"true, NO_FIT", "false, FIT"})
    void takesPodsWithoutRequestsOnlyIfTopologyIsOff(boolean topologyAware, AssignmentMode mode) {
      fixture.use(
          Settings.builder().putFeatureGates(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, topologyAware));

      assertThat(fixture.assign(queue, pods("main", 1).build()).mode()).isEqualTo(mode);
    }

    @Test
    void saysThatItOffersNone() {
      PodSet podSet = pods("main", 1).build();

      Assignment assignment = fixture.assign(queue, podSet);

      assertThat(assignment.cause()).isEqualTo(PendingCause.NO_MATCHING_FLAVOR);
      assertThat(fixture.reasons(assignment, podSet)).containsExactly("NO_FLAVORS");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void takesPodsThatRequestNothing(boolean topologyAware) {
      fixture.use(
          Settings.builder().putFeatureGates(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, topologyAware));

      assertThat(fixture
              .assign(queue, pods("main", 1).requestAmount("gpu", 0).build())
              .mode())
          .isEqualTo(AssignmentMode.FIT);
    }

    @Test
    void takesNoOther() {
      assertThat(fixture.assign(queue, gpus("main", 1)).mode()).isEqualTo(AssignmentMode.NO_FIT);
    }
  }

  @Test
  void manyResourcesAreChargedEachForItself() {
    ResourceQuota[] quotas = IntStream.rangeClosed(1, 11)
        .mapToObj(i -> ResourceQuota.ofAmount("resource-" + i, 100L))
        .toArray(ResourceQuota[]::new);
    QueueQuota queue = fixture.queue("queue", spot(quotas));
    PodSet.Builder podSet = pods("main", 2);
    IntStream.rangeClosed(1, 11).forEach(i -> podSet.requestAmount("resource-" + i, i));

    assertThat(fixture.usage(fixture.assign(queue, podSet.build())))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 11)
            .mapToObj(i -> "spot/resource-" + i + "=" + 2 * i)
            .toList());
  }

  /** Asking for the last bit of what could ever be had waits for quota, and does not exceed it. */
  @Test
  void wholeMaximumIsWorthWaitingFor() {
    fixture.queue("lender", spot(gpu(2)));
    QueueQuota queue = fixture.queue("queue", spot(gpu(1)));
    fixture.use(queue, "spot", "gpu", 1);

    assertThat(fixture.assign(queue, gpus("main", 3)).cause())
        .isEqualTo(PendingCause.WAITING_FOR_QUOTA);
    assertThat(fixture.assign(queue, gpus("main", 4)).cause())
        .isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
  }

  @Test
  void groupWithoutCandidatesDoesNotReconsiderAnEarlierGroup() {
    QueueQuota queue = fixture.queue(
        spec("queue", spot(gpu(5)), reserved(gpu(5))).addResourceGroups(ResourceGroup.of(ssd(5))));
    fixture.use(queue, "ssd", "disk", 5);
    PodSet podSet =
        pods("main", 1).requestAmount("gpu", 1).requestAmount("disk", 1).build();

    Assignment first = fixture.assign(queue, podSet);
    Assignment second = fixture.resume(queue, first, podSet);

    assertThat(fixture.chosen(first, podSet)).containsExactly("main: 1 ssd/disk, 1 spot/gpu");
    assertThat(fixture.chosen(second, podSet))
        .as("the next walk goes on behind the flavor taken now")
        .containsExactly("main: 1 ssd/disk, 1 reserved/gpu");
  }
}
