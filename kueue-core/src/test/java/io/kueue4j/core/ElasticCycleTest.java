package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.finished;
import static io.kueue4j.core.DecisionText.preempted;
import static io.kueue4j.core.DecisionText.reasons;
import static io.kueue4j.core.DecisionText.victims;
import static io.kueue4j.core.ElasticJobs.slice;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static io.kueue4j.core.model.Preemption.Policy.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Workload;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Elastic slices that need preemption, or compete with others in a cycle; rules E-6, E-7, X-5. */
class ElasticCycleTest {
  private static Cluster preempting(Settings settings) {
    return new Cluster(settings)
        .ticking()
        .with(queue("q", "c", 10)
            .preemption(Preemption.builder()
                .withinClusterQueue(LOWER_PRIORITY)
                .reclaimWithinCohort(NEVER)
                .build()));
  }

  private final Cluster cluster = preempting(Settings.defaults());
  private final AdmissionEngine engine = cluster.engine;

  /** 6 + 4 of 10 are used; 3 more are requested, so only the 4 with lower priority are evicted. */
  @Test
  void onlyOthersArePreemptedAndTheOldSliceRunsOnMeanwhile() {
    cluster.run(slice(cluster, "job-1", "q", 6).priority(1).build()).run("low", "q", 4, 0);
    cluster.submit(slice(cluster, "job-2", "q", 9, "job-1").priority(1).build());

    Decisions first = cluster.cycle();
    assertThat(preempted(first)).containsExactly("low for job-2: InClusterQueue");
    assertThat(first.finishedSlices()).isEmpty();
    assertThat(cluster.used("q")).isEqualTo(10);
    assertThat(engine.lifecycle().preempted(id("job-1"))).isEmpty();

    cluster.stop("low");
    assertThat(cluster.used("q")).isEqualTo(6);
    Decisions second = cluster.cycle();
    assertThat(admitted(second)).containsExactly("job-2");
    assertThat(finished(second.finishedSlices()))
        .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
    assertThat(cluster.used("q")).isEqualTo(9);
  }

  @Test
  void anOldSliceOfAnotherQueueIsFinishedAfterTheNewOneStarts() {
    cluster.with(queue("other", 10)).run(slice(cluster, "job-1", "other", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 9, "job-1").build());

    assertThat(cluster.cycle().all())
        .extracting(Decision::workload)
        .containsExactly(id("job-2"), id("job-1"));
  }

  /** {@return a cluster where slice job-2, which takes over from job-1, waits for another job} */
  private static Cluster blocked(String queueOfOldSlice) {
    PodsReadyPolicy oneByOne = PodsReadyPolicy.builder()
        .timeout(Duration.ofMinutes(5))
        .blockAdmission(true)
        .build();
    Cluster blocked = new Cluster(Settings.builder().podsReady(oneByOne).build())
        .with(queue("q", 10), queue("old", 10));
    blocked.run(slice(blocked, "job-1", queueOfOldSlice, 6).build());
    blocked.lifecycle.setPodsReady(id("job-1"), true);
    blocked.run("other", "q", 1);
    blocked.submit(slice(blocked, "job-2", "q", 9, "job-1").build());
    assertThat(blocked.cycle().admitted()).isEmpty();

    blocked.lifecycle.setPodsReady(id("other"), true);
    return blocked;
  }

  @Test
  void anAdmissionThatHadToWaitTakesOverFromTheOldSlice() {
    assertThat(blocked("q").cycle().all())
        .extracting(Decision::workload)
        .containsExactly(id("job-1"), id("job-2"));
    assertThat(blocked("old").cycle().all())
        .extracting(Decision::workload)
        .containsExactly(id("job-2"), id("job-1"));
  }

  /** Of 1, 2 and 3 cores only one has to stop for a difference of 1. */
  @Test
  void noMoreVictimsThanTheDifferenceNeeds() {
    cluster.run(slice(cluster, "job-1", "q", 4).priority(1).build());
    cluster.run("one", "q", 1, 0).run("two", "q", 2, 0).run("three", "q", 3, 0);

    AdmissionResult.Preempting result = (AdmissionResult.Preempting) engine
        .tryAdmit(slice(cluster, "job-2", "q", 5, "job-1").priority(1).build())
        .result();

    assertThat(victims(result.victims())).containsExactly("three for job-2: InClusterQueue");
  }

  /** The old slice has lower priority, and would otherwise be a candidate. */
  @Test
  void theOldSliceIsNoVictim() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());

    AdmissionResult result = engine
        .tryAdmit(slice(cluster, "job-2", "q", 11, "job-1").priority(1).build())
        .result();

    assertThat(reasons(result)).containsExactly("NO_PREEMPTION_CANDIDATES default 5000");
    assertThat(engine.lifecycle().preempted(id("job-1"))).isEmpty();
    Workload other = slice(cluster, "other", "q", 10).priority(1).build();
    assertThat(engine.tryAdmit(other).result()).isInstanceOf(AdmissionResult.Preempting.class);
  }

  @Test
  void theOldSliceIsNoVictimBesideOthers() {
    cluster.run(slice(cluster, "job-1", "q", 5).build()).run("low", "q", 4, 0);

    AdmissionResult result = engine
        .tryAdmit(slice(cluster, "job-2", "q", 8, "job-1").priority(1).build())
        .result();

    assertThat(victims(((AdmissionResult.Preempting) result).victims()))
        .containsExactly("low for job-2: InClusterQueue");
  }

  /** A victim that is not replaced is a victim again in the next cycle. */
  @Test
  void theOldSliceMayStillBeAVictimOfOthers() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    AdmissionResult unused =
        engine.tryAdmit(slice(cluster, "job-2", "q", 11, "job-1").build()).result();

    AdmissionResult result = engine.tryAdmit(cluster.job("high", "q", 5, 2)).result();

    assertThat(victims(((AdmissionResult.Preempting) result).victims()))
        .containsExactly("job-1 for high: InClusterQueue");
  }

  /**
   * Two queues of 6, the old slice holds the 6 of q. In one cycle r takes its own 6 first; then 2
   * more for the slice pass, because the old one is excluded from the check: 14 of 12 are used
   * (X-5).
   */
  @Test
  void inOneCycleADifferencePassesThatDoesNotFit() {
    assertThat(usedAfterRivals(Settings.defaults())).isEqualTo(14);
  }

  @Test
  void withStrictQuotaItDoesNot() {
    assertThat(usedAfterRivals(Settings.builder().strictQuota(true).build())).isEqualTo(12);
  }

  /** A preemptor of another cohort holds 6 there, which is no room here. */
  @Test
  void withStrictQuotaWhatOthersHoldElsewhereDoesNotCount() {
    Cluster rivals = new Cluster(Settings.builder().strictQuota(true).build())
        .ticking()
        .with(queue("p", "d", 6)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build()));
    rivals.run("low", "p", 6, 0).submit("high", "p", 6, 9);

    assertThat(usedAfterRivals(rivals)).isEqualTo(12);
    assertThat(rivals.engine.isStopping(Cluster.id("low"))).isTrue();
  }

  private static long usedAfterRivals(Settings settings) {
    return usedAfterRivals(new Cluster(settings).ticking());
  }

  private static long usedAfterRivals(Cluster rivals) {
    rivals.with(queue("q", "c", 6), queue("r", "c", 6));
    rivals.run(slice(rivals, "job-1", "q", 6).build());
    rivals.submit(slice(rivals, "job-2", "q", 8, "job-1").build()).submit("rival", "r", 6, 0);
    assertThat(admitted(rivals.cycle())).contains("rival");
    return rivals.used("q") + rivals.used("r");
  }

  /**
   * The reverse order: an entry after the slice is checked without the old one. 6 and 4 of 12 are
   * used and the slice takes 1 more; then 2 pass where 1 is left.
   */
  @Test
  void inOneCycleOthersPassThatDoNotFit() {
    assertThat(usedAfterSlice(Settings.defaults())).isEqualTo(13);
    assertThat(usedAfterSlice(Settings.builder().strictQuota(true).build())).isEqualTo(11);
  }

  private static long usedAfterSlice(Settings settings) {
    Cluster two = new Cluster(settings).ticking().with(queue("q", "c", 7), queue("r", "c", 5));
    two.run(slice(two, "job-1", "q", 6).build()).run("runs", "r", 4, 0);
    two.submit(slice(two, "job-2", "q", 7, "job-1").build());
    // Within its quota the elastic slice precedes borrowing workloads. 2 are free before, 1 is
    // after it.
    two.submit("rival", "r", 2, 0);
    two.cycle();
    return two.used("q") + two.used("r");
  }

  /** With strict quota a slice that fits is not blocked by its predecessor. */
  @Test
  void withStrictQuotaTheDifferenceDoesFit() {
    Cluster strict = preempting(Settings.builder().strictQuota(true).build());
    strict.run(slice(strict, "job-1", "q", 6).build());
    strict.submit(slice(strict, "job-2", "q", 10, "job-1").build());

    assertThat(admitted(strict.cycle())).containsExactly("job-2");
    assertThat(strict.used("q")).isEqualTo(10);
  }

  /**
   * The old slice of q borrows 2 of r, which reclaims them in the same cycle. So the new slice is
   * an ordinary workload and does not fit; when the old one has stopped it is finished, not
   * requeued.
   */
  @Test
  void whoseOldSliceIsTakenInTheSameCycleIsOrdinary() {
    Cluster two = new Cluster()
        .ticking()
        .with(
            queue("q", "c", 4),
            queue("r", "c", 4)
                .preemption(Preemption.builder()
                    .withinClusterQueue(NEVER)
                    .reclaimWithinCohort(ANY)
                    .build()));
    two.run(slice(two, "job-1", "q", 6).build());
    two.submit(slice(two, "job-2", "q", 7, "job-1").build()).submit("owner", "r", 4, 0);

    Decisions result = two.cycle();

    assertThat(preempted(result)).containsExactly("job-1 for owner: InCohortReclamation");
    assertThat(admitted(result)).isEmpty();
    assertThat(two.used("q")).isEqualTo(6);
    assertThat(two.workload("job-2").cause()).isEqualTo(PendingCause.WAITING_FOR_QUOTA);

    two.stop("job-1");
    assertThat(two.pending("q")).containsExactly("job-2");
    Decisions next = two.cycle();
    assertThat(admitted(next)).containsExactly("owner");
    assertThat(finished(next.finishedSlices()))
        .containsExactly("job-1 -> job-2: WorkloadSliceReplaced");
    assertThat(two.used("q")).isZero();
  }

  /**
   * An evicted workload holds its quota until it has stopped, so an elastic slice replaces it like
   * any other.
   */
  @Test
  void anOldSliceThatWasToldToStopIsReplacedAllTheSame() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    AdmissionResult unused2 = engine
        .tryAdmit(cluster.job("high", "q", 6, 1), TryAdmitOptions.evictingVictims())
        .result();
    assertThat(engine.lifecycle().preempted(id("job-1"))).isPresent();

    assertThat(engine
            .tryAdmit(slice(cluster, "job-2", "q", 7, "job-1").build())
            .result()
            .isAdmitted())
        .isTrue();

    assertThat(cluster.used("q")).isEqualTo(7);
    assertThat(EngineCalls.podsStopped(engine, id("job-1"))).isFalse();
    assertThat(engine.lifecycle().preempted(id("job-2"))).isEmpty();
  }

  /** E-7: later cycles count only the new slice, in full. */
  @Test
  void theNextCycleSeesOneSlice() {
    cluster.run(slice(cluster, "job-1", "q", 6).build());
    cluster.submit(slice(cluster, "job-2", "q", 8, "job-1").build());
    cluster.cycle();
    cluster.submit("three", "q", 3, 0).submit("two", "q", 2, 0);

    assertThat(admitted(cluster.cycle())).isEmpty();
    assertThat(admitted(cluster.cycle())).containsExactly("two");
  }

  /** A cycle orders by the share with the difference, not with the whole request. */
  @Test
  void fairSharesCountTheDifference() {
    Cluster fair =
        new Cluster(Settings.builder().fairSharing().strictQuota(true).build()).ticking();
    fair.with(queue("a", "c", 4), queue("b", "c", 4), queue("pool", "c", 8));
    fair.run(slice(fair, "a-1", "a", 5).build()).run("b-1", "b", 5, 0);
    fair.run("filler", "pool", 2, 0);
    // 4 are left. a uses 1 and requests 1 more, b uses 1 and requests 4 more; not both fit.
    fair.submit("b-2", "b", 4, 0).submit(slice(fair, "a-2", "a", 6, "a-1").build());

    Decisions result = fair.cycle();

    assertThat(admitted(result)).containsExactly("a-2");
  }
}
