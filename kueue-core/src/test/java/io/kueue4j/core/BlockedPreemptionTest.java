package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.FlavorsCluster.TRY_PREFERRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.FeatureGate;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PreemptionGateState;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Gates that keep workloads from preempting. */
class BlockedPreemptionTest {
  /** Rule L-25. */
  @Nested
  class OfWorkloads {
    private final FlavorsCluster made = cluster(FeatureGate.MULTIKUEUE_ORCHESTRATED_PREEMPTION);

    private static FlavorsCluster cluster(FeatureGate gate) {
      FlavorsCluster made = new FlavorsCluster(
          Settings.builder().putFeatureGates(gate, true).build(),
          Cluster.openQueue("q")
              .cohort("c")
              .preemption(FlavorsCluster.RECLAIM)
              .addResourceGroups(FlavorsCluster.group(4, ImmutableList.of("reservation"))));
      return made.fill("reservation");
    }

    @CanIgnoreReturnValue
    private Workload submit(FlavorsCluster to) {
      return to.cluster.submit(to.cluster.job(
          "w", "q", 4, workload -> workload.addAllPreemptionGates(ImmutableList.of("g", "h"))));
    }

    @Test
    void isParkedUntilAllAreOpen() {
      submit(made);
      assertThat(made.cycles(2)).containsExactly("pending [w AdmissionGated]", "");
      assertThat(made.engine.explain(id("w")).cause()).contains(PendingCause.ADMISSION_GATED);
      assertThat(made.cluster.reasonCodes("w")).containsExactly(ReasonCode.PREEMPTION_GATED);
      WorkloadStatus status = made.lifecycle.status(id("w"));
      assertThat(status.isTrue(ConditionType.BLOCKED_ON_PREEMPTION_GATES)).isTrue();

      made.lifecycle.setPreemptionGate(id("w"), "g", true);
      assertThat(made.cycle()).isEqualTo("pending [w AdmissionGated]");
      made.lifecycle.setPreemptionGate(id("w"), "h", true);
      assertThat(made.cycle())
          .isEqualTo("preempted [reservation for w], pending [w WaitingForPreemptedWorkloads]");
    }

    @Test
    void thatCanBeAdmittedIsNotKeptFromIt() {
      made.free("reservation");
      submit(made);

      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void withoutVictimsItHasNothingToWaitFor() {
      made.cluster.submit(made.cluster.job(
          "big", "q", 5, workload -> workload.addAllPreemptionGates(ImmutableList.of("g"))));

      assertThat(made.cycle()).isEqualTo("pending [big ExceedsMaxQuota]");
    }

    @Test
    void closesAtEveryEviction() {
      made.free("reservation");
      submit(made);
      made.cycle();
      made.lifecycle.setPreemptionGate(id("w"), "g", true);
      made.pass(10);
      made.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");

      assertThat(made.lifecycle.status(id("w")).preemptionGates())
          .containsExactly(new PreemptionGateState("g", false, Cluster.START.plusSeconds(10)));
    }

    @Test
    void blockedIsOverWhenQuotaIsReserved() {
      submit(made);
      made.cycle();
      made.free("reservation");
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
    void countOnlyWithTheFeatureGates() {
      FlavorsCluster off = cluster(FeatureGate.PRIORITY_BOOST);
      submit(off);
      assertThat(off.cycle()).contains("preempted [reservation for w]");

      FlavorsCluster on = cluster(FeatureGate.CONCURRENT_ADMISSION);
      submit(on);
      assertThat(on.cycle()).isEqualTo("pending [w AdmissionGated]");
    }

    @Test
    void stateSurvivesARestart() {
      Workload workload = submit(made);
      made.lifecycle.setPreemptionGate(id("w"), "g", true);
      made.lifecycle.setPreemptionGate(id("w"), "h", true);
      WorkloadStatus status = made.lifecycle.status(id("w"));
      made.engine.delete(id("w"));
      made.lifecycle.restore(workload, Optional.empty(), status);

      assertThat(made.cycle()).contains("preempted [reservation for w]");
    }
  }

  /** Rule F-9. */
  @Nested
  class AllowedFlavors {
    @Test
    void othersAreNotLookedAt() {
      FlavorsCluster made = new FlavorsCluster(FlavorsCluster.settings().build(), plainQueue());
      made.cluster.submit(made.cluster.job(
          "w", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("spot", "on-demand"))));

      assertThat(made.cycle()).isEqualTo("admitted [w on on-demand]");
    }

    @Test
    void noneLeftIsSaid() {
      FlavorsCluster made = new FlavorsCluster(FlavorsCluster.settings().build(), plainQueue());
      made.cluster.submit(made.cluster.job(
          "w", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("gold"))));

      assertThat(made.cycle()).isEqualTo("pending [w NoMatchingFlavor]");
      assertThat(made.engine.explain(id("w")).reasons())
          .extracting(reason -> reason.code() + " " + reason.flavor().orElse(""))
          .containsExactly(
              "FLAVOR_NOT_ALLOWED reservation",
              "FLAVOR_NOT_ALLOWED on-demand",
              "FLAVOR_NOT_ALLOWED spot");
    }

    @Test
    void countOnlyWithTheFeatureGate() {
      FlavorsCluster made = new FlavorsCluster(Settings.defaults(), plainQueue());
      made.cluster.submit(made.cluster.job(
          "w", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("spot"))));

      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
    }

    /**
     * Rules R-10 and U-15: a workload with fewer allowed flavors does not represent one with more.
     */
    @Test
    void whatIsAllowedIsPartOfTheShape() {
      FlavorsCluster made = new FlavorsCluster(FlavorsCluster.settings().build(), plainQueue());
      made.fill("reservation");
      made.cluster.submit(made.cluster.job(
          "a", "q", 4, workload -> workload.allowedFlavors(ImmutableList.of("reservation"))));
      made.submit("b");

      assertThat(made.cycles(2))
          .containsExactly("pending [a WaitingForQuota]", "admitted [b on on-demand]");
    }

    private ClusterQueue.Builder plainQueue() {
      return Cluster.openQueue("q")
          .cohort("c")
          .addResourceGroups(FlavorsCluster.group(4, FlavorsCluster.FLAVORS));
    }
  }

  /** Rule CA-5. */
  @Nested
  class OfVariants {
    private final FlavorsCluster made = FlavorsCluster.reclaiming(TRY_PREFERRED)
        .fill("reservation", "on-demand", "spot")
        .submit("w");

    @Test
    void theBestBlockedOneIsOpenedFirst() {
      assertThat(made.cycles(2))
          .containsExactly(
              "pending [w AdmissionGated]",
              "preempted [reservation for w], pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.tried("w")).isEqualTo("reservation! on-demand spot");
    }

    /** Rule U-10: while victims of the best variant stop, its queue waits for it. */
    @Test
    void whileItsVictimsStopTheOthersGetNoTurn() {
      made.cycles(2);
      made.pass(600);

      assertThat(made.cycles(3)).containsOnly("pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.tick()).isEmpty();
      assertThat(made.tried("w")).isEqualTo("reservation! on-demand spot");
    }

    @Test
    void victimsGoneItRunsThere() {
      made.cycles(2);
      made.stop("reservation");

      assertThat(made.cycle()).startsWith("admitted [w on reservation]");
      assertThat(made.tick()).isEmpty();
    }

    @Test
    void oneNotTriedYetStopsTheSearch() {
      FlavorsCluster other = FlavorsCluster.reclaiming(TRY_PREFERRED).fill("on-demand", "spot");
      other.cluster.run(other.cluster.job(
          "r", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("reservation"))));
      assertThat(other.flavor("r")).isEqualTo("reservation");
      other.submit("w");

      // Reservation is tried first and has no victims, so nothing keeps on-demand from the gate.
      assertThat(other.cycle()).isEqualTo("pending [w WaitingForQuota]");
      assertThat(other.tried("w")).isEqualTo("reservation on-demand spot");
      assertThat(other.cycle()).isEqualTo("pending [w AdmissionGated]");
      assertThat(other.tried("w")).isEqualTo("reservation on-demand! spot");
    }

    /** {@return a cluster in which the gate of on-demand was opened 100 seconds ago} */
    private static FlavorsCluster onDemandOpenAndSpotBlocked() {
      FlavorsCluster other = FlavorsCluster.reclaiming(TRY_PREFERRED).fill("on-demand", "spot");
      Workload first = other.cluster.job(
          "r", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("reservation")));
      other.cluster.run(first);
      other.submit("w");
      other.cycles(2);
      assertThat(other.tried("w")).isEqualTo("reservation on-demand! spot");
      other.pass(100);
      // The workload on on-demand cannot be preempted now, so spot is next.
      other.free("on-demand");
      other.cluster.run(other.cluster.job(
          "o", "q", 4, w -> w.priority(9).allowedFlavors(ImmutableList.of("on-demand"))));
      assertThat(other.cycles(5)).contains("pending [w AdmissionGated]");
      assertThat(other.tried("w")).isEqualTo("reservation on-demand! spot");
      return other;
    }

    @Test
    void aBetterOneThatIsNewIsTriedBeforeAnotherIsOpened() {
      FlavorsCluster other = onDemandOpenAndSpotBlocked();
      other.cluster.with(
          ResourceFlavor.of("gold"),
          ClusterQueue.builder()
              .from(other.cluster.view("q").spec())
              .resourceGroups(ImmutableList.of(FlavorsCluster.group(
                  4, ImmutableList.of("gold", "reservation", "on-demand", "spot"))))
              .build());

      assertThat(other.tick()).isEmpty();
      other.pass(1000);
      other.engine.tick();
      assertThat(other.tried("w")).isEqualTo("gold reservation on-demand! spot");
    }

    @Test
    void openingsKeepTheirDistance() {
      FlavorsCluster other = onDemandOpenAndSpotBlocked();
      assertThat(other.tick()).contains(200L);

      other.pass(199);
      assertThat(other.tick()).contains(1L);
      assertThat(other.tried("w")).doesNotContain("spot!");
      other.pass(1);
      assertThat(other.tick()).isEmpty();
      assertThat(other.tried("w")).isEqualTo("reservation on-demand! spot!");
      assertThat(other.cycle())
          .isEqualTo("preempted [spot for w], pending [w WaitingForPreemptedWorkloads]");
    }

    @Test
    void aRestartKeepsTheDistance() {
      made.cycles(1);
      Workload workload = workload(made);
      WorkloadStatus status = made.lifecycle.status(id("w"));
      made.engine.delete(id("w"));
      made.lifecycle.restore(workload, Optional.empty(), status);

      assertThat(made.tried("w")).isEqualTo("reservation! on-demand spot");
      assertThat(made.lifecycle.status(id("w"))).isEqualTo(status);
    }

    @Test
    void closedWhenTheWorkloadIsEvicted() {
      made.cycles(2);
      made.stop("reservation");
      made.cycle();
      made.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");
      made.stop("w");

      assertThat(made.tried("w")).isEqualTo("reservation on-demand spot");
    }

    private Workload workload(FlavorsCluster of) {
      return of.engine.inspect(
          state -> Objects.requireNonNull(state.record(id("w"))).workload());
    }

    @Test
    void ofAStoppedQueueNoneIsOpened() {
      made.cluster.with(ClusterQueue.builder()
          .from(made.cluster.view("q").spec())
          .stopPolicy(StopPolicy.HOLD)
          .build());
      made.cycle();

      assertThat(made.tried("w")).doesNotContain("!");
    }
  }
}
