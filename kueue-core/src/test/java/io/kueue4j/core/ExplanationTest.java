package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.changed;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.DecisionText.admitted;
import static io.kueue4j.core.Queues.cores;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PendingCause;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The position of a workload and the reasons; rules F-33 and L-26. */
class ExplanationTest {
  private final Cluster cluster = new Cluster().with(queue("a", 10));
  private final AdmissionEngine engine = cluster.engine;

  private static Reason.Builder cpuReason(ReasonCode code) {
    return Reason.builder().code(code).podSet("main").flavor(FLAVOR).resource("cpu");
  }

  private Explanation explain(String name) {
    return engine.explain(id(name));
  }

  @Test
  void refusesToExplainWhatItDoesNotKnow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> explain("ghost"))
        .withMessageContaining("ns/ghost");
  }

  @Test
  void anAdmittedWorkloadHasItsAdmissionAndNoReasons() {
    cluster.run("w", "a", 3);
    assertThat(explain("w"))
        .isEqualTo(Explanation.builder()
            .workload(id("w"))
            .status(cluster.engine.lifecycle().status(id("w")))
            .admission(Optional.of(Admissions.admission("w", "a", 3)))
            .build());
    assertThat(explain("w").remedy()).isEmpty();
  }

  @Test
  void aWorkloadThatHasNotBeenTriedIsPendingEvaluation() {
    cluster.submit("w", "a", 3);
    Explanation explanation = explain("w");
    assertThat(explanation.cause()).contains(PendingCause.PENDING_EVALUATION);
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.NOT_TRIED_YET);
    assertThat(explanation.isNextToTry()).isTrue();
  }

  @Test
  void askingForMoreThanThereCouldEverBeIsSaidWithBothFigures() {
    cluster.run("running", "a", 4);
    cluster.submit("w", "a", 11);
    cluster.cycle();
    Explanation explanation = explain("w");
    assertThat(explanation.cause()).contains(PendingCause.EXCEEDS_MAX_QUOTA);
    assertThat(explanation.isNextToTry()).isFalse();
    assertThat(explanation.reasons())
        .containsExactly(cpuReason(ReasonCode.EXCEEDS_MAXIMUM)
            .asked(11_000)
            .used(4000)
            .available(6000)
            .limit(10_000)
            .build());
  }

  @Test
  void aShortageIsSaidWithAllItsFigures() {
    cluster.run("running", "a", 4);
    cluster.submit("w", "a", 7);
    cluster.cycle();
    assertThat(explain("w").cause()).contains(PendingCause.WAITING_FOR_QUOTA);
    assertThat(explain("w").reasons())
        .containsExactly(cpuReason(ReasonCode.NO_PREEMPTION_CANDIDATES)
            .asked(7000)
            .used(4000)
            .available(6000)
            .limit(10_000)
            .build());
  }

  @Test
  void losingTheRaceOfACycleIsSaidWithWhatWasLeft() {
    cluster.with(queue("b", 4).cohort("team"), queue("c", 0).cohort("team"));
    cluster.submit("first", "b", 3);
    cluster.submit("second", "c", 3);
    assertThat(admitted(cluster.cycle())).containsExactly("first");
    assertThat(explain("second").cause()).contains(PendingCause.WAITING_FOR_QUOTA);
    assertThat(explain("second").isNextToTry()).isTrue();
    assertThat(explain("second").reasons())
        .containsExactly(cpuReason(ReasonCode.TAKEN_IN_CYCLE)
            .asked(3000)
            .used(0)
            .available(1000)
            .limit(0)
            .build());
  }

  /** Rule F-24: the second attempt tries the second flavor alone, the first one is what binds. */
  @Test
  void theFlavorBeforeTheResumedWalkIsNamedWithItsFigures() {
    cluster.with(ResourceFlavor.of("h100"), ResourceFlavor.of("spot"));
    for (String name : ImmutableList.of("a", "b")) {
      cluster.with(openQueue(name)
          .cohort("both")
          .preemption(
              Preemption.builder().reclaimWithinCohort(Preemption.Policy.ANY).build())
          .addResourceGroups(ResourceGroup.of(
              FlavorQuotas.of("h100", cores(8)), FlavorQuotas.of("spot", cores(2)))));
    }
    cluster.submit("first", "a", 16);
    cluster.submit("second", "b", 8);
    assertThat(cluster.cycle().admitted()).hasSize(1);

    AdmissionResult.Pending pending = cluster.cycle().pending().get(0);

    assertThat(pending.workload()).isEqualTo(id("first"));
    assertThat(pending.cause()).isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
    assertThat(pending.reasons())
        .containsExactly(
            cpuReason(ReasonCode.INSUFFICIENT_QUOTA)
                .flavor("h100")
                .asked(16_000)
                .used(0)
                .available(8000)
                .limit(8000)
                .build(),
            cpuReason(ReasonCode.EXCEEDS_MAXIMUM)
                .flavor("spot")
                .asked(16_000)
                .used(0)
                .available(4000)
                .limit(4000)
                .build());
    assertThat(explain("first").reasons()).isEqualTo(pending.reasons());
    assertThat(explain("first").cause()).contains(pending.cause());
    assertThat(cluster.inadmissible("a")).containsExactly("first");
  }

  @Test
  void aResourceWithoutQuotaIsNamed() {
    cluster.submit(cluster.jobOf(
        "w",
        "a",
        w -> w.addPodSets(
            PodSet.builder().name("workers").requestAmount("nvidia.com/gpu", 1).build())));
    cluster.cycle();
    assertThat(explain("w").cause()).contains(PendingCause.NO_MATCHING_FLAVOR);
    assertThat(explain("w").reasons()).singleElement().satisfies(reason -> {
      assertThat(reason.code()).isEqualTo(ReasonCode.RESOURCE_NOT_COVERED);
      assertThat(reason.podSet()).contains("workers");
      assertThat(reason.resource()).contains("nvidia.com/gpu");
    });
  }

  @Test
  void anUntoleratedTaintIsNamed() {
    cluster.with(ResourceFlavor.builder()
        .name(FLAVOR)
        .addNodeTaints(new Taint("gpu", "yes", Taint.Effect.NO_SCHEDULE))
        .build());
    cluster.submit("w", "a", 1);
    cluster.cycle();
    assertThat(explain("w").cause()).contains(PendingCause.NO_MATCHING_FLAVOR);
    assertThat(explain("w").reasons()).singleElement().satisfies(reason -> {
      assertThat(reason.code()).isEqualTo(ReasonCode.UNTOLERATED_TAINT);
      assertThat(reason.message()).contains("flavor default").contains("gpu=yes:NoSchedule");
    });
  }

  @Test
  void onlyOneOfTheSameShapeIsTriedAndTheOthersPointToIt() {
    cluster.submit("first", "a", 11);
    cluster.submit("second", "a", 11);
    cluster.cycle();
    assertThat(cluster.inadmissible("a")).containsExactly("first", "second");
    assertThat(cluster.workload("first").reasonCodes()).containsExactly(ReasonCode.EXCEEDS_MAXIMUM);
    assertThat(explain("second").cause()).contains(PendingCause.EXCEEDS_MAX_QUOTA);
    assertThat(cluster.workload("second").reasonCodes())
        .containsExactly(ReasonCode.SAME_SHAPE_DID_NOT_FIT, ReasonCode.EXCEEDS_MAXIMUM);
    assertThat(explain("second").reasons().get(0).message()).contains("ns/first");
  }

  @Test
  void oneOfTheSameShapeThatComesLaterPointsToTheFirst() {
    cluster.submit("first", "a", 11);
    cluster.cycle();
    cluster.submit("late", "a", 11);
    assertThat(cluster.inadmissible("a")).containsExactly("first", "late");
    assertThat(cluster.workload("late").reasonCodes())
        .containsExactly(ReasonCode.SAME_SHAPE_DID_NOT_FIT, ReasonCode.EXCEEDS_MAXIMUM);
  }

  @Test
  void anotherPriorityIsAnotherShape() {
    cluster.submit("first", "a", 11);
    cluster.submit(cluster.job("second", "a", 11, w -> w.priority(-1)));
    cluster.cycle();
    assertThat(cluster.inadmissible("a")).containsExactly("first");
    assertThat(cluster.pending("a")).containsExactly("second");
  }

  @Test
  void aWorkloadNeverPointsToItself() {
    Workload waiting = cluster.submit("w", "a", 11).job("w");
    cluster.cycle();
    Explanation before = explain("w");
    engine.update(changed(waiting, w -> w.priorityBoost(3)));
    assertThat(explain("w")).isEqualTo(before);
  }

  @Test
  void countsThePositionsInClusterQueueAndLocalQueue() {
    cluster.with(LocalQueue.of("other", "door", "a"));
    cluster.submit("first", "a", 1);
    cluster.submit(Workload.builder()
        .from(cluster.job("second", "a", 1))
        .namespace("other")
        .queueName("door")
        .build());
    cluster.submit("third", "a", 1);
    cluster.submit(cluster.job("urgent", "a", 1, w -> w.priority(5)));
    assertThat(explain("urgent").positionInClusterQueue()).hasValue(0);
    assertThat(explain("first").positionInClusterQueue()).hasValue(1);
    assertThat(explain("third").positionInClusterQueue()).hasValue(3);
    assertThat(explain("third").positionInLocalQueue()).hasValue(2);
  }

  @Test
  void manyAreExplainedAsEachOfThemAlone() {
    cluster.with(LocalQueue.of(NAMESPACE, "other", "a"));
    cluster.run("runs", "a", 8);
    for (int i = 0; i < 20; i++) {
      int priority = i % 3;
      String queue = i % 2 == 0 ? "a" : "other";
      cluster.submit(
          cluster.job("w" + i, "a", 3 + i % 4, w -> w.priority(priority).queueName(queue)));
      if (i % 5 == 0) {
        engine.runCycle();
      }
    }
    ImmutableList<WorkloadId> all = Stream.concat(
            Stream.of(id("runs")), IntStream.range(0, 20).mapToObj(i -> id("w" + i)))
        .collect(ImmutableList.toImmutableList());

    assertThat(engine.explainAll(all, Function.identity()))
        .containsExactlyElementsOf(all.stream().map(engine::explain).toList());
    assertThat(engine.explainAll(all, Explanation::positionInClusterQueue))
        .doesNotHaveDuplicates()
        .hasSize(21);
  }

  @Test
  void allOrNoneAreExplained() {
    cluster.run("runs", "a", 8);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> engine.explainAll(ImmutableList.of(id("runs"), id("ghost")), Object::toString))
        .withMessageContaining("ns/ghost");
  }

  @Test
  void parkedWorkloadsCountAmongThoseThatStandBefore() {
    cluster.submit("parked", "a", 11);
    cluster.cycle();
    cluster.submit("w", "a", 1);
    assertThat(explain("w").positionInClusterQueue()).hasValue(1);
  }

  @Test
  void theHeadOfAStrictQueueThatDoesNotFitIsTriedAgain() {
    cluster.with(queue("strict", 10).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster.submit("w", "strict", 11);
    cluster.cycle();
    assertThat(explain("w").isNextToTry()).isTrue();
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.EXCEEDS_MAXIMUM);
  }

  @Test
  void cyclesReportTheSameReasonsAsExplanations() {
    cluster.submit("w", "a", 11);
    Decisions cycle = engine.runCycle();
    assertThat(cycle.pending()).singleElement().satisfies(pending -> {
      assertThat(pending.workload()).isEqualTo(id("w"));
      assertThat(pending.cause()).isEqualTo(PendingCause.EXCEEDS_MAX_QUOTA);
      assertThat(pending.reasons()).isEqualTo(explain("w").reasons());
    });
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void afterAnEventTheLastAttemptIsReportedAsSuch() {
    cluster.run("running", "a", 4);
    cluster.submit("w", "a", 7);
    cluster.cycle();
    Explanation tried = explain("w");
    assertThat(tried.lastAttemptReasons()).isEqualTo(tried.reasons());
    assertThat(tried.isActive()).isFalse();

    engine.finish(id("running"));
    Explanation woken = explain("w");
    assertThat(DecisionText.codes(woken.reasons())).containsExactly(ReasonCode.NOT_TRIED_YET);
    assertThat(woken.reasons().get(0).message()).contains("something has changed");
    assertThat(woken.cause()).contains(PendingCause.PENDING_EVALUATION);
    assertThat(woken.isActive()).isTrue();
    assertThat(woken.isNextToTry()).isTrue();
    assertThat(woken.lastAttemptReasons()).isEqualTo(tried.reasons());
  }

  @Test
  void reasonsCarryTheTimeOfTheirAttempt() {
    cluster.run("running", "a", 4);
    cluster.submit("w", "a", 7);
    assertThat(explain("w").attemptTime()).isEmpty();
    assertThat(explain("w").lastAttemptTime()).isEmpty();
    cluster.advanceSeconds(5);
    Instant tried = cluster.now();
    cluster.cycle();
    cluster.advanceSeconds(4);
    cluster.submit("equal", "a", 7);
    assertThat(explain("w").attemptTime()).contains(tried);
    assertThat(explain("w").lastAttemptTime()).contains(tried);
    assertThat(explain("equal").attemptTime()).contains(tried);
    assertThat(explain("equal").lastAttemptTime()).isEmpty();

    engine.finish(id("running"));
    assertThat(explain("w").attemptTime()).isEmpty();
    assertThat(explain("w").lastAttemptTime()).contains(tried);
  }

  @Test
  void theHeadOfAStrictQueueHasNotBeenTriedSinceAnEventEither() {
    cluster.with(queue("strict", 10).queueingStrategy(QueueingStrategy.STRICT_FIFO));
    cluster.run("running", "strict", 4);
    cluster.submit("w", "strict", 7);
    cluster.cycle();
    assertThat(cluster.workload("w").reasonCodes())
        .containsExactly(ReasonCode.NO_PREEMPTION_CANDIDATES);
    engine.finish(id("running"));
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.NOT_TRIED_YET);
  }

  @Test
  void anEventElsewhereChangesNothing() {
    cluster.with(queue("other", 10));
    cluster.run("running", "other", 4);
    cluster.submit("w", "a", 11);
    cluster.cycle();
    Explanation before = explain("w");
    engine.finish(id("running"));
    assertThat(explain("w")).isEqualTo(before);
  }

  @Test
  void anEventThatLeavesItParkedLeavesItsReasons() {
    cluster.with(queue("a", 10)
        .namespaceSelector(LabelSelector.labels(Map.of("team", "x")))
        .build());
    cluster.submit("w", "a", 1);
    cluster.cycle();
    cluster.with(queue("a", 12)
        .namespaceSelector(LabelSelector.labels(Map.of("team", "x")))
        .build());
    assertThat(explain("w").isActive()).isFalse();
    assertThat(cluster.workload("w").reasonCodes()).containsExactly(ReasonCode.NAMESPACE_MISMATCH);
  }

  @Test
  void aNewerFailureOfTheShapeCountsMoreThanItsOwnBefore() {
    cluster.run("running", "a", 4);
    cluster.submit("late", "a", 11);
    cluster.cycle();
    cluster.submit(cluster.job("early", "a", 11, w -> w.creationTime(Cluster.START)));
    engine.finish(id("running"));
    cluster.cycle();
    assertThat(cluster.workload("late").reasonCodes())
        .containsExactly(ReasonCode.SAME_SHAPE_DID_NOT_FIT, ReasonCode.EXCEEDS_MAXIMUM);
    assertThat(explain("late").reasons().get(0).message()).contains("ns/early");
    assertThat(explain("late").reasons().get(1).used()).hasValue(0);
    assertThat(explain("late").lastAttemptReasons().get(0).used()).hasValue(4000);
  }

  @Test
  void onlyTheFirstIsNextToTryThoughAllAreActive() {
    cluster.submit("first", "a", 1);
    cluster.submit("second", "a", 1);
    assertThat(explain("first").isNextToTry()).isTrue();
    assertThat(explain("second").isNextToTry()).isFalse();
    assertThat(explain("second").isActive()).isTrue();
  }

  @Test
  void oneThatWaitsForItsVictimsStandsFirst() {
    Cluster preempting = new Cluster()
        .ticking()
        .with(Queues.queue("q", "c", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build()));
    preempting.run("low", "q", 4, 0).submit("preemptor", "q", 4, 1);
    preempting.cycle();
    preempting.submit("urgent", "q", 4, 9);

    assertThat(preempting.pending("q")).containsExactly("preemptor", "urgent");
    Explanation preemptor = preempting.engine.explain(id("preemptor"));
    assertThat(preemptor.positionInClusterQueue()).hasValue(0);
    assertThat(preemptor.positionInLocalQueue()).hasValue(0);
    assertThat(preemptor.isNextToTry()).isTrue();
    Explanation urgent = preempting.engine.explain(id("urgent"));
    assertThat(urgent.positionInClusterQueue()).hasValue(1);
    assertThat(urgent.isNextToTry()).isFalse();
    assertThat(urgent.isActive()).isTrue();
  }

  @Test
  void aTaintIsReportedAsItWasWhenTheFlavorWasLookedAt() {
    cluster.with(tainted("gpu"));
    Workload waiting = cluster.submit("w", "a", 1).job("w");
    Decisions cycle = engine.runCycle();
    String then = cycle.pending().get(0).reasons().get(0).message();
    assertThat(then).contains("gpu=yes:NoSchedule");
    cluster.with(tainted("tpu"));
    assertThat(engine.explain(waiting.id()).lastAttemptReasons().get(0).message())
        .isEqualTo(then);
    cluster.cycle();
    assertThat(engine.explain(waiting.id()).reasons().get(0).message())
        .contains("tpu=yes:NoSchedule");
  }

  private static ResourceFlavor tainted(String key) {
    return ResourceFlavor.builder()
        .name(FLAVOR)
        .addNodeTaints(new Taint(key, "yes", Taint.Effect.NO_SCHEDULE))
        .build();
  }

  @Test
  void labelsAreReportedAsTheyWereWhenTheFlavorWasLookedAt() {
    cluster.with(
        ResourceFlavor.builder().name(FLAVOR).putNodeLabels("zone", "a").build());
    PodSet pods =
        PodSet.builder().requestAmount("cpu", 1000).putNodeSelector("zone", "b").build();
    cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
    cluster.cycle();
    cluster.with(ResourceFlavor.of(FLAVOR));
    assertThat(explain("w").lastAttemptReasons().get(0).message()).contains("{zone=a}");
  }

  @Test
  void aVictimSaysByWhomItWasPreemptedUntilItIsAdmittedAgain() {
    Cluster preempting = new Cluster()
        .ticking()
        .with(
            Queues.queue("owner", "c", 4)
                .preemption(Preemption.builder()
                    .reclaimWithinCohort(Preemption.Policy.ANY)
                    .build()),
            Queues.queue("borrower", "c", 0));
    preempting.run("victim", "borrower", 4, 0).submit("preemptor", "owner", 4, 0);
    assertThat(preempting.engine.explain(id("victim")).preemptedBy()).isEmpty();
    preempting.cycle();
    PreemptedBy by = new PreemptedBy(id("preemptor"), "owner");
    PreemptedCondition condition =
        new PreemptedCondition(PreemptionReason.IN_COHORT_RECLAMATION, preempting.now());

    Explanation stopping = preempting.engine.explain(id("victim"));
    assertThat(stopping.isStopping()).isTrue();
    assertThat(stopping.admission()).isPresent();
    assertThat(stopping.preempted()).contains(condition);
    assertThat(stopping.preemptedBy()).contains(by);
    assertThat(stopping.remedy()).isEmpty();

    preempting.stop("victim");
    preempting.cycle();
    Explanation queued = preempting.engine.explain(id("victim"));
    assertThat(queued.isStopping()).isFalse();
    assertThat(queued.admission()).isEmpty();
    assertThat(queued.preempted()).contains(condition);
    assertThat(queued.preemptedBy()).contains(by);
    assertThat(by).hasToString("ns/preemptor in ClusterQueue owner");

    preempting.engine.finish(id("preemptor"));
    preempting.cycle();
    assertThat(preempting.workload("victim").holdsQuota()).isTrue();
    assertThat(preempting.engine.explain(id("victim")).preempted()).isEmpty();
    assertThat(preempting.engine.explain(id("victim")).preemptedBy()).isEmpty();
  }
}
