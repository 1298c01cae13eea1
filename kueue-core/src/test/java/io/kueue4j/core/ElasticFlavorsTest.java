package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.reasons;
import static io.kueue4j.core.ElasticJobs.pods;
import static io.kueue4j.core.ElasticJobs.scaled;
import static io.kueue4j.core.ElasticJobs.slice;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Workload;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Elastic jobs with several flavors or a cohort: which flavors they keep, and what they borrow. */
class ElasticFlavorsTest {
  private final Cluster cluster =
      new Cluster().ticking().with(ResourceFlavor.of("spot")).with(queue("q", "c", 10));
  private final AdmissionEngine engine = cluster.engine;

  @Nested
  class Flavors {
    private final ClusterQueue.Builder two = queue(
        "two",
        "c2",
        ResourceGroup.of(
            FlavorQuotas.of("default", cores(4)), FlavorQuotas.of("spot", cores(100))));

    /**
     * E-4: 2 more of default are not free; spot has free quota, but the running pods are not there.
     */
    @Test
    void areThoseOfTheOldSlice() {
      cluster.with(two).run(slice(cluster, "job-1", "two", 4).build());

      AdmissionResult result =
          engine.tryAdmit(slice(cluster, "job-2", "two", 6, "job-1").build()).result();

      assertThat(reasons(result))
          .containsExactly(
              "NO_PREEMPTION_CANDIDATES default 2000", "FLAVOR_OF_REPLACED_SLICE spot");
      assertThat(result.toString())
          .contains("the slice that the workload replaces is assigned default");
      assertThat(engine
              .tryAdmit(slice(cluster, "other", "two", 6).build())
              .result()
              .isAdmitted())
          .isTrue();
    }

    /** default has become free meanwhile, and is first in the list. */
    @Test
    void areThoseOfTheOldSliceEvenIfOthersComeFirst() {
      cluster.with(two);
      cluster.run("filler", "two", 4, 0).run(slice(cluster, "job-1", "two", 2).build());
      engine.finish(id("filler"));

      AdmissionResult unused3 =
          engine.tryAdmit(slice(cluster, "job-2", "two", 3, "job-1").build()).result();

      assertThat(engine
              .admission(id("job-2"))
              .orElseThrow()
              .podSetAssignments()
              .get(0)
              .flavors())
          .containsEntry("cpu", "spot");
    }

    /** Each resource separately: GPUs keep their flavor, although an earlier one is free now. */
    @Test
    void areKeptResourceByResource() {
      cluster.with(ResourceFlavor.of("small"), ResourceFlavor.of("large"));
      cluster.with(queue("multi", "c3", 4)
          .addResourceGroups(ResourceGroup.of(
              FlavorQuotas.of("small", ResourceQuota.ofAmount("gpu", 3)),
              FlavorQuotas.of("large", ResourceQuota.ofAmount("gpu", 9)))));
      PodSet.Builder pod = PodSet.builder().request("cpu", "1").request("gpu", "1");
      cluster.run(cluster.job("filler", "multi", 0, Map.of("gpu", 3L)));
      cluster.run(
          scaled(slice(cluster, "job-1", "multi", 1).build(), pod.count(2).build()));
      engine.finish(id("filler"));

      AdmissionResult unused4 = engine
          .tryAdmit(scaled(
              slice(cluster, "job-2", "multi", 1, "job-1").build(), pod.count(3).build()))
          .result();

      assertThat(engine
              .admission(id("job-2"))
              .orElseThrow()
              .podSetAssignments()
              .get(0)
              .flavors())
          .containsEntry("cpu", "default")
          .containsEntry("gpu", "large");
    }

    /** A pod set that the old slice does not have is not bound to a flavor. */
    @Test
    void areNoneForPodSetsThatTheOldSliceLacks() {
      cluster.with(two).run(slice(cluster, "job-1", "two", 1).build());
      Workload second = scaled(
          slice(cluster, "job-2", "two", 1, "job-1").build(), pods("main", 1), pods("more", 1));

      AdmissionResult result = engine.tryAdmit(second).result();

      assertThat(reasons(result))
          .containsExactly("FLAVOR_OF_REPLACED_SLICE default", "FLAVOR_OF_REPLACED_SLICE spot");
      assertThat(((AdmissionResult.Pending) result).cause())
          .isEqualTo(PendingCause.NO_MATCHING_FLAVOR);
      assertThat(result.toString()).contains("has no flavor for these pods");
    }

    /** Pod sets are matched by position and name: another name is another pod set. */
    @Test
    void areNoneForPodSetsOfAnotherName() {
      cluster.with(two).run(slice(cluster, "job-1", "two", 1).build());

      assertThat(reasons(engine
              .tryAdmit(
                  scaled(slice(cluster, "job-2", "two", 1, "job-1").build(), pods("other", 1)))
              .result()))
          .containsExactly("FLAVOR_OF_REPLACED_SLICE default", "FLAVOR_OF_REPLACED_SLICE spot");
    }

    /** Pods without requests keep their flavor, too. */
    @Test
    void includeThoseOfPodsAlone() {
      cluster.with(queue(
          "counted",
          "c3",
          ResourceGroup.of(
              FlavorQuotas.of("default", ResourceQuota.ofAmount("pods", 2)),
              FlavorQuotas.of("spot", ResourceQuota.ofAmount("pods", 9)))));
      PodSet.Builder idle = PodSet.builder();
      cluster.run(
          scaled(slice(cluster, "job-1", "counted", 1).build(), idle.count(2).build()));

      assertThat(reasons(engine
              .tryAdmit(scaled(
                  slice(cluster, "job-2", "counted", 1, "job-1").build(),
                  idle.count(3).build()))
              .result()))
          .containsExactly("NO_PREEMPTION_CANDIDATES default 1", "FLAVOR_OF_REPLACED_SLICE spot");
    }

    /** The number of pods is a resource like others. */
    @Test
    void includeThatOfPods() {
      cluster.with(queue(
          "counted",
          "c3",
          ResourceGroup.of(
              FlavorQuotas.of("default", cores(10), ResourceQuota.ofAmount("pods", 5)))));
      cluster.run(slice(cluster, "job-1", "counted", 4).build());

      assertThat(reasons(engine
              .tryAdmit(slice(cluster, "job-2", "counted", 6, "job-1").build())
              .result()))
          .containsExactly("NO_PREEMPTION_CANDIDATES default 2");
      assertThat(engine
              .tryAdmit(slice(cluster, "job-3", "counted", 5, "job-1").build())
              .result()
              .isAdmitted())
          .isTrue();
      assertThat(engine
              .admission(id("job-3"))
              .orElseThrow()
              .podSetAssignments()
              .get(0)
              .resourceUsage())
          .containsEntry("pods", 5L)
          .containsEntry("cpu", 5_000L);
    }
  }

  @Nested
  class Borrowing {
    /** 4 of its own, 8 in the cohort: 7 are 3 more, all borrowed. */
    @Test
    void theDifferenceMayBeBorrowed() {
      cluster.with(queue("a", "d", 4), queue("b", "d", 4));
      cluster.run(slice(cluster, "job-1", "a", 4).build());
      cluster.run(slice(cluster, "job-2", "a", 7, "job-1").build());

      assertThat(cluster.used("a")).isEqualTo(7);
      assertThat(engine.tryAdmit(cluster.job("two", "b", 2, 0)).result().isAdmitted())
          .isFalse();
      assertThat(engine.tryAdmit(cluster.job("one", "b", 1, 0)).result().isAdmitted())
          .isTrue();
    }

    /** Borrowing limit 2: 3 more are too many, 2 are not. */
    @Test
    void onlyUpToTheLimit() {
      cluster.with(
          queue(
              "a",
              "d",
              ResourceGroup.of(FlavorQuotas.of("default", cores(4).withBorrowingLimit("2")))),
          queue("b", "d", 4));
      cluster.run(slice(cluster, "job-1", "a", 4).build());

      assertThat(engine
              .tryAdmit(slice(cluster, "job-2", "a", 7, "job-1").build())
              .result()
              .isAdmitted())
          .isFalse();
      assertThat(engine
              .tryAdmit(slice(cluster, "job-3", "a", 6, "job-1").build())
              .result()
              .isAdmitted())
          .isTrue();
    }

    /** 7 of which 3 are borrowed become 5 of which 1 is: the lender has 3 of 4 again. */
    @Test
    void whatIsNotBorrowedAnyMoreIsTheLendersAgain() {
      cluster.with(queue("a", "d", 4), queue("b", "d", 4));
      cluster.run(slice(cluster, "job-1", "a", 7).build());
      cluster.run(slice(cluster, "job-2", "a", 5, "job-1").build());

      assertThat(engine.tryAdmit(cluster.job("four", "b", 4, 0)).result().isAdmitted())
          .isFalse();
      assertThat(engine.tryAdmit(cluster.job("three", "b", 3, 0)).result().isAdmitted())
          .isTrue();
    }
  }
}
