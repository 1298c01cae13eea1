package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.evictions;
import static io.kueue4j.core.DecisionText.names;
import static io.kueue4j.core.DecisionText.summary;
import static io.kueue4j.core.Queues.checkedQueue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.AdmissionCheckState.PodSetUpdate;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.EvictionReason.EvictionCause;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.model.WorkloadStatus.EvictionCount;
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
  private final Cluster c = Queues.checkedCluster("budget", "nodes");

  @Test
  void quotaIsHeldWhileChecksArePending() {
    c.submit("w", "q", 4);

    assertThat(summary(c.cycle())).isEqualTo("reserved [w]");
    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.QUOTA_RESERVED);
    assertThat(c.workload("w").checks()).isEqualTo("budget Pending, nodes Pending");
    assertThat(c.used("q")).isEqualTo(4);
    assertThat(c.view("q").reserving()).containsExactly(id("w"));
    assertThat(c.workload("w").condition(ConditionType.QUOTA_RESERVED))
        .isEqualTo("True QuotaReserved @0");
    assertThat(c.workload("w").condition(ConditionType.ADMITTED))
        .isEqualTo("False UnsatisfiedAdmissionChecks @0");
    assertThat(c.workload("w").reasonCodes())
        .containsExactly(ReasonCode.CHECK_NOT_READY, ReasonCode.CHECK_NOT_READY);
  }

  @Test
  void theLastCheckAdmits() {
    c.submit("w", "q", 4);
    c.cycle();
    c.advanceSeconds(5);

    assertThat(c.workload("w").check("budget", CheckState.READY).isEmpty()).isTrue();
    assertThat(c.engine.explain(id("w")).reasons())
        .extracting(reason -> reason.message())
        .containsExactly("admission check nodes is in state Pending");
    c.advanceSeconds(5);
    assertThat(names(c.workload("w").check("nodes", CheckState.READY).admitted()))
        .containsExactly("w");

    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.ADMITTED);
    assertThat(c.workload("w").condition(ConditionType.ADMITTED)).isEqualTo("True Admitted @10");
    assertThat(c.workload("w").condition(ConditionType.QUOTA_RESERVED))
        .isEqualTo("True QuotaReserved @0");
    assertThat(c.view("q").reserving()).isEmpty();
    assertThat(summary(c.cycle())).isEmpty();
  }

  @Test
  void withoutItsChecksAWorkloadThatStopsIsNotAdmitted() {
    c.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");
    c.with(Queues.checkedQueue());

    assertThat(summary(c.takeDecisions())).doesNotContain("admitted");
    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.QUOTA_RESERVED);
    assertThat(c.workload("w").checks()).isEqualTo("budget Pending, nodes Pending");
  }

  @Test
  void aHoldDoesNotFreeTheQuotaOfWhatStops() {
    c.submit("w", "q", 4);
    c.cycle();
    c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");
    c.lifecycle.setOnHold(id("w"), true);

    assertThat(c.used("q")).isEqualTo(4);
    assertThat(c.podsStopped("w")).isTrue();
  }

  @Test
  void whatHasStoppedHasNoMoreTheChecksOfItsFlavor() {
    c.with(ResourceFlavor.of("other"));
    c.with(Queues.queue("q", 10)
        .addResourceGroups(
            ResourceGroup.of(FlavorQuotas.of("other", ResourceQuota.ofAmount("gpu", 1))))
        .addAdmissionChecks(
            new AdmissionCheckRule("budget", ImmutableList.of()),
            new AdmissionCheckRule("nodes", ImmutableList.of(FLAVOR))));
    c.submit("w", "q", 4);
    c.cycle();
    assertThat(c.workload("w").checks()).isEqualTo("budget Pending, nodes Pending");

    c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");
    c.stop("w");

    assertThat(c.workload("w").checks()).isEqualTo("budget Pending");
  }

  @Test
  void aPendingWorkloadThatGoesToAnotherQueueHasItsChecks() {
    c.with(Queues.queue("r", 1)).submit("w", "q", 4);
    assertThat(c.workload("w").checks()).isEqualTo("budget Pending, nodes Pending");

    c.engine.update(Cluster.changed(c.job("w"), workload -> workload.queueName("r")));

    assertThat(c.workload("w").checks()).isEmpty();
  }

  @Test
  void tryAdmitTellsWhatIsMissing() {
    AdmissionResult result = c.engine.tryAdmit(c.job("w", "q", 4)).result();

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
    c.submit("w", "q", 12);
    c.cycle();

    assertThat(c.engine.explain(id("w")).remedy().orElseThrow().kind())
        .isEqualTo(Remedy.Kind.RAISE_NOMINAL_QUOTA);
  }

  @Test
  void aTransitionCountsFromItsFirstReport() {
    c.submit("w", "q", 4);
    c.cycle();
    c.advanceSeconds(3);
    c.workload("w").check("budget", CheckState.READY);
    c.advanceSeconds(3);
    c.lifecycle.setCheck(
        id("w"),
        AdmissionCheckState.builder()
            .name("budget")
            .state(CheckState.READY)
            .message("said again")
            .retryCount(9)
            .build());

    AdmissionCheckState budget =
        c.workload("w").status().admissionCheck("budget").orElseThrow();
    assertThat(budget.lastTransitionTime()).isEqualTo(Cluster.START.plusSeconds(3));
    assertThat(budget.message()).isEqualTo("said again");
    assertThat(budget.retryCount()).isZero();
  }

  @Test
  void aCheckThatIsNotAskedForIsNoneOfItsConcern() {
    c.submit("w", "q", 4);
    c.cycle();

    assertThat(c.workload("w").check("other", CheckState.REJECTED).isEmpty()).isTrue();
    assertThat(c.workload("w").checks()).isEqualTo("budget Pending, nodes Pending");
  }

  @Test
  void workloadsInNoQueueFollowTheChecksOfTheirClusterQueue() {
    c.with(LocalQueue.builder()
        .namespace(Cluster.NAMESPACE)
        .name("stopped")
        .clusterQueue("q")
        .stopPolicy(StopPolicy.HOLD)
        .build());
    c.submit(c.job("inactive", "q", 1, w -> w.active(false)));
    c.submit("held", "q", 1);
    c.lifecycle.setOnHold(id("held"), true);
    c.submit("of-stopped", "stopped", 1);
    c.submit("queued", "q", 1);
    List<String> all = List.of("inactive", "held", "of-stopped", "queued");
    assertThat(all)
        .allSatisfy(name ->
            assertThat(c.workload(name).checks()).isEqualTo("budget Pending, nodes Pending"));
    AdmissionEngine study = c.engine.view().whatIf();

    c.engine.apply(checkedQueue("nodes", "quality").build());
    assertThat(all)
        .allSatisfy(name ->
            assertThat(c.workload(name).checks()).isEqualTo("nodes Pending, quality Pending"));

    c.engine.remove(ClusterQueue.class, "q");
    assertThat(all).allSatisfy(name -> assertThat(c.workload(name).checks()).isEmpty());

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
    c.submit("w", "q", 4);
    c.cycle();
    c.workload("w").check("budget", CheckState.READY);
    c.workload("w").check("nodes", CheckState.READY);
    c.advanceSeconds(100);

    assertThat(c.workload("w").check("nodes", CheckState.PENDING).suspended())
        .containsExactly(id("w"));

    assertThat(c.workload("w").phase()).isEqualTo(WorkloadStatus.Phase.QUOTA_RESERVED);
    assertThat(c.workload("w").status().accumulatedPastExecutionTime()).hasSeconds(100);
    assertThat(c.used("q")).isEqualTo(4);
  }

  @Nested
  class Required {
    private final Cluster two = twoFlavors();

    private Cluster twoFlavors() {
      Cluster made = new Cluster().with(Queues.queue("q", 10));
      made.with(
          ResourceFlavor.of("spot"),
          AdmissionCheck.of("all", "x"),
          AdmissionCheck.of("some", "x"),
          AdmissionCheck.of("both", "x"));
      made.with(queue(
          new AdmissionCheckRule("some", ImmutableList.of("spot")),
          new AdmissionCheckRule("both", ImmutableList.of("spot", "default")),
          new AdmissionCheckRule("all", ImmutableList.of())));
      return made;
    }

    private ClusterQueue queue(AdmissionCheckRule... rules) {
      return Queues.openQueue("q")
          .addResourceGroups(ResourceGroup.of(
              FlavorQuotas.of("default", ResourceQuota.ofAmount("cpu", 4000)),
              FlavorQuotas.of("spot", ResourceQuota.ofAmount("cpu", 9000))))
          .admissionChecks(ImmutableList.copyOf(rules))
          .build();
    }

    @Test
    void beforeAnAdmissionThoseForAllFlavors() {
      two.submit("w", "q", 4);

      assertThat(two.workload("w").checks()).isEqualTo("all Pending, both Pending");
    }

    @Test
    void withOneThoseOfItsFlavors() {
      two.submit("w", "q", 4);
      two.submit("large", "q", 9);
      two.cycle();
      two.cycle();

      assertThat(two.workload("w").checks()).isEqualTo("all Pending, both Pending");
      assertThat(two.workload("large").checks())
          .isEqualTo("all Pending, both Pending, some Pending");
    }

    @Test
    void onHoldAgainThoseForAllFlavors() {
      two.submit("large", "q", 9);
      two.cycle();
      two.lifecycle.setOnHold(id("large"), true);

      assertThat(two.workload("large").checks()).isEqualTo("all Pending, both Pending");
    }

    @Test
    void aNewFlavorMayEndThatACheckIsForAllFlavors() {
      two.submit("w", "q", 99);
      two.with(ResourceFlavor.of("third"));

      two.with(ClusterQueue.builder()
          .from(two.view("q").spec())
          .resourceGroups(ImmutableList.of(ResourceGroup.of(
              FlavorQuotas.of("default", ResourceQuota.ofAmount("cpu", 4000)),
              FlavorQuotas.of("spot", ResourceQuota.ofAmount("cpu", 9000)),
              FlavorQuotas.of("third", ResourceQuota.ofAmount("cpu", 4000)))))
          .build());

      assertThat(two.workload("w").checks()).isEqualTo("all Pending");
    }

    @Test
    void aCheckThatIsDroppedMayAdmitAndOneThatIsAddedSuspend() {
      two.submit("w", "q", 4);
      two.cycle();
      two.workload("w").check("both", CheckState.READY);

      two.with(queue(new AdmissionCheckRule("both", ImmutableList.of())));

      assertThat(names(two.takeDecisions().admitted())).containsExactly("w");
      assertThat(two.workload("w").checks()).isEqualTo("both Ready");

      two.with(queue(
          new AdmissionCheckRule("both", ImmutableList.of()),
          new AdmissionCheckRule("all", ImmutableList.of())));

      assertThat(summary(two.cycle())).isEqualTo("suspended [ns/w]");
      assertThat(two.workload("w").checks()).isEqualTo("all Pending, both Ready");
    }
  }

  @Nested
  class Retry {
    @Test
    void makesItStopAndWait() {
      c.submit("w", "q", 4);
      c.cycle();
      c.advanceSeconds(10);

      assertThat(
              evictions(c.workload("w").retry("nodes", Duration.ofSeconds(30)).evicted()))
          .containsExactly("w AdmissionCheck");

      assertThat(c.used("q")).isEqualTo(4);
      assertThat(c.workload("w").checks()).isEqualTo("budget Pending, nodes Pending");
      assertThat(c.workload("w").status().admissionCheck("nodes").orElseThrow().retryCount())
          .isEqualTo(1);
      assertThat(c.workload("w").status().admissionCheck("nodes").orElseThrow().message())
          .isEqualTo("Reset to Pending after eviction. Previously: Retry");
      assertThat(c.workload("w").status().admissionCheck("nodes").orElseThrow().requeueAfter())
          .hasValue(Duration.ofSeconds(30));
      assertThat(c.workload("w").status().admissionCheck("budget").orElseThrow().message())
          .isEmpty();
      assertThat(c.workload("w").status().requeueAt()).hasValue(Cluster.START.plusSeconds(40));

      c.advanceSeconds(5);
      c.podsStopped("w");
      assertThat(c.used("q")).isZero();
      assertThat(c.workload("w").condition(ConditionType.REQUEUED))
          .isEqualTo("False AdmissionCheck @15");
      assertThat(summary(c.cycle())).isEmpty();
      assertThat(c.tick()).hasValue(25L);

      c.advanceSeconds(25);
      assertThat(c.workload("w").condition(ConditionType.REQUEUED))
          .isEqualTo("True BackoffFinished @40");
      assertThat(c.workload("w").status().requeueAt()).isEmpty();
      assertThat(summary(c.cycle())).isEqualTo("reserved [w]");
      assertThat(c.workload("w").condition(ConditionType.EVICTED))
          .isEqualTo("False QuotaReserved @40");
    }

    @Test
    void ofWhatStopsAlreadyEvictsNone() {
      c.submit("w", "q", 4);
      c.cycle();
      c.lifecycle.evict(id("w"), EvictionReason.NODE_FAILURES, "bad");

      assertThat(c.workload("w").retry("nodes", Duration.ofSeconds(30)).isEmpty())
          .isTrue();
    }

    @Test
    void withoutDelayIsAtOnce() {
      c.submit("w", "q", 4);
      c.cycle();
      c.workload("w").check("nodes", CheckState.RETRY);
      c.advanceSeconds(7);
      c.podsStopped("w");

      assertThat(c.workload("w").condition(ConditionType.REQUEUED))
          .isEqualTo("True BackoffFinished @7");
      assertThat(summary(c.cycle())).isEqualTo("reserved [w]");
    }

    @Test
    void neverComesSoonerThanItWasToBefore() {
      c.submit("w", "q", 4);
      c.cycle();
      c.workload("w").retry("nodes", Duration.ofSeconds(100));
      c.podsStopped("w");
      WorkloadStatus unused = c.lifecycle.status(id("w"));
      c.advanceSeconds(10);
      AdmissionResult unused2 = c.engine.tryAdmit(c.job("other", "q", 1)).result();

      // Someone admits it in spite of its backoff; the next retry asks for less.
      AdmissionResult unused3 = c.engine
          .tryAdmit(c.engine.inspect(state -> state.require(id("w")).workload()))
          .result();
      c.workload("w").retry("nodes", Duration.ofSeconds(1));

      assertThat(c.workload("w").status().requeueAt()).hasValue(Cluster.START.plusSeconds(100));
    }

    @Test
    void goesBehindThoseThatCameBeforeItStopped() {
      c.submit("w", "q", 10);
      c.cycle();
      c.submit("later", "q", 10);
      c.advanceSeconds(60);
      c.workload("w").check("nodes", CheckState.RETRY);
      c.podsStopped("w");

      assertThat(c.pending("q")).containsExactly("later", "w");
    }

    @Test
    void ofAPendingWorkloadKeepsItFromBeingLookedAt() {
      c.submit("first", "q", 10);
      c.cycle();
      c.submit("w", "q", 10);
      c.workload("w").check("nodes", CheckState.RETRY);
      c.engine.finish(id("first"));

      AdmissionResult.Pending pending = c.engine.runCycle().pending().get(0);

      assertThat(pending.cause()).isEqualTo(PendingCause.PENDING_EVALUATION);
      assertThat(pending.reasons().get(0).code()).isEqualTo(ReasonCode.CHECK_NOT_READY);
    }
  }

  @Test
  void rejectionDeactivatesWhateverElseIsToBeRetried() {
    c.submit("w", "q", 4);
    c.cycle();
    c.submit("next", "q", 10);

    assertThat(evictions(c.workload("w").check("budget", CheckState.REJECTED).evicted()))
        .containsExactly("w Deactivated/AdmissionCheck");

    assertThat(c.workload("w").condition(ConditionType.EVICTED))
        .isEqualTo("True DeactivatedDueToAdmissionCheck @0");
    assertThat(c.workload("w").status().evictions())
        .containsExactly(new EvictionCount(
            EvictionReason.DEACTIVATED, Optional.of(EvictionCause.ADMISSION_CHECK), 1));
    assertThat(c.workload("w").status().admissionCheck("budget").orElseThrow().message())
        .isEqualTo("Reset to Pending after eviction. Previously: Rejected");
    assertThat(c.used("q")).isZero();
    assertThat(c.engine.explain(id("w")).cause()).hasValue(PendingCause.DEACTIVATED);
    assertThat(summary(c.cycle())).isEqualTo("reserved [next]");
  }

  @Test
  void whatChecksWantOfPodsIsKeptUntilItStops() {
    c.submit("w", "q", 4);
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

    assertThat(c.workload("w").status().admissionCheck("nodes").orElseThrow().podSetUpdates())
        .containsExactly(update);

    c.workload("w").check("budget", CheckState.RETRY);
    assertThat(c.workload("w").status().admissionCheck("nodes").orElseThrow().podSetUpdates())
        .isEmpty();
  }

  @Nested
  class Inactivity {
    private void isInactiveFor(String reason) {
      assertThat(c.view("q").inactivity().orElseThrow()).startsWith(reason + ":");
    }

    @Test
    void aMissingOrInactiveCheckStopsTheQueueUntilItIsThere() {
      c.submit("w", "q", 4);
      c.engine.remove(AdmissionCheck.class, "nodes");
      isInactiveFor("AdmissionCheckNotFound");
      assertThat(summary(c.cycle())).isEmpty();

      c.with(new AdmissionCheck("nodes", "controller", false));
      isInactiveFor("AdmissionCheckInactive");
      assertThat(summary(c.cycle())).isEmpty();

      c.with(AdmissionCheck.of("nodes", "controller"));
      assertThat(c.view("q").isActive()).isTrue();
      assertThat(summary(c.cycle())).isEqualTo("reserved [w]");
    }

    @Test
    void oneMultiKueueCheckForAllFlavorsWithoutProvisioning() {
      c.with(
          AdmissionCheck.of("budget", AdmissionCheck.MULTI_KUEUE),
          AdmissionCheck.of("nodes", AdmissionCheck.MULTI_KUEUE));
      isInactiveFor("MultipleMultiKueueAdmissionChecks");

      c.with(AdmissionCheck.of("nodes", AdmissionCheck.PROVISIONING_REQUEST));
      isInactiveFor("MultiKueueWithProvisioningRequest");

      c.with(
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
