package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.ConcurrentFlavors.TRY_PREFERRED;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.PreemptionGateState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Gates that keep workloads from preempting. */
class BlockedPreemptionTest {
  /** Rule L-25. */
  @Nested
  class OfWorkloads {
    private final Cluster made = cluster(Settings.builder()
        .putFeatureGates(FeatureGate.MULTIKUEUE_ORCHESTRATED_PREEMPTION, true)
        .build());

    private static Cluster cluster(Settings settings) {
      Cluster made = ConcurrentFlavors.cluster(
          settings,
          Queues.openQueue("q")
              .cohort("c")
              .preemption(ConcurrentFlavors.RECLAIM)
              .addResourceGroups(ConcurrentFlavors.group(4, ImmutableList.of("reservation"))));
      return made.fill("low", 4, "reservation");
    }

    @CanIgnoreReturnValue
    private Workload submit(Cluster to) {
      return to.submit(to.job(
              "w", "q", 4, workload -> workload.addAllPreemptionGates(ImmutableList.of("g", "h"))))
          .job("w");
    }

    @Test
    void isParkedUntilAllAreOpen() {
      submit(made);
      assertThat(made.cycles(2)).containsExactly("pending [w AdmissionGated]", "");
      assertThat(made.engine.explain(id("w")).cause()).contains(PendingCause.ADMISSION_GATED);
      assertThat(made.workload("w").reasonCodes()).containsExactly(ReasonCode.PREEMPTION_GATED);
      WorkloadStatus status = made.lifecycle.status(id("w"));
      assertThat(status.isTrue(ConditionType.BLOCKED_ON_PREEMPTION_GATES)).isTrue();

      made.lifecycle.setPreemptionGate(id("w"), "g", true);
      assertThat(summary(made.cycle())).isEqualTo("pending [w AdmissionGated]");
      made.lifecycle.setPreemptionGate(id("w"), "h", true);
      assertThat(summary(made.cycle()))
          .isEqualTo("preempted [reservation for w], pending [w WaitingForPreemptedWorkloads]");
    }

    @Test
    void closingAClosedOneWakesNobody() {
      submit(made);
      made.cycles(2);

      made.lifecycle.setPreemptionGate(id("w"), "g", false);

      assertThat(made.inadmissible("q")).containsExactly("w");
    }

    @Test
    void thatCanBeAdmittedIsNotKeptFromIt() {
      made.finish("reservation");
      submit(made);

      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void withoutVictimsItHasNothingToWaitFor() {
      made.submit(made.job(
          "big", "q", 5, workload -> workload.addAllPreemptionGates(ImmutableList.of("g"))));

      assertThat(summary(made.cycle())).isEqualTo("pending [big ExceedsMaxQuota]");
    }

    @Test
    void closesAtEveryEviction() {
      made.finish("reservation");
      submit(made);
      made.cycle();
      made.lifecycle.setPreemptionGate(id("w"), "g", true);
      made.advanceSeconds(10);
      made.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");

      assertThat(made.lifecycle.status(id("w")).preemptionGates())
          .containsExactly(new PreemptionGateState("g", false, Cluster.START.plusSeconds(10)));
    }

    @Test
    void blockedIsOverWhenQuotaIsReserved() {
      submit(made);
      made.cycle();
      made.finish("reservation");
      made.cycle();

      WorkloadStatus status = made.lifecycle.status(id("w"));
      assertThat(status.isTrue(ConditionType.ADMITTED)).isTrue();
      assertThat(status.condition(ConditionType.BLOCKED_ON_PREEMPTION_GATES))
          .hasValueSatisfying(condition -> assertThat(condition.isTrue()).isFalse());
    }

    @Test
    void anUnknownOneIsRefused() {
      submit(made);

      assertThatThrownBy(() -> made.lifecycle.setPreemptionGate(id("w"), "x", true))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("workload ns/w has no preemption gate \"x\"; expected one of [g, h]");
    }

    @Test
    void countOnlyWithOneOfTheFeatureGates() {
      Settings.Builder before = Settings.builder().kueueVersion(KueueVersion.V0_19_7);
      Cluster off = cluster(before.build());
      submit(off);
      assertThat(summary(off.cycle())).contains("preempted [reservation for w]");

      Cluster on =
          cluster(before.putFeatureGates(FeatureGate.CONCURRENT_ADMISSION, true).build());
      submit(on);
      assertThat(summary(on.cycle())).isEqualTo("pending [w AdmissionGated]");
    }

    @Test
    void countByDefault() {
      Cluster byDefault = cluster(Settings.defaults());
      submit(byDefault);
      assertThat(summary(byDefault.cycle())).isEqualTo("pending [w AdmissionGated]");
    }

    @Test
    void stateSurvivesARestart() {
      Workload workload = submit(made);
      made.lifecycle.setPreemptionGate(id("w"), "g", true);
      made.lifecycle.setPreemptionGate(id("w"), "h", true);
      WorkloadStatus status = made.lifecycle.status(id("w"));
      made.engine.delete(id("w"));
      made.lifecycle.restore(workload, Optional.empty(), status);

      assertThat(summary(made.cycle())).contains("preempted [reservation for w]");
    }
  }

  /** Rule F-9. */
  @Nested
  class AllowedFlavors {
    @Test
    void othersAreNotLookedAt() {
      Cluster made = ConcurrentFlavors.cluster(ConcurrentFlavors.settings().build(), plainQueue());
      made.submit(made.job(
          "w", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("spot", "on-demand"))));

      assertThat(summary(made.cycle())).isEqualTo("admitted [w on on-demand]");
    }

    @Test
    void noneLeftIsSaid() {
      Cluster made = ConcurrentFlavors.cluster(ConcurrentFlavors.settings().build(), plainQueue());
      made.submit(
          made.job("w", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("gold"))));

      assertThat(summary(made.cycle())).isEqualTo("pending [w NoMatchingFlavor]");
      assertThat(made.engine.explain(id("w")).reasons())
          .extracting(reason -> reason.code() + " " + reason.flavor().orElse(""))
          .containsExactly(
              "FLAVOR_NOT_ALLOWED reservation",
              "FLAVOR_NOT_ALLOWED on-demand",
              "FLAVOR_NOT_ALLOWED spot");
    }

    @Test
    void countOnlyWithTheFeatureGate() {
      Cluster made = ConcurrentFlavors.cluster(Settings.defaults(), plainQueue());
      made.submit(
          made.job("w", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("spot"))));

      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
    }

    /**
     * Rules R-10 and U-15: a workload with fewer allowed flavors does not represent one with more.
     */
    @Test
    void whatIsAllowedIsPartOfTheShape() {
      Cluster made = ConcurrentFlavors.cluster(ConcurrentFlavors.settings().build(), plainQueue());
      made.fill("low", 4, "reservation");
      made.submit(made.job(
          "a", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("reservation"))));
      made.submit("b", "q", 4);

      assertThat(made.cycles(2))
          .containsExactly("pending [a WaitingForQuota]", "admitted [b on on-demand]");
    }

    private ClusterQueue.Builder plainQueue() {
      return Queues.openQueue("q")
          .cohort("c")
          .addResourceGroups(ConcurrentFlavors.group(4, ConcurrentFlavors.FLAVORS));
    }
  }

  /** Rule CA-5. */
  @Nested
  class OfVariants {
    private final Cluster made = ConcurrentFlavors.reclaiming(TRY_PREFERRED)
        .fill("low", 4, "reservation", "on-demand", "spot")
        .submit("w", "q", 4);

    @Test
    void theBestBlockedOneIsOpenedFirst() {
      assertThat(made.cycles(2))
          .containsExactly(
              "pending [w AdmissionGated]",
              "preempted [reservation for w], pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.workload("w").tried()).isEqualTo("reservation! on-demand spot");
    }

    @Test
    void anOpenOneCountsWhenTheWorkloadIsTriedAtOnce() {
      made.cycles(1);
      assertThat(made.workload("w").tried()).isEqualTo("reservation! on-demand spot");

      assertThat(made.engine
              .tryAdmit(workload(made), TryAdmitOptions.evictingVictims())
              .result())
          .isInstanceOf(AdmissionResult.Preempting.class);
    }

    /** Rule U-10: while victims of the best variant stop, its queue waits for it. */
    @Test
    void whileItsVictimsStopTheOthersGetNoTurn() {
      made.cycles(2);
      made.advanceSeconds(600);

      assertThat(made.cycles(3)).containsOnly("pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.tick()).isEmpty();
      assertThat(made.workload("w").tried()).isEqualTo("reservation! on-demand spot");
    }

    @Test
    void victimsGoneItRunsThere() {
      made.cycles(2);
      made.podsStopped("reservation");

      assertThat(summary(made.cycle())).startsWith("admitted [w on reservation]");
      assertThat(made.tick()).isEmpty();
    }

    @Test
    void oneNotTriedYetStopsTheSearch() {
      Cluster other =
          ConcurrentFlavors.reclaiming(TRY_PREFERRED).fill("low", 4, "on-demand", "spot");
      other.run(other.job(
          "r", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("reservation"))));
      assertThat(other.workload("r").flavor()).isEqualTo("reservation");
      other.submit("w", "q", 4);

      // Reservation is tried first and has no victims, so nothing keeps on-demand from the gate.
      assertThat(summary(other.cycle())).isEqualTo("pending [w WaitingForQuota]");
      assertThat(other.workload("w").tried()).isEqualTo("reservation on-demand spot");
      assertThat(summary(other.cycle())).isEqualTo("pending [w AdmissionGated]");
      assertThat(other.workload("w").tried()).isEqualTo("reservation on-demand! spot");
    }

    /** {@return a cluster in which the gate of on-demand was opened 100 seconds ago} */
    private static Cluster onDemandOpenAndSpotBlocked() {
      Cluster other =
          ConcurrentFlavors.reclaiming(TRY_PREFERRED).fill("low", 4, "on-demand", "spot");
      Workload first = other.job(
          "r", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("reservation")));
      other.run(first);
      other.submit("w", "q", 4);
      other.cycles(2);
      assertThat(other.workload("w").tried()).isEqualTo("reservation on-demand! spot");
      other.advanceSeconds(100);
      // The workload on on-demand cannot be preempted now, so spot is next.
      other.finish("on-demand");
      other.run(
          other.job("o", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("on-demand"))));
      assertThat(other.cycles(5)).contains("pending [w AdmissionGated]");
      assertThat(other.workload("w").tried()).isEqualTo("reservation on-demand! spot");
      return other;
    }

    @Test
    void aBetterOneThatIsNewIsTriedBeforeAnotherIsOpened() {
      Cluster other = onDemandOpenAndSpotBlocked();
      other.with(
          ResourceFlavor.of("gold"),
          ClusterQueue.builder()
              .from(other.view("q").spec())
              .resourceGroups(ImmutableList.of(ConcurrentFlavors.group(
                  4, ImmutableList.of("gold", "reservation", "on-demand", "spot"))))
              .build());

      assertThat(other.tick()).isEmpty();
      other.advanceSeconds(1000);
      other.engine.tick();
      assertThat(other.workload("w").tried()).isEqualTo("gold reservation on-demand! spot");
    }

    @Test
    void openingsKeepTheirDistance() {
      Cluster other = onDemandOpenAndSpotBlocked();
      assertThat(other.tick()).contains(200L);

      other.advanceSeconds(199);
      assertThat(other.tick()).contains(1L);
      assertThat(other.workload("w").tried()).doesNotContain("spot!");
      other.advanceSeconds(1);
      assertThat(other.tick()).isEmpty();
      assertThat(other.workload("w").tried()).isEqualTo("reservation on-demand! spot!");
      assertThat(summary(other.cycle()))
          .isEqualTo("preempted [spot for w], pending [w WaitingForPreemptedWorkloads]");
    }

    @Test
    void openingsKeepTheirDistanceFromTheLastOne() {
      Cluster other = onDemandOpenAndSpotBlocked();
      List<String> flavors = ImmutableList.of("reservation", "on-demand", "spot", "gold");
      other.with(ResourceFlavor.of("gold"));
      other.with(
          ConcurrentFlavors.queue(TRY_PREFERRED, flavors).preemption(ConcurrentFlavors.RECLAIM),
          Queues.openQueue("low")
              .cohort("c")
              .addResourceGroups(ConcurrentFlavors.group(0, flavors)));
      other.fill("low", 4, "gold");
      other.advanceSeconds(200);
      other.tick();
      other.finish("spot");
      other.run(
          other.job("s", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("spot"))));

      assertThat(other.cycles(7)).contains("pending [w AdmissionGated]");

      assertThat(other.workload("w").tried()).isEqualTo("reservation on-demand! spot! gold");
      assertThat(other.tick()).contains(300L);
    }

    @Test
    void aRestartKeepsTheDistance() {
      made.cycles(1);
      Workload workload = workload(made);
      WorkloadStatus status = made.lifecycle.status(id("w"));
      made.engine.delete(id("w"));
      made.lifecycle.restore(workload, Optional.empty(), status);

      assertThat(made.workload("w").tried()).isEqualTo("reservation! on-demand spot");
      assertThat(made.lifecycle.status(id("w"))).isEqualTo(status);
    }

    @Test
    void closedWhenTheWorkloadIsEvicted() {
      made.cycles(2);
      made.podsStopped("reservation");
      made.cycle();
      made.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");
      made.podsStopped("w");

      assertThat(made.workload("w").tried()).isEqualTo("reservation on-demand spot");
      // The last time that one was opened does not count any more.
      made.finish("reservation");
      made.fill("low", 4, "reservation");
      made.cycles(2);
      assertThat(made.workload("w").tried()).isEqualTo("reservation! on-demand spot");
    }

    private Workload workload(Cluster of) {
      return of.engine.inspect(
          state -> Objects.requireNonNull(state.record(id("w"))).workload());
    }

    @Test
    void ofAStoppedQueueNoneIsOpened() {
      made.with(ClusterQueue.builder()
          .from(made.view("q").spec())
          .stopPolicy(StopPolicy.HOLD)
          .build());
      made.cycle();

      assertThat(made.workload("w").tried()).doesNotContain("!");
    }
  }
}
