package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.finished;
import static io.kueue4j.core.DecisionText.reasons;
import static io.kueue4j.core.ElasticJobs.pods;
import static io.kueue4j.core.ElasticJobs.running;
import static io.kueue4j.core.ElasticJobs.scaled;
import static io.kueue4j.core.ElasticJobs.slice;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Elastic jobs in a queue of 10 cores: requests, charges and kept flavors. */
class ElasticScalingTest {
  private final Cluster cluster =
      new Cluster().ticking().with(ResourceFlavor.of("spot")).with(queue("q", "c", 10));
  private final AdmissionEngine engine = cluster.engine;

  @Nested
  class InPlace {
    /** E-1, R-7: 8 of 10 are used; with 4 pods less the pending 5 fit. */
    @Test
    void fewerPodsGiveQuotaBackAtOnceAndWakeWhoWaits() {
      Workload job = slice(cluster, "job", "q", 8).build();
      cluster.run(job).submit("waiting", "q", 5, 0);
      assertThat(admitted(cluster.cycle())).isEmpty();
      assertThat(cluster.cycle().isEmpty()).isTrue();
      Admission before = engine.admission(id("job")).orElseThrow();

      assertThat(engine.update(scaled(job, pods("main", 4))).result().isAdmitted())
          .isTrue();

      assertThat(cluster.used("q")).isEqualTo(4);
      assertThat(engine.admission(id("job"))).contains(before);
      assertThat(admitted(cluster.cycle())).containsExactly("waiting");
      assertThat(cluster.used("q")).isEqualTo(9);
    }

    @Test
    void againAndAgainDownToNothing() {
      Workload job = slice(cluster, "job", "q", 8).build();
      cluster.run(job);
      for (int count = 7; count >= 0; count--) {
        job = scaled(job, pods("main", count));
        engine.update(job);
        assertThat(cluster.used("q")).isEqualTo(count);
      }
      assertThat(engine.finish(id("job")).removed()).isNotEmpty();
      assertThat(cluster.used("q")).isZero();
    }

    @Test
    void backUpIsNoMatterOfAnUpdate() {
      Workload job = slice(cluster, "job", "q", 8).build();
      cluster.run(job);
      Workload smaller = scaled(job, pods("main", 4));
      engine.update(smaller);

      AdmissionResult result = engine.update(scaled(job, pods("main", 5))).result();

      assertThat(result.toString())
          .contains("except to fewer pods; for more, submit a workload that replaces this one");
      assertThat(cluster.used("q")).isEqualTo(4);
    }

    @Test
    void mixedChangesAreNoMatterOfAnUpdate() {
      Workload job = cluster
          .jobWithoutPods("job", "q")
          .elastic(true)
          .addPodSets(pods("a", 2), pods("b", 2))
          .build();
      cluster.run(job);

      assertThat(engine.update(scaled(job, pods("a", 1), pods("b", 3))).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
      assertThat(engine.update(scaled(job, pods("a", 1))).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
      assertThat(engine.update(scaled(job, pods("b", 1), pods("a", 2))).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
      assertThat(engine.update(scaled(job, pods("a", 2), pods("b", 1))).result().isAdmitted())
          .isTrue();
      assertThat(cluster.used("q")).isEqualTo(3);
    }

    @Test
    void onlyTheCountMayChange() {
      Workload job = slice(cluster, "job", "q", 8).build();
      cluster.run(job);
      PodSet other = PodSet.builder().count(4).request("cpu", "2").build();

      assertThat(engine.update(scaled(job, other)).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    void whatWaitsIsChangedEitherWay() {
      Workload job = slice(cluster, "job", "q", 11).build();
      cluster.submit(job);
      assertThat(admitted(cluster.cycle())).isEmpty();
      engine.update(scaled(job, pods("main", 12)));
      assertThat(admitted(cluster.cycle())).isEmpty();
      engine.update(scaled(job, pods("main", 7)));

      assertThat(admitted(cluster.cycle())).containsExactly("job");
      assertThat(cluster.used("q")).isEqualTo(7);
    }

    @Test
    void whoIsNotElasticKeepsItsPods() {
      Workload job = slice(cluster, "job", "q", 8).elastic(false).build();
      cluster.run(job);

      assertThat(engine.update(scaled(job, pods("main", 4))).toString())
          .contains("podSets cannot change while quota is reserved]")
          .doesNotContain("fewer");
      assertThat(engine
              .update(Workload.builder()
                  .from(scaled(job, pods("main", 4)))
                  .elastic(true)
                  .build())
              .toString())
          .contains("elastic cannot change while quota is reserved");
    }

    @Test
    void aReplacementThatIsNotElasticKeepsItsPods() {
      cluster.run(slice(cluster, "job", "q", 4).build());
      Workload next = slice(cluster, "next", "q", 8, "job").elastic(false).build();
      cluster.run(next);

      assertThat(engine.update(scaled(next, pods("main", 6))).toString())
          .contains("podSets cannot change while quota is reserved]");
    }

    @Test
    void withTheGateOffNoJobIsElastic() {
      Cluster off =
          Cluster.with(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES, false).ticking();
      off.with(queue("q", "c", 10));
      Workload job = slice(off, "job", "q", 6).build();
      off.run(job);

      assertThat(off.engine.update(scaled(job, pods("main", 4))).result())
          .isInstanceOf(AdmissionResult.Rejected.class);
      assertThat(off.engine
              .tryAdmit(slice(off, "job-2", "q", 8, "job").build())
              .result()
              .isAdmitted())
          .isFalse();
      assertThat(off.engine
              .tryAdmit(slice(off, "job-3", "q", 4, "job").build())
              .result()
              .isAdmitted())
          .isTrue();
      assertThat(off.used("q")).isEqualTo(10);
      assertThat(off.workload("job").holdsQuota()).isTrue();
    }

    /** R-7 and the gate of reclaimable pods are two things. */
    @Test
    void fewerPodsCountWithoutReclaimablePods() {
      Cluster off = Cluster.with(FeatureGate.RECLAIMABLE_PODS, false).ticking();
      off.with(queue("q", "c", 10));
      Workload job = slice(off, "job", "q", 6).build();
      off.run(job);
      off.reclaim("job", "main", 2);
      assertThat(off.used("q")).isEqualTo(6);

      off.engine.update(scaled(job, pods("main", 4)));

      assertThat(off.used("q")).isEqualTo(4);
    }

    /** M-30: of 8 pods 3 are done; with 2 pods left at most 2 can be, and nothing is used. */
    @Test
    void reclaimablePodsMayExceedWhatIsLeftAndShrinkThen() {
      Workload job = slice(cluster, "job", "q", 8).build();
      cluster.run(job);
      cluster.reclaim("job", "main", 3);
      assertThat(cluster.used("q")).isEqualTo(5);
      assertThat(cluster.reclaim("job", "main", 1).result().isAdmitted()).isFalse();

      Workload smaller = scaled(job, pods("main", 2));
      assertThat(engine.update(smaller).result().isAdmitted()).isTrue();
      assertThat(cluster.used("q")).isZero();

      assertThat(cluster.reclaim("job", "main", 1).result().isAdmitted()).isTrue();
      assertThat(cluster.used("q")).isEqualTo(1);
    }

    /** M-30: only the pods of a have become fewer. */
    @Test
    void reclaimablePodsOfOtherPodSetsMayNotShrinkThen() {
      Workload job = cluster
          .jobWithoutPods("job", "q")
          .elastic(true)
          .addPodSets(pods("a", 4), pods("b", 3))
          .build();
      cluster.run(job);
      cluster.reclaim("job", "b", 1);

      assertThat(engine.update(scaled(job, pods("a", 2), pods("b", 3))).result().isAdmitted())
          .isTrue();

      assertThat(cluster.reclaim("job", "b", 0).result().isAdmitted()).isFalse();
      assertThat(cluster.used("q")).isEqualTo(4);
    }
  }

  @Nested
  class ByASlice {
    /** E-5: 6 of 10 are used; 9 pods are 3 more, and 3 fit. */
    @Test
    void onlyTheDifferenceIsAskedForAndTheOldSliceIsOver() {
      cluster.run(slice(cluster, "job-1", "q", 6).build());

      Decisions decided =
          engine.tryAdmit(slice(cluster, "job-2", "q", 9, "job-1").build());

      AdmissionResult.Admitted admitted = (AdmissionResult.Admitted) decided.result();
      assertThat(admitted.admission().podSetAssignments().get(0).count()).isEqualTo(9);
      assertThat(admitted.admission().podSetAssignments().get(0).resourceUsage())
          .containsEntry("cpu", 9_000L);
      assertThat(finished(decided.finishedSlices()))
          .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
      assertThat(decided.finishedSlices().get(0).message())
          .isEqualTo("Replaced to accommodate a workload (UID: ns/job-2) due to workload slice"
              + " aggregation");
      assertThat(cluster.used("q")).isEqualTo(9);
      assertThat(cluster.workload("job-1").holdsQuota()).isFalse();
      assertThat(engine.finish(id("job-1")).removed()).isEmpty();
      assertThat(cluster.cycle().finishedSlices()).isEmpty();
    }

    @Test
    void aCycleTellsWhatIsOver() {
      cluster.run(slice(cluster, "job-1", "q", 6).build());
      cluster.submit(slice(cluster, "job-2", "q", 10, "job-1").build());
      assertThat(cluster.used("q")).isEqualTo(6);

      Decisions result = cluster.cycle();

      assertThat(admitted(result)).containsExactly("job-2");
      assertThat(result.preempted()).isEmpty();
      assertThat(finished(result.finishedSlices()))
          .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
      assertThat(result.isEmpty()).isFalse();
      assertThat(cluster.used("q")).isEqualTo(10);
    }

    @Test
    void askedAgainItIsAdmittedAndNothingElseIsOver() {
      cluster.run(slice(cluster, "job-1", "q", 6).build());
      Workload second = slice(cluster, "job-2", "q", 9, "job-1").build();
      AdmissionResult unused = engine.tryAdmit(second).result();

      assertThat(engine.tryAdmit(second).result())
          .isEqualTo(new AdmissionResult.Admitted(engine.admission(id("job-2")).orElseThrow()));
    }

    /** 11 are 5 more than 6; there are 4. The whole would not fit the queue at all. */
    @Test
    void whatDoesNotFitWaitsAndTheOldSliceRunsOn() {
      cluster.run(slice(cluster, "job-1", "q", 6).build());

      AdmissionResult result =
          engine.tryAdmit(slice(cluster, "job-2", "q", 11, "job-1").build()).result();

      assertThat(reasons(result)).containsExactly("NO_PREEMPTION_CANDIDATES default 5000");
      assertThat(cluster.used("q")).isEqualTo(6);
      assertThat(cluster.workload("job-1").holdsQuota()).isTrue();
    }

    /** Scaled down to 3 first, 7 are 4 more. */
    @Test
    void theDifferenceIsToWhatIsLeftOfTheOldSlice() {
      Workload first = slice(cluster, "job-1", "q", 6).build();
      cluster.run(first).run("other", "q", 3, 0);
      engine.update(scaled(first, pods("main", 3)));
      assertThat(cluster.used("q")).isEqualTo(6);

      assertThat(reasons(
              engine.tryAdmit(slice(cluster, "job-2", "q", 8, "job-1").build()).result()))
          .containsExactly("NO_PREEMPTION_CANDIDATES default 5000");
      assertThat(engine
              .tryAdmit(slice(cluster, "job-3", "q", 7, "job-1").build())
              .result()
              .isAdmitted())
          .isTrue();
      assertThat(cluster.used("q")).isEqualTo(10);
    }

    /** Of 6 pods 2 are done; 9 of which 1 is done are 8, which is 4 more than 4. */
    @Test
    void reclaimablePodsCountOnNeitherSide() {
      cluster.run(slice(cluster, "job-1", "q", 6).build());
      cluster.reclaim("job-1", "main", 2);
      cluster.run("other", "q", 2, 0);
      Workload larger = slice(cluster, "job-2", "q", 9, "job-1").build();
      cluster.submit(larger);
      cluster.reclaim("job-2", "main", 1);

      assertThat(engine.tryAdmit(larger).result().isAdmitted()).isTrue();
      assertThat(cluster.used("q")).isEqualTo(10);
    }

    /** a: 4 to 2, b: 2 to 5; 1 more in all, and 1 is free. */
    @Test
    void whatOnePodSetGivesUpAnotherMayTake() {
      cluster.run(cluster
          .jobWithoutPods("job-1", "q")
          .elastic(true)
          .addPodSets(pods("a", 4), pods("b", 2))
          .build());
      cluster.run("other", "q", 3, 0);

      assertThat(engine
              .tryAdmit(cluster
                  .jobWithoutPods("job-2", "q")
                  .elastic(true)
                  .replaces(id("job-1"))
                  .addPodSets(pods("a", 2), pods("b", 5))
                  .build())
              .result()
              .isAdmitted())
          .isTrue();
      assertThat(cluster.used("q")).isEqualTo(10);
    }

    /**
     * b is checked after a, which releases 2; if it comes first, it is checked alone: 3 are not
     * free.
     */
    @Test
    void onlyPodSetsBeforeItCanGiveItSomething() {
      cluster.run(cluster
          .jobWithoutPods("job-1", "q")
          .elastic(true)
          .addPodSets(pods("b", 2), pods("a", 4))
          .build());
      cluster.run("other", "q", 3, 0);

      assertThat(reasons(engine
              .tryAdmit(cluster
                  .jobWithoutPods("job-2", "q")
                  .elastic(true)
                  .replaces(id("job-1"))
                  .addPodSets(pods("b", 5), pods("a", 2))
                  .build())
              .result()))
          .containsExactly("NO_PREEMPTION_CANDIDATES default 3000");
    }

    /** 8 of 10 are used, the quota becomes 5: a slice of 6 needs less than before, so it fits. */
    @Test
    void fewerPodsFitEvenWhereTheQuotaIsExceeded() {
      cluster.run(slice(cluster, "job-1", "q", 8).build());
      cluster.with(queue("q", "c", 5));

      assertThat(engine
              .tryAdmit(slice(cluster, "job-2", "q", 6, "job-1").build())
              .result()
              .isAdmitted())
          .isTrue();
      assertThat(cluster.used("q")).isEqualTo(6);
    }

    @Test
    void whatAFewerPodsLeaveWakesWhoWaits() {
      cluster.run(slice(cluster, "job-1", "q", 8).build()).submit("waiting", "q", 5, 0);
      assertThat(admitted(cluster.cycle())).isEmpty();

      AdmissionResult unused2 =
          engine.tryAdmit(slice(cluster, "job-2", "q", 5, "job-1").build()).result();

      assertThat(admitted(cluster.cycle())).containsExactly("waiting");
    }

    @Test
    void growingStepByStepLeavesTheLastSlice() {
      cluster.run(slice(cluster, "job-1", "q", 1).build());
      for (int i = 2; i <= 10; i++) {
        cluster.run(slice(cluster, "job-" + i, "q", i, "job-" + (i - 1)).build());
        assertThat(cluster.used("q")).isEqualTo(i);
        assertThat(running(engine.view())).containsExactly(id("job-" + i));
      }
    }
  }

  @Nested
  class OrdinaryAfterAll {
    @Test
    void ifTheOldSliceIsUnknown() {
      cluster.run("other", "q", 4, 0);

      assertThat(reasons(
              engine.tryAdmit(slice(cluster, "job-2", "q", 7, "job-1").build()).result()))
          .containsExactly("NO_PREEMPTION_CANDIDATES default 7000");
    }

    /**
     * E-3, E-8: all 8 are requested from the other queue; still only one slice of the job remains.
     */
    @Test
    void ifItHoldsQuotaOfAnotherQueue() {
      cluster.with(queue("r", "d", 8));
      cluster.run(slice(cluster, "job-1", "q", 6).build());
      assertThat(reasons(
              engine.tryAdmit(slice(cluster, "job-2", "r", 9, "job-1").build()).result()))
          .containsExactly("EXCEEDS_MAXIMUM default 9000");

      Decisions result =
          engine.tryAdmit(slice(cluster, "job-3", "r", 8, "job-1").build());

      assertThat(finished(result.finishedSlices()))
          .containsExactly("job-1 -> job-3: WorkloadSliceReplaced");
      assertThat(cluster.used("q")).isZero();
      assertThat(cluster.used("r")).isEqualTo(8);
    }

    @Test
    void ifItIsInAnotherNamespace() {
      cluster.with(Namespace.of("elsewhere"), LocalQueue.of("elsewhere", "q", "q"));
      Workload first = slice(cluster, "job-1", "q", 6).namespace("elsewhere").build();
      cluster.run(first);
      Workload second = slice(cluster, "job-2", "q", 7).replaces(first.id()).build();
      assertThat(reasons(engine.tryAdmit(second).result()))
          .containsExactly("NO_PREEMPTION_CANDIDATES default 7000");

      assertThat(engine.tryAdmit(scaled(second, pods("main", 4))).result().isAdmitted())
          .isTrue();

      assertThat(cluster.used("q")).isEqualTo(10);
      assertThat(engine.admission(first.id())).isPresent();
    }

    @Test
    void aReplacementNeedNotBeElasticItself() {
      cluster.run(slice(cluster, "job-1", "q", 6).elastic(false).build());

      assertThat(engine
              .tryAdmit(slice(cluster, "job-2", "q", 9, "job-1").elastic(false).build())
              .result()
              .isAdmitted())
          .isTrue();
      assertThat(cluster.used("q")).isEqualTo(9);
    }
  }

  @Test
  void aViewAndItsStudiesDoNotSeeWhatIsReplacedLater() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    EngineView view = engine.view();
    AdmissionEngine study = view.whatIf();
    Workload second = slice(cluster, "job-2", "q", 9, "job-1").build();

    assertThat(study.tryAdmit(second).result().isAdmitted()).isTrue();
    assertThat(cluster.used("q")).isEqualTo(6);
    assertThat(engine.tryAdmit(second).result().isAdmitted()).isTrue();

    assertThat(running(view)).containsExactly(id("job-1"));
    assertThat(running(study.view())).containsExactly(id("job-2"));
    assertThat(view.whatIf().admission(id("job-1"))).isPresent();
  }

  /** The slice itself is not proposed as a workload to stop for its successor. */
  @Test
  void anExplanationDoesNotProposeToStopTheOldSlice() {
    cluster.run(slice(cluster, "job-1", "q", 6).build()).run("other", "q", 4, 0);
    Workload second = slice(cluster, "job-2", "q", 9, "job-1").build();
    cluster.submit(second);
    cluster.cycle();

    Explanation why = engine.explain(second.id());

    assertThat(why.remedies())
        .filteredOn(change -> change.kind() == Remedy.Kind.STOP_HOLDERS)
        .singleElement()
        .satisfies(
            change -> assertThat(change.toString()).contains("other").doesNotContain("job-1"));
    assertThat(cluster.workload("job-1").holdsQuota()).isTrue();
  }

  @Test
  void underFairSharingToo() {
    Cluster fair = new Cluster(Settings.builder().fairSharing().build()).ticking();
    fair.with(queue("a", "c", 4), queue("b", "c", 4));
    fair.run(slice(fair, "a-1", "a", 5).build());
    fair.submit(slice(fair, "a-2", "a", 3, "a-1").build());
    fair.submit(slice(fair, "b-1", "b", 5).build());

    // b would need 5 of the 3 that are free at the start of the cycle; a releases 2 in it.
    assertThat(admitted(fair.cycle())).containsExactly("a-2");
    assertThat(admitted(fair.cycle())).containsExactly("b-1");
    assertThat(fair.used("a")).isEqualTo(3);
    assertThat(fair.used("b")).isEqualTo(5);
  }

  @Test
  void aSliceOfAnotherJobIsNotTouched() {
    cluster.run(slice(cluster, "one", "q", 3).build());
    cluster.run(slice(cluster, "two", "q", 3).build());
    cluster.run(slice(cluster, "two-b", "q", 4, "two").build());

    assertThat(running(engine.view()))
        .containsExactlyInAnyOrder(id("one"), WorkloadId.of("ns", "two-b"));
  }
}
