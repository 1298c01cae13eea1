package io.kueue4j.core.internal.flavor;

import static io.kueue4j.core.internal.flavor.FlavorFixture.disk;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpu;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpus;
import static io.kueue4j.core.internal.flavor.FlavorFixture.pods;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Collections2;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorFungibility;
import io.kueue4j.core.model.FlavorFungibility.Policy;
import io.kueue4j.core.model.FlavorFungibility.Preference;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a workload as a whole gets: per pod set and resource, in which mode, and why not. */
class AssignmentWalkTest {
  private final FlavorFixture fixture = new FlavorFixture();

  private static FlavorQuotas spot(ResourceQuota... quotas) {
    return FlavorQuotas.of("spot", quotas);
  }

  private static FlavorQuotas reserved(ResourceQuota... quotas) {
    return FlavorQuotas.of("reserved", quotas);
  }

  private static FlavorQuotas ssd(long nominal) {
    return FlavorQuotas.of("ssd", disk(nominal));
  }

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
    void asksTheOracleAboveNominalIfASubtreeBelowTheRootWouldTakeIt() {
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
        PreemptionPolicy reclaim, PreemptionPolicy borrow, boolean fairSharing, boolean asks) {
      fixture.use(new AssignmentRules(true, false, fairSharing, true));
      fixture.queue("lender", spot(gpu(5)));
      QueueQuota queue = fixture.queue(spec("queue", spot(gpu(5)))
          .preemption(
              new Preemption(PreemptionPolicy.NEVER, reclaim, borrow, OptionalInt.empty())));
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
      assertThat(assignment.size()).isZero();
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
      fixture.use(new AssignmentRules(true, true, false, true));
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
      assertThat(assignment.size()).isZero();
    }
  }

  @Nested
  class QueueWithoutFlavors {
    private final QueueQuota queue = fixture.queue(ClusterQueue.builder().name("empty"));

    @ParameterizedTest
    @CsvSource({"true, NO_FIT", "false, FIT"})
    void takesPodsWithoutRequestsOnlyIfTopologyIsOff(boolean topologyAware, AssignmentMode mode) {
      fixture.use(new AssignmentRules(true, false, false, topologyAware));

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
      fixture.use(new AssignmentRules(true, false, false, topologyAware));

      assertThat(fixture
              .assign(queue, pods("main", 1).requestAmount("gpu", 0).build())
              .mode())
          .isEqualTo(AssignmentMode.FIT);
    }

    @Test
    void takesNobodyElse() {
      assertThat(fixture.assign(queue, gpus("main", 1)).mode()).isEqualTo(AssignmentMode.NO_FIT);
    }
  }

  @Nested
  class SeveralPodSets {
    @Test
    void mayGetDifferentFlavors() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(3)), reserved(gpu(5)));

      assertThat(fixture.chosen(
              fixture.assign(queue, gpus("a", 2), gpus("b", 2)), gpus("a", 2), gpus("b", 2)))
          .containsExactly("a: 2 spot/gpu", "b: 2 reserved/gpu");
    }

    @Test
    void beforeAFailingOneStayInTheRecord() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(3)), reserved(gpu(3)));
      PodSet[] podSets = {gpus("a", 2), gpus("b", 4), gpus("c", 1)};

      Assignment assignment = fixture.assign(queue, podSets);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(fixture.chosen(assignment, podSets)).containsExactly("a: 2 spot/gpu");
      assertThat(fixture.progress(queue, assignment, podSets).hasPendingFlavors())
          .isTrue();
    }

    @Test
    void beforeAFailingOneDetermineTheBorrowLevel() {
      fixture.queue("lender", spot(gpu(3)), reserved(gpu(0)));
      QueueQuota queue = fixture.queue("queue", spot(gpu(0)), reserved(gpu(0)));

      assertThat(fixture.assign(queue, gpus("a", 2), gpus("b", 4)).borrowLevel())
          .isEqualTo(1);
    }

    @Test
    void areAsGoodAsTheWorst() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(3)));
      fixture.use(queue, "spot", "gpu", 1);

      assertThat(fixture.assign(queue, gpus("a", 2), gpus("b", 1)).mode())
          .isEqualTo(AssignmentMode.PREEMPT);
    }

    @Test
    void sumUpTheirUsageByFlavorAndResource() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(3)), reserved(gpu(9)));

      assertThat(fixture.usage(
              fixture.assign(queue, gpus("a", 2), gpus("b", 3), gpus("c", 1), gpus("d", 4))))
          .containsExactly("spot/gpu=3", "reserved/gpu=7");
    }
  }

  @Nested
  class PodSetGroups {
    private PodSet member(String name, int count, String resource) {
      return pods(name, count).requestAmount(resource, 1).group("g").build();
    }

    @Test
    void areSearchedWithTheSumOfTheirRequests() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(3)), reserved(gpu(5)));
      PodSet[] podSets = {member("leader", 1, "gpu"), member("worker", 3, "gpu")};

      assertThat(fixture.chosen(fixture.assign(queue, podSets), podSets))
          .containsExactly("leader: 1 reserved/gpu", "worker: 3 reserved/gpu");
    }

    @Test
    void recordForEachMemberOnlyWhatItAsksItself() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(3), disk(3)));
      PodSet[] podSets = {member("leader", 1, "disk"), member("worker", 3, "gpu")};

      assertThat(fixture.chosen(fixture.assign(queue, podSets), podSets))
          .containsExactly("leader: 1 spot/disk", "worker: 3 spot/gpu");
    }

    @ParameterizedTest
    @CsvSource({"disk, gpu, cpu", "gpu, cpu, disk", "cpu, disk, gpu", "cpu, gpu, disk"})
    void sumUpEachResourceInWhateverOrderTheyAskForThem(String one, String two, String three) {
      QueueQuota queue =
          fixture.queue("queue", spot(gpu(9), disk(9), ResourceQuota.ofAmount("cpu", 9L)));
      PodSet[] podSets = {
        member("a", 1, one), member("b", 2, two), member("c", 3, three), member("d", 4, one)
      };

      assertThat(fixture.chosen(fixture.assign(queue, podSets), podSets))
          .containsExactly(
              "a: 1 spot/" + one, "b: 2 spot/" + two, "c: 3 spot/" + three, "d: 4 spot/" + one);
      assertThat(fixture.usage(fixture.assign(queue, podSets)))
          .containsExactlyInAnyOrder(
              "spot/" + one + "=5", "spot/" + two + "=2", "spot/" + three + "=3");
    }

    @ParameterizedTest
    @CsvSource({"5, 2, 3, FIT", "4, 2, 3, NO_FIT", "5, 1, 3, NO_FIT", "5, 2, 2, NO_FIT"})
    void needQuotaForTheSumOfEachResource(
        long ofCpu, long ofDisk, long ofGpu, AssignmentMode mode) {
      QueueQuota queue = fixture.queue(
          "queue", spot(gpu(ofGpu), disk(ofDisk), ResourceQuota.ofAmount("cpu", ofCpu)));
      for (List<String> order : Collections2.permutations(List.of("cpu", "disk", "gpu"))) {
        PodSet[] podSets = order.stream()
            .map(resource -> member(resource, amountOf(resource), resource))
            .toArray(PodSet[]::new);

        assertThat(fixture.assign(queue, podSets).mode()).as("%s", order).isEqualTo(mode);
      }
    }

    private int amountOf(String resource) {
      return resource.equals("cpu") ? 5 : resource.equals("disk") ? 2 : 3;
    }

    @Test
    void areRecordedTogetherAtTheirFirstMember() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(9)));
      PodSet[] podSets = {
        gpus("first", 1), member("leader", 1, "gpu"), gpus("alone", 1), member("worker", 2, "gpu")
      };

      assertThat(fixture.chosen(fixture.assign(queue, podSets), podSets))
          .containsExactly(
              "first: 1 spot/gpu", "leader: 1 spot/gpu", "worker: 2 spot/gpu", "alone: 1 spot/gpu");
    }

    @Test
    void needAFlavorThatAllMembersMayUse() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(9)), reserved(gpu(9)));
      fixture.flavors.put(
          ResourceFlavor.builder().name("spot").putNodeLabels("zone", "a").build());
      PodSet picky = pods("picky", 1)
          .requestAmount("gpu", 1)
          .putNodeSelector("zone", "b")
          .group("g")
          .build();
      PodSet[] podSets = {member("leader", 1, "gpu"), picky};

      assertThat(fixture.chosen(fixture.assign(queue, podSets), podSets))
          .containsExactly("leader: 1 reserved/gpu", "picky: 1 reserved/gpu");
    }
  }

  @Nested
  class Eligibility {
    @Test
    void ineligibleFlavorsArePassedOver() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.taint("spot");

      assertThat(fixture.chosen(fixture.assign(queue, gpus("main", 1)), gpus("main", 1)))
          .containsExactly("main: 1 reserved/gpu");
    }

    @Test
    void missingFlavorsArePassedOver() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.flavors.remove("spot");

      assertThat(fixture.chosen(fixture.assign(queue, gpus("main", 1)), gpus("main", 1)))
          .containsExactly("main: 1 reserved/gpu");
    }

    @Test
    void unreadableAffinityFailsWithoutLookingAtFurtherFlavors() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.flavors.put(
          ResourceFlavor.builder().name("spot").putNodeLabels("zone", "a").build());
      PodSet unreadable = pods("main", 1)
          .requestAmount("gpu", 1)
          .addAllNodeAffinity(List.of(NodeSelectorTerm.of(LabelRequirement.in("zone"))))
          .build();

      Assignment assignment = fixture.assign(queue, unreadable);

      assertThat(assignment.mode()).isEqualTo(AssignmentMode.NO_FIT);
      assertThat(assignment.cause()).isEqualTo(PendingCause.NO_MATCHING_FLAVOR);
      assertThat(fixture.reasons(assignment, unreadable))
          .containsExactly("INVALID_NODE_AFFINITY spot");
    }

    @Test
    void unreadableAffinityIsNotMetIfAnEarlierFlavorStopsTheWalk() {
      QueueQuota queue = fixture.queue("queue", spot(gpu(5)), reserved(gpu(5)));
      fixture.flavors.put(
          ResourceFlavor.builder().name("reserved").putNodeLabels("zone", "a").build());
      PodSet unreadable = pods("main", 1)
          .requestAmount("gpu", 1)
          .addAllNodeAffinity(List.of(NodeSelectorTerm.of(LabelRequirement.in("zone"))))
          .build();

      assertThat(fixture.assign(queue, unreadable).mode()).isEqualTo(AssignmentMode.FIT);
    }
  }

  @Nested
  class Causes {
    /** Flavor {@code exceeding} has too little in all, {@code waiting} is only in use. */
    private QueueQuota queue(String... flavors) {
      FlavorQuotas[] own = new FlavorQuotas[flavors.length];
      FlavorQuotas[] lent = new FlavorQuotas[flavors.length];
      for (int i = 0; i < flavors.length; i++) {
        own[i] = FlavorQuotas.of(flavors[i], gpu(0));
        lent[i] = FlavorQuotas.of(flavors[i], gpu(flavors[i].equals("exceeding") ? 0 : 5));
      }
      QueueQuota lender = fixture.queue("lender", lent);
      QueueQuota queue = fixture.queue("queue", own);
      for (String flavor : flavors) {
        if (flavor.equals("waiting")) {
          fixture.use(lender, flavor, "gpu", 5);
        }
        if (flavor.equals("tainted")) {
          fixture.taint(flavor);
        }
      }
      return queue;
    }

    @ParameterizedTest
    @CsvSource({
      "tainted, NO_MATCHING_FLAVOR",
      "exceeding, EXCEEDS_MAX_QUOTA",
      "waiting, WAITING_FOR_QUOTA",
      "tainted exceeding, EXCEEDS_MAX_QUOTA",
      "exceeding tainted, EXCEEDS_MAX_QUOTA",
      "exceeding waiting, WAITING_FOR_QUOTA",
      "waiting exceeding, WAITING_FOR_QUOTA",
      "waiting tainted, WAITING_FOR_QUOTA",
      "tainted exceeding waiting, WAITING_FOR_QUOTA"
    })
    void areThoseOfTheLeastSevereFlavor(String flavors, PendingCause cause) {
      assertThat(fixture.assign(queue(flavors.split(" ", -1)), gpus("main", 1)).cause())
          .isEqualTo(cause);
    }

    @Test
    void areTheMostSevereOfTheResourcesOfAFlavor() {
      QueueQuota lender = fixture.queue("lender", spot(gpu(5), disk(0)));
      QueueQuota queue = fixture.queue("queue", spot(gpu(0), disk(0)));
      fixture.use(lender, "spot", "gpu", 5);
      PodSet podSet =
          pods("main", 1).requestAmount("gpu", 1).requestAmount("disk", 1).build();

      assertThat(fixture.assign(queue, podSet).cause()).isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
    }

    @Test
    void areThoseOfTheFailingPodSet() {
      QueueQuota queue = queue("exceeding", "free");

      assertThat(fixture.assign(queue, gpus("fits", 5), gpus("fails", 1)).cause())
          .isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
    }
  }

  @Nested
  class PodCounts {
    private final QueueQuota queue = fixture.queue(spec("queue", spot(gpu(9)))
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("any", ResourceQuota.ofAmount("pods", 5)))));

    @Test
    void areChargedIfCovered() {
      assertThat(fixture.usage(fixture.assign(queue, gpus("a", 3), gpus("b", 2))))
          .containsExactlyInAnyOrder("any/pods=5", "spot/gpu=5");
    }

    @Test
    void boundAdmission() {
      assertThat(fixture.assign(queue, gpus("a", 6)).mode()).isEqualTo(AssignmentMode.NO_FIT);
    }

    @Test
    void overwriteWhatThePodsAsk() {
      PodSet podSet =
          pods("main", 3).requestAmount("gpu", 1).requestAmount("pods", 100).build();

      assertThat(fixture.chosen(fixture.assign(queue, podSet), podSet))
          .containsExactly("main: 3 any/pods, 3 spot/gpu");
    }

    @Test
    void areChargedToPodsWithoutRequests() {
      PodSet podSet = pods("main", 4).build();

      assertThat(fixture.chosen(fixture.assign(queue, podSet), podSet))
          .containsExactly("main: 4 any/pods");
    }

    @Test
    void areThoseAfterReclaim() {
      CompiledWorkload workload =
          fixture.compile(FlavorFixture.builder(gpus("main", 5)).putReclaimablePods("main", 2));

      assertThat(fixture.usage(fixture.assign(queue, workload, null)))
          .containsExactlyInAnyOrder("any/pods=3", "spot/gpu=3");
    }

    @Test
    void areNotChargedIfNotCovered() {
      QueueQuota plain = fixture.queue("plain", spot(gpu(9)));

      assertThat(fixture.usage(fixture.assign(plain, gpus("a", 3)))).containsExactly("spot/gpu=3");
    }
  }

  @Test
  void reasonsOfFlavorsBeforeAFittingOneAreDropped() {
    QueueQuota queue = fixture.queue("queue", spot(gpu(1)), reserved(gpu(5)));

    assertThat(fixture.reasons(fixture.assign(queue, gpus("main", 3)), gpus("main", 3)))
        .isEmpty();
  }

  @Test
  void reasonsOfAnEarlierGroupAreKeptIfALaterOneFits() {
    QueueQuota queue =
        fixture.queue(spec("queue", spot(gpu(5))).addResourceGroups(ResourceGroup.of(ssd(5))));
    fixture.use(queue, "spot", "gpu", 4);
    PodSet[] podSets = {gpus("a", 2), pods("b", 1).requestAmount("disk", 1).build()};

    assertThat(fixture.reasons(fixture.assign(queue, podSets), podSets))
        .containsExactly("NO_PREEMPTION_CANDIDATES spot");
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
  void reasonsOfAllFlavorsAreKeptIfNoneFits() {
    QueueQuota queue = fixture.queue("queue", spot(gpu(1)), reserved(gpu(2)));
    fixture.taint("spot");

    assertThat(fixture.reasons(fixture.assign(queue, gpus("main", 3)), gpus("main", 3)))
        .containsExactly("UNTOLERATED_TAINT spot", "EXCEEDS_MAXIMUM reserved");
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
