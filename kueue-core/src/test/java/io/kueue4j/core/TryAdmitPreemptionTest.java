package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.DecisionText.victims;
import static io.kueue4j.core.Queues.queue;
import static io.kueue4j.core.model.Preemption.Policy.ANY;
import static io.kueue4j.core.model.Preemption.Policy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.Workload;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TryAdmitPreemptionTest {
  private final Cluster cluster = new Cluster().ticking();

  @BeforeEach
  void ownAndBorrowedWorkloads() {
    cluster.with(
        queue("q", "c", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(LOWER_PRIORITY)
                .reclaimWithinCohort(ANY)
                .build()),
        queue("other", "c", 2));
    cluster.run("own", "q", 2, 0).run("borrower", "other", 4, 0);
  }

  @CanIgnoreReturnValue
  private AdmissionResult.Preempting preempting(AdmissionResult result) {
    assertThat(result).isInstanceOf(AdmissionResult.Preempting.class);
    return (AdmissionResult.Preempting) result;
  }

  @Test
  void namesTheVictimsWithReasonsAndWhatTheyFree() {
    Workload high = cluster.job("high", "q", 4, 1);

    AdmissionResult.Preempting result = preempting(cluster.engine.tryAdmit(high).result());

    assertThat(result.workload()).isEqualTo(high.id());
    assertThat(victims(result.victims()))
        .containsExactlyInAnyOrder(
            "own for high: InClusterQueue", "borrower for high: InCohortReclamation");
    assertThat(result.victims())
        .flatExtracting(PreemptionVictim::frees)
        .extracting(PreemptionVictim.HeldQuota::amount)
        .containsExactlyInAnyOrder(2_000L, 4_000L);
  }

  @Test
  void changesNothingUnlessAskedTo() {
    Workload high = cluster.job("high", "q", 4, 1);
    String before = cluster.engine.view().toString();

    AdmissionResult first = cluster.engine.tryAdmit(high).result();

    assertThat(cluster.engine.view()).hasToString(before);
    assertThat(cluster.used("q")).isEqualTo(2);
    assertThat(cluster.used("other")).isEqualTo(4);
    assertThat(EngineCalls.podsStopped(cluster.engine, id("own"))).isFalse();
    assertThat(EngineCalls.podsStopped(cluster.engine, id("borrower"))).isFalse();
    assertThatThrownBy(() -> cluster.engine.explain(high.id()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(cluster.engine.tryAdmit(high).result()).isEqualTo(first);
  }

  @Test
  void victimsOfAStudyAndOfTheEngineAreApart() {
    EngineView view = cluster.engine.view();
    AdmissionEngine study = view.whatIf();
    Workload high = cluster.job("high", "q", 4, 1);

    preempting(study.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());
    assertThat(EngineCalls.podsStopped(cluster.engine, id("own"))).isFalse();
    assertThat(EngineCalls.podsStopped(study, id("own"))).isTrue();

    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());
    assertThat(view.clusterQueue("q").orElseThrow().stopping()).isEmpty();
    assertThat(EngineCalls.podsStopped(view.whatIf(), id("own"))).isFalse();
    assertThat(EngineCalls.podsStopped(cluster.engine, id("own"))).isTrue();
  }

  /** All victims have been evicted already, so only the position of the preemptor changes. */
  @Test
  void whoGoesFirstFromNowOnDidNotInTheView() {
    AdmissionResult unused = cluster
        .engine
        .tryAdmit(cluster.job("first", "q", 4, 1), TryAdmitOptions.evictingVictims())
        .result();
    Workload high = cluster.job("high", "q", 4, 1);
    cluster.engine.submit(high);
    cluster.engine.submit(cluster.job("higher", "q", 4, 2));
    EngineView view = cluster.engine.view();

    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());

    assertThat(cluster.engine.view().clusterQueue("q").orElseThrow().pending())
        .containsExactly(id("high"), id("higher"));
    assertThat(view.clusterQueue("q").orElseThrow().pending())
        .containsExactly(id("higher"), id("high"));
  }

  @Test
  void tellsVictimsToStopIfAskedTo() {
    Workload high = cluster.job("high", "q", 4, 1);

    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());

    assertThat(cluster.used("q")).isEqualTo(2);
    cluster.stop("own", "borrower");
    assertThat(cluster.engine.tryAdmit(high).result().isAdmitted()).isTrue();
    assertThat(cluster.used("q")).isEqualTo(4);
  }

  @Test
  void namesTheSameVictimsUntilTheyHaveStopped() {
    Workload high = cluster.job("high", "q", 4, 1);
    AdmissionResult first =
        cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result();

    assertThat(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result())
        .isEqualTo(first);
    assertThat(cluster.engine.tryAdmit(high).result()).isEqualTo(first);
  }

  @Test
  void aCycleDoesNotReportVictimsAgain() {
    Workload high = cluster.job("high", "q", 4, 1);
    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());
    cluster.submit(high);

    assertThat(cluster.cycle().preempted()).isEmpty();
    cluster.stop("own", "borrower");
    assertThat(admitted(cluster.cycle())).contains("high");
  }

  @Test
  void leavesAPendingWorkloadPending() {
    Workload high = cluster.job("high", "q", 4, 1);
    cluster.submit(high);

    preempting(cluster.engine.tryAdmit(high).result());

    assertThat(cluster.pending("q")).containsExactly("high");
    assertThat(cluster.cycle().preempted()).hasSize(2);
  }

  @Test
  void theQueueOfAPendingWorkloadWaitsForItIfVictimsWereTold() {
    Workload high = cluster.job("high", "q", 4, 1);
    cluster.submit(high);
    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());

    assertThat(cluster.workload("high").cause())
        .isEqualTo(PendingCause.WAITING_FOR_PREEMPTED_WORKLOADS);

    cluster.submit("urgent", "q", 1, 9).stop("own", "borrower");

    assertThat(admitted(cluster.cycle())).containsExactly("high");
  }

  @Test
  void noneWaitsForAPendingWorkloadWhoseVictimsWereOnlyNamed() {
    Workload high = cluster.job("high", "q", 4, 1);
    cluster.submit(high);
    preempting(cluster.engine.tryAdmit(high).result());
    cluster.submit("urgent", "q", 1, 9);

    assertThat(cluster.cycle().pending())
        .extracting(pending -> pending.workload().name())
        .containsExactly("urgent");
  }

  @Test
  void nothingHoldsTheRoomForAWorkloadThatIsUnknown() {
    Workload high = cluster.job("high", "q", 4, 1);
    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());
    cluster.submit("other", "q", 2, 0).stop("own", "borrower");

    assertThatThrownBy(() -> cluster.engine.explain(high.id()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(admitted(cluster.cycle())).contains("own");
    assertThat(cluster.engine.tryAdmit(high).result())
        .isInstanceOf(AdmissionResult.Preempting.class);
  }

  @Test
  void holdsNoQuotaWhileItWaits() {
    Workload high = cluster.job("high", "q", 4, 1);
    preempting(cluster.engine.tryAdmit(high, TryAdmitOptions.evictingVictims()).result());
    cluster.stop("own", "borrower");

    assertThat(cluster.used("q")).isZero();
    assertThat(cluster.used("other")).isZero();
  }

  @Test
  void isPendingWithReasonsWhenNothingSuffices() {
    cluster.engine.finish(id("own"));
    cluster.run("important", "q", 2, 9);

    AdmissionResult result =
        cluster.engine.tryAdmit(cluster.job("high", "q", 4, 1)).result();

    assertThat(result).isInstanceOf(AdmissionResult.Pending.class);
  }

  @Test
  void matchesAsPreempting() {
    AdmissionResult result =
        cluster.engine.tryAdmit(cluster.job("high", "q", 4, 1)).result();

    String matched = result.match(
        admitted -> "admitted",
        reserved -> "reserved",
        preempting -> "preempting " + preempting.victims().size(),
        pending -> "pending",
        rejected -> "rejected");

    assertThat(matched).isEqualTo("preempting 2");
    assertThat(result.isAdmitted()).isFalse();
  }
}
