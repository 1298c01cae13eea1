package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.finished;
import static io.kueue4j.core.DecisionText.reasons;
import static io.kueue4j.core.ElasticJobs.pods;
import static io.kueue4j.core.ElasticJobs.scaled;
import static io.kueue4j.core.ElasticJobs.slice;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.tpu.SliceRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which of several elastic slices of a job are kept; rules E-8 and E-9. */
class ElasticSlicesTest {
  private final Cluster cluster = new Cluster()
      .ticking()
      .with(queue("q", "c", 10)
          .preemption(Preemption.builder()
              .withinClusterQueue(LOWER_PRIORITY)
              .reclaimWithinCohort(NEVER)
              .build()));
  private final AdmissionEngine engine = cluster.engine;

  private List<String> running() {
    return cluster.view("q").admitted().stream()
        .map(Admission::workload)
        .map(WorkloadId::name)
        .toList();
  }

  private Admission admission(Workload workload, int pods) {
    return Admission.builder()
        .workload(workload.id())
        .clusterQueue("q")
        .quotaReservedTime(cluster.now())
        .addPodSetAssignments(PodSetAssignment.builder()
            .name("main")
            .count(pods)
            .putFlavors("cpu", Cluster.FLAVOR)
            .resourceUsageAmount("cpu", pods * 1000L)
            .build())
        .build();
  }

  @Test
  void oneThatRunsAndOneThatWaitsAreKept() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 12, "job-1").build());

    assertThat(running()).containsExactly("job-1");
    assertThat(cluster.pending("q")).containsExactly("job-2");
    assertThat(cluster.cycle().finishedSlices()).isEmpty();
  }

  @Test
  void aSecondOneThatWaitsIsNotTaken() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    Workload second = slice(cluster, "job-2", "q", 12, "job-1").build();
    cluster.submit(second);

    AdmissionResult result =
        engine.submit(slice(cluster, "job-3", "q", 8, "job-1").build()).result();

    assertThat(reasons(result)).containsExactly("OBSOLETE_SLICE -");
    assertThat(result.toString()).contains("slice ns/job-2 of the same job goes on instead");
    assertThat(engine.finish(id("job-3")).removed()).isEmpty();
    assertThat(cluster.cycle().finishedSlices()).isEmpty();
    engine.update(scaled(second, pods("main", 8)));
    assertThat(admitted(cluster.cycle())).containsExactly("job-2");
  }

  /** An elastic slice that is admitted out of turn replaces both. */
  @Test
  void oneThatIsAdmittedOutOfTurnEndsTheOneThatWaits() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 12, "job-1").build());

    Decisions result = engine.tryAdmit(slice(cluster, "job-3", "q", 7, "job-1").build());

    assertThat(finished(result.finishedSlices()))
        .containsExactly("job-1 -> job-3: WorkloadSliceReplaced", "job-2 -> job-3: OutOfSync");
    assertThat(running()).containsExactly("job-3");
    assertThat(cluster.view("q").waitingCount()).isZero();
    assertThat(cluster.pending("q")).isEmpty();
  }

  /** Admitted, it would finish in the same call, because the newest one with quota is kept. */
  @Test
  void oneThatIsTriedAfterANewerOneHasQuotaIsNotTaken() {
    for (String[] checks : new String[][] {{}, {"check"}}) {
      Cluster other = Queues.checkedCluster(checks).ticking();
      Workload older = slice(other, "job-1", "q", 3).sliceName("job").build();
      other.submit(slice(other, "job-2", "q", 6).sliceName("job").build());
      Decisions unused = other.cycle();
      String before = other.engine.view().toString();

      Decisions decided = other.engine.tryAdmit(older, TryAdmitOptions.evictingVictims());
      AdmissionResult result = decided.result();

      assertThat(decided.isEmpty()).isTrue();
      assertThat(reasons(result)).containsExactly("OBSOLETE_SLICE -");
      assertThat(result.toString()).contains("slice ns/job-2 of the same job goes on instead");
      assertThat(other.engine.view()).hasToString(before);
      assertThat(other.engine.finish(id("job-1")).removed()).isEmpty();
    }
  }

  /** Each replaces the other; the one with quota leaves when the other is admitted. */
  @Test
  void oneThatIsReplacedByTheOneThatItReplacesIsTaken() {
    cluster.run(slice(cluster, "job-1", "q", 6, "job-2").build());

    Decisions result = engine.tryAdmit(slice(cluster, "job-2", "q", 7, "job-1")
        .creationTime(cluster.now().minusSeconds(9))
        .build());

    assertThat(finished(result.finishedSlices()))
        .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
    assertThat(running()).containsExactly("job-2");
  }

  @Test
  void anOlderOneThatIsAdmittedOutOfTurnEndsTheOneThatWaits() {
    Workload older = slice(cluster, "job-1", "q", 3).sliceName("job").build();
    cluster.submit(slice(cluster, "job-2", "q", 6).sliceName("job").build());

    Decisions result = engine.tryAdmit(older);

    assertThat(finished(result.finishedSlices())).containsExactly("job-2 -> job-1: OutOfSync");
    assertThat(running()).containsExactly("job-1");
  }

  /** Creation times are of whole seconds, so that the order of names decides. */
  @Test
  void ofTwoThatReplaceTheSameTheOneWithQuotaCounts() {
    Instant second = cluster.now();
    Workload first = slice(cluster, "job-2", "q", 2).creationTime(second).build();
    Workload waits =
        slice(cluster, "job-0", "q", 20, "job-2").creationTime(second).build();
    Workload runs =
        slice(cluster, "job-1", "q", 6, "job-2").creationTime(second).build();
    engine.lifecycle().restore(first, admission(first, 2));
    cluster.submit(waits);

    Decisions result = engine.lifecycle().restore(runs, admission(runs, 6));

    assertThat(finished(result.finishedSlices()))
        .containsExactlyInAnyOrder(
            "job-2 -> job-1: WorkloadSliceReplaced", "job-0 -> job-1: OutOfSync");
    assertThat(running()).containsExactly("job-1");
  }

  private Decisions restoreEvicted(Workload.Builder workload) {
    return engine
        .lifecycle()
        .restore(
            workload.build(),
            Optional.empty(),
            WorkloadStatus.builder()
                .addConditions(new WorkloadCondition(
                    ConditionType.EVICTED, true, "Preempted", "", cluster.now()))
                .build());
  }

  @Test
  void oneThatWasEvictedReplacesNothing() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());

    assertThat(finished(restoreEvicted(slice(cluster, "job-2", "q", 8, "job-1")).finishedSlices()))
        .containsExactly("job-2 -> job-1: OutOfSync");
  }

  @Test
  void ifAllAreEvictedTheNewestGoesOn() {
    assertThat(restoreEvicted(slice(cluster, "job-1", "q", 6)).finishedSlices()).isEmpty();

    assertThat(finished(restoreEvicted(slice(cluster, "job-2", "q", 8, "job-1")).finishedSlices()))
        .containsExactly("job-1 -> job-2: OutOfSync");
  }

  @Test
  void oneThatReplacesWhatWaitsEndsThat() {
    cluster.submit(slice(cluster, "job-1", "q", 12).build());
    cluster.submit(slice(cluster, "job-2", "q", 8, "job-1").build());

    assertThat(cluster.pending("q")).containsExactly("job-2");
    Decisions result = cluster.cycle();
    assertThat(admitted(result)).containsExactly("job-2");
    assertThat(finished(result.finishedSlices()))
        .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
  }

  @Test
  void oneThatIsReplacedAlreadyIsNotTaken() {
    cluster.submit(slice(cluster, "job-2", "q", 8, "job-1").build());

    AdmissionResult result = engine
        .submit(slice(cluster, "job-1", "q", 6)
            .creationTime(cluster.now().minusSeconds(9))
            .build())
        .result();

    assertThat(reasons(result)).containsExactly("OBSOLETE_SLICE -");
    assertThat(cluster.pending("q")).containsExactly("job-2");
  }

  /** A crash may happen between the admission of the one and the end of the other (E-7). */
  @Test
  void ofTwoThatRunTheOlderIsOverWhicheverIsRestoredFirst() {
    for (boolean oldFirst : List.of(true, false)) {
      Cluster restarted = new Cluster().ticking().with(queue("q", "c", 10));
      Workload first = slice(restarted, "job-1", "q", 6).build();
      Workload second = slice(restarted, "job-2", "q", 9, "job-1").build();
      WorkloadLifecycle lifecycle = restarted.engine.lifecycle();
      Decisions decided = oldFirst
          ? lifecycle
              .restore(first, admission(first, 6))
              .and(lifecycle.restore(second, admission(second, 9)))
          : lifecycle
              .restore(second, admission(second, 9))
              .and(lifecycle.restore(first, admission(first, 6)));

      assertThat(restarted.used("q")).isEqualTo(9);
      assertThat(restarted.workload("job-1").holdsQuota()).isFalse();
      assertThat(finished(decided.finishedSlices()))
          .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
    }
  }

  @Test
  void ofTwoThatRunTheReplacedOneIsOverThoughItIsNewer() {
    Workload replaced = slice(cluster, "job-1", "q", 4).build();
    Workload successor = slice(cluster, "job-2", "q", 5, "job-1")
        .creationTime(cluster.now().minusSeconds(9))
        .build();
    engine.lifecycle().restore(successor, admission(successor, 5));
    Decisions decided = engine.lifecycle().restore(replaced, admission(replaced, 4));

    assertThat(running()).containsExactly("job-2");
    assertThat(finished(decided.finishedSlices()))
        .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
  }

  @Test
  void whatRunsAndWhatIsToReplaceItAreRestoredInEitherOrder() {
    for (boolean oldFirst : List.of(true, false)) {
      Cluster restarted = new Cluster().ticking().with(queue("q", "c", 10));
      Workload first = slice(restarted, "job-1", "q", 6).build();
      Workload second = slice(restarted, "job-2", "q", 9, "job-1").build();
      if (!oldFirst) {
        restarted.submit(second);
      }
      restarted.engine.lifecycle().restore(first, admission(first, 6));
      if (oldFirst) {
        restarted.submit(second);
      }
      assertThat(restarted.used("q")).isEqualTo(6);

      assertThat(admitted(restarted.cycle())).containsExactly("job-2");
      assertThat(restarted.used("q")).isEqualTo(9);
    }
  }

  /**
   * A scaled-down slice is restored with what it was admitted with: 8 pods, of which 5 are left.
   */
  @Test
  void aSliceThatShrankIsRestoredAsItIs() {
    Workload job = slice(cluster, "job-1", "q", 5).build();
    engine.lifecycle().restore(job, admission(job, 8));

    assertThat(cluster.used("q")).isEqualTo(5);
    assertThat(engine
            .tryAdmit(slice(cluster, "job-2", "q", 10, "job-1").build())
            .result()
            .isAdmitted())
        .isTrue();
  }

  /** Evicted slices finish once they have stopped, if another one is pending. */
  @Test
  void anEvictedSliceIsNotQueuedAgainBesideItsReplacement() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 12, "job-1").build());
    AdmissionResult unused = engine
        .tryAdmit(cluster.job("high", "q", 6, 1), TryAdmitOptions.evictingVictims())
        .result();
    assertThat(cluster.used("q")).isEqualTo(6);

    cluster.stop("job-1");

    assertThat(cluster.used("q")).isZero();
    assertThat(engine.finish(id("job-1")).removed()).isEmpty();
    assertThat(finished(cluster.cycle().finishedSlices()))
        .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
  }

  /** Its pods still exist, so its quota is not released before they have stopped. */
  @Test
  void anEvictedSliceIsNotOverBeforeItHasStopped() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    AdmissionResult unused2 = engine
        .tryAdmit(cluster.job("high", "q", 6, 1), TryAdmitOptions.evictingVictims())
        .result();
    cluster.submit(slice(cluster, "job-2", "q", 12, "job-1").build());

    assertThat(cluster.used("q")).isEqualTo(6);
    assertThat(cluster.cycle().finishedSlices()).isEmpty();
    cluster.stop("job-1");
    assertThat(cluster.pending("q")).doesNotContain("job-1");
  }

  @Test
  void anEvictedSliceWithoutReplacementIsQueuedAgain() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    AdmissionResult unused3 = engine
        .tryAdmit(cluster.job("high", "q", 6, 1), TryAdmitOptions.evictingVictims())
        .result();

    cluster.stop("job-1");

    assertThat(cluster.pending("q")).containsExactly("job-1");
  }

  @Test
  void whenTheOneThatWaitsIsDeletedTheOtherRunsOn() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 9, "job-1").build());
    assertThat(engine.delete(id("job-2")).removed()).isNotEmpty();

    assertThat(cluster.cycle().isEmpty()).isTrue();
    assertThat(running()).containsExactly("job-1");
    cluster.run(slice(cluster, "job-3", "q", 9, "job-1").build());
    assertThat(running()).containsExactly("job-3");
  }

  @Test
  void whenTheOneThatRunsFinishesTheOtherIsOrdinary() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 9, "job-1").build());
    engine.finish(id("job-1"));

    Decisions result = cluster.cycle();

    assertThat(admitted(result)).containsExactly("job-2");
    assertThat(result.finishedSlices()).isEmpty();
    assertThat(cluster.used("q")).isEqualTo(9);
  }

  /** Both are restored running, and neither replaces the other: the newer is kept. */
  @Test
  void ofTwoThatReplacedTheSameTheNewerGoesOn() {
    Workload second = slice(cluster, "job-2", "q", 3, "job-1").build();
    Workload third = slice(cluster, "job-3", "q", 4, "job-1").build();
    engine.lifecycle().restore(third, admission(third, 4));
    Decisions decided = engine.lifecycle().restore(second, admission(second, 3));

    assertThat(running()).containsExactly("job-3");
    assertThat(finished(decided.finishedSlices())).containsExactly("job-2 -> job-3: OutOfSync");
  }

  @Test
  void aForkSettlesLikeItsOriginal() {
    cluster.with(queue("r", "d", 10));
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    AdmissionEngine study = engine.view().whatIf();
    Workload second = slice(cluster, "job-2", "r", 9, "job-1").build();

    assertThat(study.tryAdmit(second)).isEqualTo(engine.tryAdmit(second));
    assertThat(study.view()).hasToString(engine.view().toString());
    assertThat(study.admission(id("job-1"))).isEmpty();
  }

  @Test
  void slicesOfChipsDoNotGrowOrShrink() {
    PodSet chips = PodSet.builder()
        .name("main")
        .count(4)
        .request("google.com/tpu", "4")
        .sliceRequest(SliceRequest.of("4x4"))
        .build();

    assertThat(Settings.defaults()
            .violations(scaled(slice(cluster, "job", "q", 4).build(), chips))
            .toString())
        .contains("sliceRequest in an elastic workload");
    assertThat(Settings.defaults()
            .violations(scaled(slice(cluster, "job", "q", 4).elastic(false).build(), chips)))
        .isEmpty();
  }

  @Test
  void minimumCountsAndElasticityExcludeEachOther() {
    PodSet shrinkable = PodSet.builder().from(pods("main", 6)).minCount(2).build();
    Workload elastic = scaled(slice(cluster, "job", "q", 6).build(), shrinkable);
    Workload replacing =
        scaled(slice(cluster, "job", "q", 6, "old").elastic(false).build(), shrinkable);

    assertThat(Settings.defaults().violations(elastic).toString())
        .contains("podSets")
        .contains("partial admission and elastic slices cannot be used together");
    assertThat(engine.submit(replacing).result()).isInstanceOf(AdmissionResult.Rejected.class);
    assertThat(engine
            .submit(scaled(slice(cluster, "job", "q", 6).elastic(false).build(), shrinkable))
            .result())
        .isInstanceOf(AdmissionResult.Pending.class);
  }

  @Test
  void aSliceMayNotReplaceItself() {
    assertThat(engine.submit(slice(cluster, "job", "q", 6, "job").build()).toString())
        .contains("the workload itself; expected another slice of its job");
  }

  @Test
  void moreReclaimablePodsThanThereAreAreAMistakeUnlessElastic() {
    Workload job = slice(cluster, "job", "q", 2).build();
    cluster.submit(job);
    cluster.submit(Workload.builder().from(job).name("rigid").elastic(false).build());

    assertThat(cluster.reclaim("job", "main", 3).result())
        .isInstanceOf(AdmissionResult.Pending.class);
    assertThat(cluster.reclaim("rigid", "main", 3).result())
        .isInstanceOf(AdmissionResult.Rejected.class);
  }
}
