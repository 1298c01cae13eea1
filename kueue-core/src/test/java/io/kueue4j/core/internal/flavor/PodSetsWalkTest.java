package io.kueue4j.core.internal.flavor;

import static io.kueue4j.core.internal.flavor.FlavorFixture.disk;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpu;
import static io.kueue4j.core.internal.flavor.FlavorFixture.gpus;
import static io.kueue4j.core.internal.flavor.FlavorFixture.pods;
import static io.kueue4j.core.internal.flavor.FlavorFixture.reserved;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spec;
import static io.kueue4j.core.internal.flavor.FlavorFixture.spot;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Collections2;
import io.kueue4j.core.internal.attempt.Assignment;
import io.kueue4j.core.internal.attempt.AssignmentMode;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What several pod sets, groups of pod sets and fewer pods get, each in its own flavor or together.
 */
class PodSetsWalkTest {
  private final FlavorFixture fixture = new FlavorFixture();

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
      CompiledWorkload workload = fixture.compile(gpus("main", 5), 2);

      assertThat(fixture.usage(fixture.assign(queue, workload, null)))
          .containsExactlyInAnyOrder("any/pods=3", "spot/gpu=3");
    }

    @Test
    void areNotChargedIfNotCovered() {
      QueueQuota plain = fixture.queue("plain", spot(gpu(9)));

      assertThat(fixture.usage(fixture.assign(plain, gpus("a", 3)))).containsExactly("spot/gpu=3");
    }
  }
}
