package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.ConcurrentFlavors.RETAIN_FIRST;
import static io.kueue4j.core.ConcurrentFlavors.TRY_PREFERRED;
import static io.kueue4j.core.DecisionText.summary;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.ConcurrentAdmissionPolicy;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Workloads that try all flavors of their queue concurrently. */
class ConcurrentAdmissionTest {
  /** Rule CA-2. */
  @Nested
  class Variants {
    private final Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED).submit("w", "q", 4);

    @Test
    void thereIsOneForEachFlavor() {
      assertThat(made.workload("w").tried()).isEqualTo("reservation on-demand spot");
      assertThat(made.view("q").pending())
          .containsExactly(id("w[reservation]"), id("w[on-demand]"), id("w[spot]"));
      assertThat(made.engine.toString()).contains("workloads 1]");
      assertThat(made.usedByFlavor("q")).isEmpty();
    }

    @Test
    void theyCannotBeToldOfByTheirNames() {
      made.cycle();

      assertThat(made.engine.finish(id("w[reservation]")).removed()).isEmpty();
      assertThat(made.engine.release(id("w[reservation]")).removed()).isEmpty();
      assertThat(made.engine.admission(id("w[reservation]"))).isEmpty();
      assertThatThrownBy(() -> made.lifecycle.setActive(id("w[reservation]"), false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("w[reservation]");
      assertThat(made.engine.submit(made.job("w[reservation]", "q", 1)).result())
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
    void figuresNameTheWorkloadsThatHoldQuota() {
      made.cycle();
      made.fill("low", 4, "on-demand", "spot").submit("next", "q", 4).cycles(3);

      assertThat(made.engine.explain(id("next")).reasons())
          .extracting(reason ->
              reason.figures().orElseThrow().holders().get(0).workload().name())
          .containsExactly("w", "on-demand", "spot");
    }

    @Test
    void withTheGateOffThePolicyDoesNotCount() {
      Cluster off =
          ConcurrentFlavors.cluster(Settings.defaults(), ConcurrentFlavors.queue(TRY_PREFERRED));
      off.submit("w", "q", 4);

      assertThat(off.view("q").pending()).containsExactly(id("w"));
      assertThat(summary(off.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void elasticWorkloadsHaveNone() {
      made.submit(made.job("e", "q", 1, workload -> workload.elastic(true)));

      assertThat(made.view("q").pending()).contains(id("e"));
    }

    @Test
    void finishedTheyLeaveTogether() {
      made.cycle();
      assertThat(made.engine.finish(id("w")).removed()).isNotEmpty();

      assertThat(made.usedByFlavor("q")).isEmpty();
      assertThat(made.view("q").waitingCount()).isZero();
      assertThat(made.engine.submit(made.job("w", "q", 1)).result().workload()).isEqualTo(id("w"));
    }

    @Test
    void aFlavorInPlaceOfAnotherIsTried() {
      made.with(ResourceFlavor.of("new"));
      made.with(ConcurrentFlavors.queue(TRY_PREFERRED, ImmutableList.of("new", "on-demand", "spot"))
          .build());

      assertThat(made.workload("w").tried()).isEqualTo("new on-demand spot");
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on new]");
    }

    @Test
    void theyFollowTheFlavorsOfTheQueue() {
      made.fill("low", 4, "reservation").cycles(2);
      assertThat(made.workload("w").flavor()).isEqualTo("on-demand");

      made.with(ConcurrentFlavors.queue(TRY_PREFERRED, ImmutableList.of("spot", "reservation"))
          .build());

      assertThat(made.takeDecisions().evicted())
          .extracting(Eviction::workload, Eviction::reason)
          .containsExactly(tuple(id("w"), EvictionReason.FLAVOR_MIGRATION));
      assertThat(made.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(made.workload("w").tried()).isEqualTo("spot reservation on-demand");
      assertThat(summary(made.cycle())).doesNotContain("admitted");
      assertThat(made.podsStopped("w")).isTrue();
      assertThat(made.workload("w").tried()).isEqualTo("spot reservation");
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on spot]");
    }
  }

  /** Rules CA-3 and CA-4. */
  @Nested
  class Migration {
    @Test
    void theBestFlavorThatHasRoomIsTaken() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED)
          .fill("low", 4, "reservation")
          .submit("w", "q", 4);

      assertThat(made.cycles(2))
          .containsExactly("pending [w WaitingForQuota]", "admitted [w on on-demand]");
      assertThat(made.workload("w").tried()).startsWith("reservation").endsWith("on-demand");
      assertThat(made.usedByFlavor("q")).isEqualTo("on-demand 4");
      assertThat(made.lifecycle.status(id("w")).phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    }

    @Test
    void whenABetterOneIsFreeTheWorkloadMovesThere() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED)
          .fill("low", 4, "reservation", "on-demand")
          .submit("w", "q", 4);
      made.cycles(3);
      assertThat(made.workload("w").flavor()).isEqualTo("spot");

      made.finish("reservation");
      assertThat(summary(made.cycle()))
          .isEqualTo("evicted [w FlavorMigration], pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.usedByFlavor("q")).isEqualTo("spot 4");
      assertThat(summary(made.cycle())).isEqualTo("pending [w WaitingForPreemptedWorkloads]");
      assertThat(made.engine.explain(id("w")).isStopping()).isTrue();
      assertThat(made.podsStopped("w")).isTrue();
      assertThat(made.usedByFlavor("q")).isEmpty();
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 4");
      assertThat(made.workload("w").tried()).isEqualTo("reservation");
      assertThat(made.lifecycle.status(id("w")).evictions())
          .containsExactly(new EvictionCount(EvictionReason.FLAVOR_MIGRATION, Optional.empty(), 1));
      assertThat(made.lifecycle.status(id("w")).variants())
          .filteredOn(variant -> variant.flavor().equals("spot"))
          .singleElement()
          .returns(1, spot -> spot.status().evictions().get(0).count());
    }

    @Test
    void ifTheBetterOneIsGoneItComesBackToTheOther() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED)
          .fill("low", 4, "reservation", "on-demand")
          .submit("w", "q", 4);
      made.cycles(3);
      made.finish("reservation");
      made.cycle();
      made.fill("low", 4, "reservation");
      made.podsStopped("w");

      made.cycles(3);
      assertThat(made.workload("w").flavor()).isEqualTo("spot");
    }

    @Test
    void notBeyondTheLastAcceptableFlavor() {
      Cluster made = ConcurrentFlavors.cluster(ConcurrentAdmissionPolicy.upTo("reservation"))
          .fill("low", 4, "reservation", "on-demand")
          .submit("w", "q", 4);
      made.cycles(3);
      assertThat(made.workload("w").tried()).doesNotContain("on-demand");

      made.finish("on-demand");
      assertThat(made.cycles(3)).allMatch(cycle -> !cycle.contains("evicted"));
      made.finish("reservation");
      assertThat(summary(made.cycle())).contains("evicted [w FlavorMigration]");
    }

    @Test
    void retainedWhereItWasAdmittedFirst() {
      Cluster made =
          ConcurrentFlavors.cluster(RETAIN_FIRST).fill("low", 4, "reservation").submit("w", "q", 4);
      made.cycles(2);
      assertThat(made.workload("w").tried()).isEqualTo("on-demand");

      made.finish("reservation");
      assertThat(summary(made.cycle())).isEmpty();
      assertThat(made.workload("w").flavor()).isEqualTo("on-demand");
    }

    @Test
    void toldToStopAllFlavorsAreTriedAgain() {
      Cluster made =
          ConcurrentFlavors.cluster(RETAIN_FIRST).fill("low", 4, "reservation").submit("w", "q", 4);
      made.cycles(2);
      made.finish("reservation");

      assertThat(
              made.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad").evicted())
          .extracting(Eviction::workload)
          .containsExactly(id("w"));
      assertThat(made.workload("w").tried()).isEqualTo("on-demand");
      made.podsStopped("w");
      assertThat(made.lifecycle.status(id("w")).variants())
          .filteredOn(variant -> variant.flavor().equals("on-demand"))
          .singleElement()
          .returns(1, variant -> variant.status().evictions().get(0).count());

      assertThat(made.workload("w").tried()).isEqualTo("reservation on-demand spot");
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void outOfActionNoneIsTried() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED).submit("w", "q", 4);
      made.cycle();

      assertThat(made.lifecycle.setActive(id("w"), false).evicted())
          .extracting(Eviction::reason)
          .containsExactly(EvictionReason.DEACTIVATED);
      assertThat(made.workload("w").tried()).isEmpty();
      assertThat(made.usedByFlavor("q")).isEmpty();
      made.lifecycle.setActive(id("w"), true);
      assertThat(made.cycles(3)).allMatch(cycle -> !cycle.contains("admitted"));
      assertThat(made.podsStopped("w")).isTrue();
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void preemptedItIsReportedByItsOwnName() {
      Cluster made = ConcurrentFlavors.reclaiming(RETAIN_FIRST).submit("w", "q", 4);
      made.cycle();
      made.submit(made.job(
          "high",
          "q",
          4,
          workload -> workload.priority(5).allowedFlavors(ImmutableList.of("reservation"))));
      made.fill("low", 4, "on-demand", "spot");

      assertThat(made.cycles(4))
          .contains("preempted [w for high], pending [high WaitingForPreemptedWorkloads]");
      assertThat(made.engine.explain(id("w")).preemptedBy())
          .contains(new PreemptedBy(id("high"), "q"));
      assertThat(made.engine.lifecycle().preempted(id("w"))).isPresent();
      assertThat(made.podsStopped("w")).isTrue();
      made.cycle();
      made.finish("high");
      made.cycles(3);
      assertThat(made.workload("w").flavor()).isEqualTo("reservation");
      assertThat(made.engine.explain(id("w")).preemptedBy()).isEmpty();
    }

    @Test
    void updatesConcernAllVariants() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED);
      Workload workload = made.submit("w", "q", 4).job("w");
      made.engine.update(Cluster.changed(workload, w -> w.priority(7)));

      int priority =
          made.engine.inspect(state -> state.require(id("w[spot]")).workload().priority());
      assertThat(priority).isEqualTo(7);
      made.cycle();
      Workload other = Cluster.changed(workload, w -> w.priority(7).queueName("low"));
      assertThat(made.engine.update(other).result()).isInstanceOf(AdmissionResult.Rejected.class);
    }

    @Test
    void endedPodsOfTheWorkloadHaveEndedInAllVariants() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED);
      Workload workload = made.jobOf(
          "w",
          "q",
          w -> w.addPodSets(PodSet.builder().count(4).requestAmount("cpu", 1000).build()));
      made.submit(workload);
      made.reclaim("w", "main", 1);
      made.cycle();
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 3");
      made.reclaim("w", "main", 2);
      assertThat(made.usedByFlavor("q")).isEqualTo("reservation 2");

      Cluster after = ConcurrentFlavors.cluster(TRY_PREFERRED);
      after.lifecycle.restore(
          workload, made.engine.admission(id("w")), made.lifecycle.status(id("w")));
      assertThat(after.usedByFlavor("q")).isEqualTo("reservation 2");
    }

    @Test
    void aPendingOneThatGoesToAnotherQueueHasNoVariantsAnyMore() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED);
      Workload workload = made.submit("w", "q", 4).job("w");
      made.engine.update(Cluster.changed(workload, w -> w.queueName("low")));

      assertThat(made.view("q").waitingCount()).isZero();
      assertThat(made.view("low").pending()).containsExactly(id("w"));
    }

    @Test
    void drainedItStopsAndGoesOnWithItsQueue() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED).submit("w", "q", 4);
      made.cycle();
      ClusterQueue queue = made.view("q").spec();
      made.with(ClusterQueue.builder()
          .from(queue)
          .stopPolicy(StopPolicy.HOLD_AND_DRAIN)
          .build());
      assertThat(DecisionText.evictions(made.takeDecisions().evicted()))
          .containsExactly("w ClusterQueueStopped");
      made.podsStopped("w");
      assertThat(summary(made.cycle())).isEmpty();

      made.with(queue);
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
    }

    @Test
    void onHoldNoneIsTried() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED).submit("w", "q", 4);
      made.lifecycle.setOnHold(id("w"), true);
      assertThat(summary(made.cycle())).isEmpty();

      made.lifecycle.setOnHold(id("w"), false);
      assertThat(summary(made.cycle())).isEqualTo("admitted [w on reservation]");
    }
  }

  /** {@code tryAdmit}. */
  @Nested
  class TryAdmit {
    @Test
    void takesTheFirstFlavorThatFits() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED).fill("low", 4, "reservation");
      AdmissionResult result = made.engine.tryAdmit(made.job("w", "q", 4)).result();

      assertThat(result.workload()).isEqualTo(id("w"));
      assertThat(result.isAdmitted()).isTrue();
      assertThat(made.workload("w").flavor()).isEqualTo("on-demand");
      assertThat(made.takeDecisions().isEmpty()).isTrue();
      assertThat(made.workload("w").tried()).isEqualTo("reservation on-demand");
    }

    @Test
    void leavesNoTraceIfNoneDoes() {
      Cluster made = ConcurrentFlavors.reclaiming(TRY_PREFERRED)
          .fill("low", 4, "reservation", "on-demand", "spot");
      AdmissionResult result = made.engine.tryAdmit(made.job("w", "q", 4)).result();

      assertThat(result).isInstanceOf(AdmissionResult.Pending.class);
      assertThat(DecisionText.codes(((AdmissionResult.Pending) result).reasons()))
          .containsExactly(ReasonCode.PREEMPTION_GATED);
      assertThat(made.engine.finish(id("w")).removed()).isEmpty();
    }

    @Test
    void saysOfEachFlavorWhyNot() {
      Cluster made = ConcurrentFlavors.cluster(TRY_PREFERRED);
      AdmissionResult result = made.engine.tryAdmit(made.job("w", "q", 5)).result();

      assertThat(((AdmissionResult.Pending) result).reasons())
          .extracting(reason -> reason.flavor().orElse(""))
          .containsExactly("reservation", "on-demand", "spot");
    }
  }
}
