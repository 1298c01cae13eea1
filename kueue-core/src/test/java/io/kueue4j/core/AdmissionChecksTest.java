package io.kueue4j.core;

import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.LifecycleCluster.checkedQueue;
import static io.kueue4j.core.LifecycleCluster.evictions;
import static io.kueue4j.core.LifecycleCluster.names;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.RemedyKind;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionCause;
import io.kueue4j.core.model.EvictionCount;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSetUpdate;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.WorkloadPhase;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The states between the reservation of quota and the admission; rules M-12, L-5, L-6, L-7, L-8,
 * S-4.
 */
class AdmissionChecksTest {
  private final LifecycleCluster c = LifecycleCluster.checking("budget", "nodes");

  @Test
  void quotaIsHeldWhileChecksArePending() {
    c.cluster.submit("w", "q", 4);

    assertThat(c.cycle()).isEqualTo("reserved [w]");
    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.QUOTA_RESERVED);
    assertThat(c.checks("w")).isEqualTo("budget Pending, nodes Pending");
    assertThat(c.cluster.used("q")).isEqualTo(4);
    assertThat(c.cluster.view("q").reserving()).containsExactly(id("w"));
    assertThat(c.condition("w", ConditionType.QUOTA_RESERVED)).isEqualTo("True QuotaReserved @0");
    assertThat(c.condition("w", ConditionType.ADMITTED))
        .isEqualTo("False UnsatisfiedAdmissionChecks @0");
    assertThat(c.cluster.reasonCodes("w"))
        .containsExactly(ReasonCode.CHECK_NOT_READY, ReasonCode.CHECK_NOT_READY);
  }

  @Test
  void theLastCheckAdmits() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.pass(5);

    assertThat(c.check("w", "budget", CheckState.READY).isEmpty()).isTrue();
    c.pass(5);
    assertThat(names(c.check("w", "nodes", CheckState.READY).admitted())).containsExactly("w");

    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.ADMITTED);
    assertThat(c.condition("w", ConditionType.ADMITTED)).isEqualTo("True Admitted @10");
    assertThat(c.condition("w", ConditionType.QUOTA_RESERVED)).isEqualTo("True QuotaReserved @0");
    assertThat(c.cluster.view("q").reserving()).isEmpty();
    assertThat(c.cycle()).isEmpty();
  }

  @Test
  void tryAdmitTellsWhatIsMissing() {
    AdmissionResult result = c.engine.tryAdmit(c.cluster.job("w", "q", 4));

    assertThat(result).isInstanceOf(AdmissionResult.Reserved.class);
    assertThat(result.isAdmitted()).isFalse();
    assertThat(((AdmissionResult.Reserved) result).reasons())
        .extracting(reason -> reason.message())
        .first()
        .asString()
        .contains("budget is in state Pending");
  }

  @Test
  void anExplanationLooksForQuotaAndNotForChecks() {
    c.cluster.submit("w", "q", 12);
    c.cycle();

    assertThat(c.engine.explain(id("w")).remedy().orElseThrow().kind())
        .isEqualTo(RemedyKind.RAISE_NOMINAL_QUOTA);
  }

  @Test
  void aTransitionCountsFromWhenItIsToldAndASecondTimeDoesNot() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.pass(3);
    c.check("w", "budget", CheckState.READY);
    c.pass(3);
    c.lifecycle.setCheck(
        id("w"),
        AdmissionCheckState.builder()
            .name("budget")
            .state(CheckState.READY)
            .message("said again")
            .retryCount(9)
            .build());

    AdmissionCheckState budget = c.status("w").admissionCheck("budget").orElseThrow();
    assertThat(budget.lastTransitionTime()).isEqualTo(Cluster.START.plusSeconds(3));
    assertThat(budget.message()).isEqualTo("said again");
    assertThat(budget.retryCount()).isZero();
  }

  @Test
  void aCheckThatIsNotAskedForIsNoneOfItsConcern() {
    c.cluster.submit("w", "q", 4);
    c.cycle();

    assertThat(c.check("w", "other", CheckState.REJECTED).isEmpty()).isTrue();
    assertThat(c.checks("w")).isEqualTo("budget Pending, nodes Pending");
  }

  @Test
  void workloadsInNoQueueFollowTheChecksOfTheirClusterQueue() {
    Cluster cluster = c.cluster;
    cluster.with(
        new LocalQueue(Cluster.NAMESPACE, "stopped", "q", StopPolicy.HOLD, FairSharing.DEFAULT));
    cluster.submit(cluster.job("inactive", "q", 1, w -> w.active(false)));
    cluster.submit("held", "q", 1);
    c.lifecycle.setOnHold(id("held"), true);
    cluster.submit("of-stopped", "stopped", 1);
    cluster.submit("queued", "q", 1);
    List<String> all = List.of("inactive", "held", "of-stopped", "queued");
    assertThat(all)
        .allSatisfy(name -> assertThat(c.checks(name)).isEqualTo("budget Pending, nodes Pending"));
    AdmissionEngine study = c.engine.view().whatIf();

    c.engine.apply(checkedQueue("nodes", "quality").build());
    assertThat(all)
        .allSatisfy(name -> assertThat(c.checks(name)).isEqualTo("nodes Pending, quality Pending"));

    c.engine.remove(ClusterQueue.class, "q");
    assertThat(all).allSatisfy(name -> assertThat(c.checks(name)).isEmpty());

    study.apply(checkedQueue("quality").build());
    assertThat(all)
        .allSatisfy(name -> assertThat(study.lifecycle().status(id(name)).admissionChecks())
            .extracting(AdmissionCheckState::name)
            .containsExactly("quality"));
    study.remove(ClusterQueue.class, "q");
    assertThat(all)
        .allSatisfy(name ->
            assertThat(study.lifecycle().status(id(name)).admissionChecks()).isEmpty());
  }

  @Test
  void oneThatIsNotReadyAnyMoreSuspends() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.check("w", "budget", CheckState.READY);
    c.check("w", "nodes", CheckState.READY);
    c.pass(100);

    assertThat(c.check("w", "nodes", CheckState.PENDING).suspended()).containsExactly(id("w"));

    assertThat(c.phase("w")).isEqualTo(WorkloadPhase.QUOTA_RESERVED);
    assertThat(c.status("w").accumulatedPastExecutionTime()).hasSeconds(100);
    assertThat(c.cluster.used("q")).isEqualTo(4);
  }

  @Nested
  class Required {
    private final LifecycleCluster two = twoFlavors();

    private LifecycleCluster twoFlavors() {
      LifecycleCluster made = LifecycleCluster.plain(Settings.defaults());
      made.cluster.with(
          ResourceFlavor.of("spot"),
          AdmissionCheck.of("all", "x"),
          AdmissionCheck.of("some", "x"),
          AdmissionCheck.of("both", "x"));
      made.cluster.with(queue(
          new AdmissionCheckRule("some", ImmutableList.of("spot")),
          new AdmissionCheckRule("both", ImmutableList.of("spot", "default")),
          new AdmissionCheckRule("all", ImmutableList.of())));
      return made;
    }

    private ClusterQueue queue(AdmissionCheckRule... rules) {
      return Cluster.openQueue("q")
          .addResourceGroups(ResourceGroup.of(
              FlavorQuotas.of("default", ResourceQuota.ofAmount("cpu", 4000)),
              FlavorQuotas.of("spot", ResourceQuota.ofAmount("cpu", 9000))))
          .admissionChecks(ImmutableList.copyOf(rules))
          .build();
    }

    @Test
    void beforeAnAdmissionThoseForAllFlavors() {
      two.cluster.submit("w", "q", 4);

      assertThat(two.checks("w")).isEqualTo("all Pending, both Pending");
    }

    @Test
    void withOneThoseOfItsFlavors() {
      two.cluster.submit("w", "q", 4);
      two.cluster.submit("large", "q", 9);
      two.cycle();
      two.cycle();

      assertThat(two.checks("w")).isEqualTo("all Pending, both Pending");
      assertThat(two.checks("large")).isEqualTo("all Pending, both Pending, some Pending");
    }

    @Test
    void aCheckThatIsDroppedMayAdmitAndOneThatIsAddedSuspend() {
      two.cluster.submit("w", "q", 4);
      two.cycle();
      two.check("w", "both", CheckState.READY);

      two.cluster.with(queue(new AdmissionCheckRule("both", ImmutableList.of())));

      assertThat(names(two.takeDecisions().admitted())).containsExactly("w");
      assertThat(two.checks("w")).isEqualTo("both Ready");

      two.cluster.with(queue(
          new AdmissionCheckRule("both", ImmutableList.of()),
          new AdmissionCheckRule("all", ImmutableList.of())));

      assertThat(two.cycle()).isEqualTo("suspended [ns/w]");
      assertThat(two.checks("w")).isEqualTo("all Pending, both Ready");
    }
  }

  @Nested
  class Retry {
    @Test
    void makesItStopAndWait() {
      c.cluster.submit("w", "q", 4);
      c.cycle();
      c.pass(10);

      assertThat(evictions(c.retry("w", "nodes", Duration.ofSeconds(30)).evicted()))
          .containsExactly("w AdmissionCheck");

      assertThat(c.cluster.used("q")).isEqualTo(4);
      assertThat(c.checks("w")).isEqualTo("budget Pending, nodes Pending");
      assertThat(c.status("w").admissionCheck("nodes").orElseThrow().retryCount())
          .isEqualTo(1);
      assertThat(c.status("w").admissionCheck("nodes").orElseThrow().message())
          .isEqualTo("Reset to Pending after eviction. Previously: Retry");
      assertThat(c.status("w").requeueAt()).hasValue(Cluster.START.plusSeconds(40));

      c.pass(5);
      c.stop("w");
      assertThat(c.cluster.used("q")).isZero();
      assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("False AdmissionCheck @15");
      assertThat(c.cycle()).isEmpty();
      assertThat(c.tick()).hasValue(25L);

      c.pass(25);
      assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("True BackoffFinished @40");
      assertThat(c.status("w").requeueAt()).isEmpty();
      assertThat(c.cycle()).isEqualTo("reserved [w]");
      assertThat(c.condition("w", ConditionType.EVICTED)).isEqualTo("False QuotaReserved @40");
    }

    @Test
    void withoutDelayIsAtOnce() {
      c.cluster.submit("w", "q", 4);
      c.cycle();
      c.check("w", "nodes", CheckState.RETRY);
      c.pass(7);
      c.stop("w");

      assertThat(c.condition("w", ConditionType.REQUEUED)).isEqualTo("True BackoffFinished @7");
      assertThat(c.cycle()).isEqualTo("reserved [w]");
    }

    @Test
    void neverComesSoonerThanItWasToBefore() {
      c.cluster.submit("w", "q", 4);
      c.cycle();
      c.retry("w", "nodes", Duration.ofSeconds(100));
      c.stop("w");
      WorkloadStatus unused = c.lifecycle.status(id("w"));
      c.pass(10);
      AdmissionResult unused2 = c.engine.tryAdmit(c.cluster.job("other", "q", 1));

      // Someone admits it in spite of its backoff; the next retry asks for less.
      AdmissionResult unused3 =
          c.engine.tryAdmit(c.engine.inspect(state -> state.require(id("w")).workload()));
      c.retry("w", "nodes", Duration.ofSeconds(1));

      assertThat(c.status("w").requeueAt()).hasValue(Cluster.START.plusSeconds(100));
    }

    @Test
    void goesBehindThoseThatCameBeforeItStopped() {
      c.cluster.submit("w", "q", 10);
      c.cycle();
      c.cluster.submit("later", "q", 10);
      c.pass(60);
      c.check("w", "nodes", CheckState.RETRY);
      c.stop("w");

      assertThat(c.cluster.pending("q")).containsExactly("later", "w");
    }

    @Test
    void ofAPendingWorkloadKeepsItFromBeingLookedAt() {
      c.cluster.submit("first", "q", 10);
      c.cycle();
      c.cluster.submit("w", "q", 10);
      c.check("w", "nodes", CheckState.RETRY);
      c.engine.finish(id("first"));

      AdmissionResult.Pending pending = c.engine.runCycle().pending().get(0);

      assertThat(pending.cause()).isEqualTo(PendingCause.PENDING_EVALUATION);
      assertThat(pending.reasons().get(0).code()).isEqualTo(ReasonCode.CHECK_NOT_READY);
    }
  }

  @Test
  void rejectionDeactivatesWhateverElseIsToBeRetried() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    c.cluster.submit("next", "q", 10);

    assertThat(evictions(c.check("w", "budget", CheckState.REJECTED).evicted()))
        .containsExactly("w Deactivated/AdmissionCheck");

    assertThat(c.condition("w", ConditionType.EVICTED))
        .isEqualTo("True DeactivatedDueToAdmissionCheck @0");
    assertThat(c.status("w").evictions())
        .containsExactly(new EvictionCount(
            EvictionReason.DEACTIVATED, Optional.of(EvictionCause.ADMISSION_CHECK), 1));
    assertThat(c.cluster.used("q")).isZero();
    assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);
    assertThat(c.cycle()).isEqualTo("reserved [next]");
  }

  @Test
  void whatChecksWantOfPodsIsKeptUntilItStops() {
    c.cluster.submit("w", "q", 4);
    c.cycle();
    PodSetUpdate update = PodSetUpdate.builder()
        .name("main")
        .putLabels("team", "x")
        .putAnnotations("a", "b")
        .build();
    c.lifecycle.setCheck(
        id("w"),
        AdmissionCheckState.builder()
            .name("nodes")
            .state(CheckState.READY)
            .addPodSetUpdates(update)
            .build());

    assertThat(c.status("w").admissionCheck("nodes").orElseThrow().podSetUpdates())
        .containsExactly(update);

    c.check("w", "budget", CheckState.RETRY);
    assertThat(c.status("w").admissionCheck("nodes").orElseThrow().podSetUpdates())
        .isEmpty();
  }

  @Nested
  class Inactivity {
    private void isInactiveFor(String reason) {
      assertThat(c.cluster.view("q").inactivity().orElseThrow()).startsWith(reason + ":");
    }

    @Test
    void aCheckThatIsMissingOrInactiveStopsTheQueueUntilItIsThere() {
      c.cluster.submit("w", "q", 4);
      c.engine.remove(AdmissionCheck.class, "nodes");
      isInactiveFor("AdmissionCheckNotFound");
      assertThat(c.cycle()).isEmpty();

      c.cluster.with(new AdmissionCheck("nodes", "controller", false));
      isInactiveFor("AdmissionCheckInactive");
      assertThat(c.cycle()).isEmpty();

      c.cluster.with(AdmissionCheck.of("nodes", "controller"));
      assertThat(c.cluster.view("q").isActive()).isTrue();
      assertThat(c.cycle()).isEqualTo("reserved [w]");
    }

    @Test
    void oneMultiKueueCheckForAllFlavorsAndNoProvisioningBesideIt() {
      c.cluster.with(
          AdmissionCheck.of("budget", AdmissionCheck.MULTI_KUEUE),
          AdmissionCheck.of("nodes", AdmissionCheck.MULTI_KUEUE));
      isInactiveFor("MultipleMultiKueueAdmissionChecks");

      c.cluster.with(AdmissionCheck.of("nodes", AdmissionCheck.PROVISIONING_REQUEST));
      isInactiveFor("MultiKueueWithProvisioningRequest");

      c.cluster.with(
          ResourceFlavor.of("spot"),
          checkedQueue()
              .addResourceGroups(
                  ResourceGroup.of(FlavorQuotas.of("spot", ResourceQuota.ofAmount("gpu", 4))))
              .admissionChecks(
                  ImmutableList.of(new AdmissionCheckRule("budget", ImmutableList.of("spot"))))
              .build());
      isInactiveFor("MultiKueueAdmissionCheckAppliedPerFlavor");
    }
  }
}
