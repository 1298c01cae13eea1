package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.FlavorsCluster.RETAIN_FIRST;
import static io.kueue4j.core.FlavorsCluster.TRY_PREFERRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.PreemptedBy;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.EvictionCount;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadPhase;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Workloads that try all flavors of their queue concurrently. */
class ConcurrentAdmissionTest {
  /** Rule CA-2. */
  @Nested
  class Variants {
    private final FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).submit("w");

    @Test
    void thereIsOneForEachFlavor() {
      assertThat(made.tried("w")).isEqualTo("reservation on-demand spot");
      assertThat(made.cluster.view("q").pending())
          .containsExactly(id("w[reservation]"), id("w[on-demand]"), id("w[spot]"));
      assertThat(made.engine.toString()).contains("workloads 1]");
      assertThat(made.used()).isEmpty();
    }

    @Test
    void theyCannotBeToldOfByTheirNames() {
      made.cycle();

      assertThat(made.engine.finish(id("w[reservation]"))).isFalse();
      assertThat(made.engine.release(id("w[reservation]"))).isFalse();
      assertThat(made.engine.admission(id("w[reservation]"))).isEmpty();
      assertThat(made.engine.admissionRecorded(id("w[reservation]"))).isFalse();
      assertThat(made.engine.admissionRecorded(id("w"))).isTrue();
      assertThatThrownBy(() -> made.lifecycle.setActive(id("w[reservation]"), false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("w[reservation]");
      assertThat(made.engine.submit(made.cluster.job("w[reservation]", "q", 1)))
          .isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    void eachIsExplained() {
      made.cycle();
      Explanation why = made.engine.explain(id("w"));

      assertThat(why.admission()).isPresent();
      assertThat(why.variants()).hasSize(3);
      assertThat(why.variants().get(0).explanation().workload()).isEqualTo(id("w[reservation]"));
      assertThat(why.variants().get(0).explanation().admission()).isPresent();
      assertThat(why.variants().get(1).explanation().reasons())
          .extracting(reason -> reason.code())
          .containsExactly(ReasonCode.DEACTIVATED);
    }

    @Test
    void withTheGateOffThePolicyDoesNotCount() {
      FlavorsCluster off =
          new FlavorsCluster(Settings.defaults(), FlavorsCluster.queue(TRY_PREFERRED));
      off.submit("w");

      assertThat(off.cluster.view("q").pending()).containsExactly(id("w"));
      assertThat(off.cycle()).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void elasticWorkloadsHaveNone() {
      made.cluster.submit(made.cluster.job("e", "q", 1, workload -> workload.elastic(true)));

      assertThat(made.cluster.view("q").pending()).contains(id("e"));
    }

    @Test
    void finishedTheyLeaveTogether() {
      made.cycle();
      assertThat(made.engine.finish(id("w"))).isTrue();

      assertThat(made.used()).isEmpty();
      assertThat(made.cluster.view("q").waitingCount()).isZero();
      assertThat(made.engine.submit(made.cluster.job("w", "q", 1)).workload()).isEqualTo(id("w"));
    }

    @Test
    void theyFollowTheFlavorsOfTheQueue() {
      made.fill("reservation").cycles(2);
      assertThat(made.flavor("w")).isEqualTo("on-demand");

      made.cluster.with(FlavorsCluster.queue(TRY_PREFERRED, ImmutableList.of("spot", "reservation"))
          .build());

      assertThat(made.takeDecisions().evicted())
          .extracting(Eviction::workload, Eviction::reason)
          .containsExactly(tuple(id("w"), EvictionReason.FLAVOR_MIGRATION));
      assertThat(made.used()).isEqualTo("on-demand 4");
      assertThat(made.cycle()).doesNotContain("admitted");
      assertThat(made.stop("w")).isTrue();
      assertThat(made.tried("w")).isEqualTo("spot reservation");
      assertThat(made.cycle()).isEqualTo("admitted [w on spot]");
    }
  }

  /** Rules CA-3 and CA-4. */
  @Nested
  class Migration {
    @Test
    void theBestFlavorThatHasRoomIsTaken() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).fill("reservation").submit("w");

      assertThat(made.cycles(2))
          .containsExactly("pending [w WaitingForQuota]", "admitted [w on on-demand]");
      assertThat(made.tried("w")).startsWith("reservation").endsWith("on-demand");
      assertThat(made.used()).isEqualTo("on-demand 4");
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadPhase.ADMITTED);
    }

    @Test
    void whenABetterOneIsFreeTheWorkloadMovesThere() {
      FlavorsCluster made =
          FlavorsCluster.of(TRY_PREFERRED).fill("reservation", "on-demand").submit("w");
      made.cycles(3);
      assertThat(made.flavor("w")).isEqualTo("spot");

      made.free("reservation");
      assertThat(made.cycle())
          .isEqualTo("evicted [w FlavorMigration], pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.used()).isEqualTo("spot 4");
      assertThat(made.cycle()).isEqualTo("pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.engine.explain(id("w")).isStopping()).isTrue();
      assertThat(made.stop("w")).isTrue();
      assertThat(made.used()).isEmpty();
      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
      assertThat(made.used()).isEqualTo("reservation 4");
      assertThat(made.tried("w")).isEqualTo("reservation");
      assertThat(made.lifecycle.status(id("w")).evictions())
          .containsExactly(new EvictionCount(EvictionReason.FLAVOR_MIGRATION, Optional.empty(), 1));
    }

    @Test
    void shouldTheBetterOneBeGoneMeanwhileItComesBackToTheOtherOne() {
      FlavorsCluster made =
          FlavorsCluster.of(TRY_PREFERRED).fill("reservation", "on-demand").submit("w");
      made.cycles(3);
      made.free("reservation");
      made.cycle();
      made.fill("reservation");
      made.stop("w");

      made.cycles(3);
      assertThat(made.flavor("w")).isEqualTo("spot");
    }

    @Test
    void notBeyondTheLastAcceptableFlavor() {
      FlavorsCluster made = FlavorsCluster.of(ConcurrentAdmissionPolicy.upTo("reservation"))
          .fill("reservation", "on-demand")
          .submit("w");
      made.cycles(3);
      assertThat(made.tried("w")).doesNotContain("on-demand");

      made.free("on-demand");
      assertThat(made.cycles(3)).allMatch(cycle -> !cycle.contains("evicted"));
      made.free("reservation");
      assertThat(made.cycle()).contains("evicted [w FlavorMigration]");
    }

    @Test
    void retainedWhereItWasAdmittedFirst() {
      FlavorsCluster made = FlavorsCluster.of(RETAIN_FIRST).fill("reservation").submit("w");
      made.cycles(2);
      assertThat(made.tried("w")).isEqualTo("on-demand");

      made.free("reservation");
      assertThat(made.cycle()).isEmpty();
      assertThat(made.flavor("w")).isEqualTo("on-demand");
    }

    @Test
    void toldToStopAllFlavorsAreTriedAgain() {
      FlavorsCluster made = FlavorsCluster.of(RETAIN_FIRST).fill("reservation").submit("w");
      made.cycles(2);
      made.free("reservation");

      assertThat(
              made.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad").evicted())
          .extracting(Eviction::workload)
          .containsExactly(id("w"));
      assertThat(made.tried("w")).isEqualTo("on-demand");
      made.stop("w");

      assertThat(made.tried("w")).isEqualTo("reservation on-demand spot");
      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void outOfActionNoneIsTried() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).submit("w");
      made.cycle();

      assertThat(made.lifecycle.setActive(id("w"), false).evicted())
          .extracting(Eviction::reason)
          .containsExactly(EvictionReason.DEACTIVATED);
      assertThat(made.tried("w")).isEmpty();
      assertThat(made.used()).isEmpty();
      made.lifecycle.setActive(id("w"), true);
      assertThat(made.cycles(3)).allMatch(cycle -> !cycle.contains("admitted"));
      assertThat(made.stop("w")).isTrue();
      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void preemptedItIsToldByItsOwnName() {
      FlavorsCluster made = FlavorsCluster.reclaiming(RETAIN_FIRST).submit("w");
      made.cycle();
      made.cluster.submit(made.cluster.job(
          "high",
          "q",
          4,
          workload -> workload.priority(5).allowedFlavors(ImmutableList.of("reservation"))));
      made.fill("on-demand", "spot");

      assertThat(made.cycles(4))
          .contains("preempted [w for high], pending [high WaitingForPreemptedWorkloads]");
      assertThat(made.engine.explain(id("w")).preemptedBy())
          .contains(new PreemptedBy(id("high"), "q"));
      assertThat(made.engine.preempted(id("w"))).isPresent();
      assertThat(made.stop("w")).isTrue();
    }

    @Test
    void updatesConcernAllVariants() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED);
      Workload workload = made.cluster.submit("w", "q", 4).job("w");
      made.engine.update(Cluster.changed(workload, w -> w.priority(7)));

      int priority =
          made.engine.inspect(state -> state.require(id("w[spot]")).workload().priority());
      assertThat(priority).isEqualTo(7);
      made.cycle();
      Workload other = Cluster.changed(workload, w -> w.priority(7).queueName("low"));
      assertThat(made.engine.update(other)).isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    void aPendingOneThatGoesToAnotherQueueHasNoVariantsAnyMore() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED);
      Workload workload = made.cluster.submit("w", "q", 4).job("w");
      made.engine.update(Cluster.changed(workload, w -> w.queueName("low")));

      assertThat(made.cluster.view("q").waitingCount()).isZero();
      assertThat(made.cluster.view("low").pending()).containsExactly(id("w"));
    }

    @Test
    void drainedItStopsAndGoesOnWithItsQueue() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).submit("w");
      made.cycle();
      ClusterQueue queue = made.cluster.view("q").spec();
      made.cluster.with(ClusterQueue.builder()
          .from(queue)
          .stopPolicy(StopPolicy.HOLD_AND_DRAIN)
          .build());
      assertThat(DecisionText.evictions(made.takeDecisions().evicted()))
          .containsExactly("w ClusterQueueStopped");
      made.stop("w");
      assertThat(made.cycle()).isEmpty();

      made.cluster.with(queue);
      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void onHoldNoneIsTried() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).submit("w");
      made.lifecycle.setOnHold(id("w"), true);
      assertThat(made.cycle()).isEmpty();

      made.lifecycle.setOnHold(id("w"), false);
      assertThat(made.cycle()).isEqualTo("admitted [w on reservation]");
    }
  }

  /** {@code tryAdmit}. */
  @Nested
  class TryAdmit {
    @Test
    void takesTheFirstFlavorThatFits() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED).fill("reservation");
      AdmissionResult result = made.engine.tryAdmit(made.cluster.job("w", "q", 4));

      assertThat(result.workload()).isEqualTo(id("w"));
      assertThat(result.isAdmitted()).isTrue();
      assertThat(made.flavor("w")).isEqualTo("on-demand");
      assertThat(made.takeDecisions().isEmpty()).isTrue();
      assertThat(made.tried("w")).isEqualTo("reservation on-demand");
    }

    @Test
    void leavesNoTraceIfNoneDoes() {
      FlavorsCluster made =
          FlavorsCluster.reclaiming(TRY_PREFERRED).fill("reservation", "on-demand", "spot");
      AdmissionResult result = made.engine.tryAdmit(made.cluster.job("w", "q", 4));

      assertThat(result).isInstanceOf(AdmissionResult.Pending.class);
      assertThat(DecisionText.codes(((AdmissionResult.Pending) result).reasons()))
          .containsExactly(ReasonCode.PREEMPTION_GATED);
      assertThat(made.engine.finish(id("w"))).isFalse();
    }

    @Test
    void saysOfEachFlavorWhyNot() {
      FlavorsCluster made = FlavorsCluster.of(TRY_PREFERRED);
      AdmissionResult result = made.engine.tryAdmit(made.cluster.job("w", "q", 5));

      assertThat(((AdmissionResult.Pending) result).reasons())
          .extracting(reason -> reason.flavor().orElse(""))
          .containsExactly("reservation", "on-demand", "spot");
    }
  }
}
