package io.kueue4j.core;

import static io.kueue4j.core.Cluster.FLAVOR;
import static io.kueue4j.core.Cluster.NAMESPACE;
import static io.kueue4j.core.Cluster.id;
import static io.kueue4j.core.Queues.localQueue;
import static io.kueue4j.core.Queues.openQueue;
import static io.kueue4j.core.Queues.queue;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.MoreCollectors;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The remedies that raise no quota and change no pods, and their effect. */
class RemedyTest extends RemedyFixture {
  @Nested
  class WithoutAnyChange {
    @Test
    void anAdmittedWorkloadNeedsNone() {
      cluster.run("w", "a", 1);
      assertThat(changes("w")).isEmpty();
      assertThat(engine.explain(id("w")).remedy()).isEmpty();
    }

    @Test
    void oneThatWasNotTriedYetWaitsForItsTurn() {
      cluster.submit("first", "a", 4);
      cluster.submit("w", "a", 4);
      assertThat(kinds("w")).containsExactly(Remedy.Kind.WAIT_FOR_TURN);
      Remedy remedy = make("w");
      assertThat(remedy.objects()).isEmpty();
      assertThat(remedy.stops()).isEmpty();
      assertThat(remedy.workload()).isEmpty();
    }

    @Test
    void oneThatOthersWouldLeaveNothingGoesBeforeThem() {
      cluster.submit(cluster.job("urgent", "a", 8, w -> w.priority(7)));
      cluster.submit(cluster.job("less", "a", 1, w -> w.priority(5)));
      cluster.submit(cluster.job("w", "a", 4, w -> w.priorityBoost(2)));
      assertThat(kinds("w")).containsExactly(Remedy.Kind.RAISE_PRIORITY);
      Remedy remedy = make("w");
      assertThat(remedy.workload().orElseThrow())
          .returns(8, Workload::priority)
          .returns(0, Workload::priorityBoost);
      assertThat(remedy).hasToString("its priority is 8, above those who stand before it");
    }

    @Test
    void theClassOfALowPriorityIsLeft() {
      cluster.with(new WorkloadPriorityClass("low", 1));
      cluster.submit(cluster.job("urgent", "a", 8, w -> w.priority(7)));
      cluster.submit(cluster.job("w", "a", 4, w -> w.priorityClass("low")));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.RAISE_PRIORITY);
    }

    @Test
    void oneBehindAStuckHeadOfAStrictQueueGoesBeforeIt() {
      cluster.with(queue("strict", 10).queueingStrategy(QueueingStrategy.STRICT_FIFO));
      cluster.submit("head", "strict", 11);
      cluster.submit("w", "strict", 1);
      cluster.cycle();
      make("w");
      assertThat(cluster.workload("head").holdsQuota()).isFalse();
    }

    @Test
    void aPriorityAboveTheHighestIsNotProposed() {
      cluster.submit(cluster.job("first", "a", 8, w -> w.priority(Integer.MAX_VALUE)));
      cluster.submit("w", "a", 4);
      assertThat(changes("w")).isEmpty();
    }

    @Test
    void aBackoffHasToEnd() {
      cluster.backOff(cluster.job("w", "a", 1), Cluster.START.plus(Duration.ofMinutes(5)));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.END_BACKOFF);
    }

    @Test
    void theEndOfABackoffDoesNotHelpBehindOthers() {
      cluster.submit(cluster.job("urgent", "a", 8, w -> w.priority(7)));
      cluster.backOff(cluster.job("w", "a", 4), Cluster.START.plus(Duration.ofMinutes(5)));
      assertThat(changes("w")).isEmpty();
    }

    @Test
    void aWorkloadThatMayNotBeTriedAgainHasToBe() {
      cluster.run("w", "a", 1);
      cluster.engine.lifecycle().evict(id("w"), EvictionReason.EVICTED_ON_MANAGER_CLUSTER, "");
      cluster.engine.podsStopped(id("w"));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.END_BACKOFF);
    }
  }

  @Nested
  class Setup {
    @CanIgnoreReturnValue
    private Workload submit(Workload workload) {
      engine.submit(workload);
      return workload;
    }

    @Test
    void aDeactivatedWorkloadIsActivated() {
      submit(cluster.job("w", "a", 1, w -> w.active(false)));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.ACTIVATE);
    }

    @Test
    void admissionGatesAreRemoved() {
      submit(cluster.job("w", "a", 1, w -> w.addAllAdmissionGates(ImmutableList.of("review"))));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.REMOVE_ADMISSION_GATES);
    }

    @Test
    void podsAreRepaired() {
      submit(cluster.job(
          "w", "a", 1, w -> w.addAllAdmissibilityProblems(ImmutableList.of("above limit"))));
      Remedy remedy = make("w");
      assertThat(remedy.kind()).isEqualTo(Remedy.Kind.REPAIR_PODS);
      assertThat(remedy.message()).contains("above limit");
    }

    @Test
    void aStoppedLocalQueueIsOpened() {
      cluster.with(localQueue("a", StopPolicy.HOLD));
      submit(cluster.job("w", "a", 1));
      assertThat(make("w").objects()).containsExactly(LocalQueue.of(NAMESPACE, "a", "a"));
    }

    @Test
    void aMissingLocalQueueIsCreatedForTheFirstThatAdmits() {
      cluster.with(queue("b", 20), queue("c", 20));
      submit(cluster.job("w", "nowhere", 15));
      assertThat(changes("w")).hasSize(1);
      Remedy remedy = make("w");
      assertThat(remedy.kind()).isEqualTo(Remedy.Kind.CREATE_LOCAL_QUEUE);
      assertThat(remedy.objects()).containsExactly(LocalQueue.of(NAMESPACE, "nowhere", "b"));
    }

    @Test
    void aMissingClusterQueueIsCreatedWithWhatIsNeeded() {
      cluster.with(
          ResourceFlavor.builder()
              .name("arm")
              .addNodeTaints(new Taint("arm", "yes", Taint.Effect.NO_SCHEDULE))
              .build(),
          ResourceFlavor.of("spot"),
          LocalQueue.of(NAMESPACE, "door", "missing"));
      submit(cluster.job("w", "door", 3));
      assertThat(changes("w")).hasSize(1);
      Remedy remedy = make("w");
      assertThat(remedy.kind()).isEqualTo(Remedy.Kind.CREATE_CLUSTER_QUEUE);
      assertThat(remedy.raises()).containsExactly(raise("ClusterQueue missing", 0, 3));
      assertThat(remedy)
          .hasToString("ClusterQueue missing exists, with quota for cpu in flavor default"
              + " from 0 to 3 (+3)");
    }

    @Test
    void aStoppedClusterQueueIsOpened() {
      cluster.with(queue("a", 10).stopPolicy(StopPolicy.HOLD).build());
      submit(cluster.job("w", "a", 1));
      assertThat(make("w").objects()).containsExactly(queue("a", 10).build());
    }

    @Test
    void whatIsShutTwiceIsNotOpenedByOneChange() {
      cluster.with(
          queue("a", 10).stopPolicy(StopPolicy.HOLD).build(), localQueue("a", StopPolicy.HOLD));
      submit(cluster.job("w", "a", 1));
      assertThat(changes("w")).isEmpty();
    }

    @Test
    void missingFlavorsAreCreated() {
      ResourceGroup two =
          ResourceGroup.of(FlavorQuotas.of("new", cpu(1)), FlavorQuotas.of("newer", cpu(1)));
      cluster.with(openQueue("b").addResourceGroups(two));
      submit(cluster.job("w", "b", 1));
      Remedy remedy = make("w");
      assertThat(remedy.kind()).isEqualTo(Remedy.Kind.CREATE_RESOURCE_FLAVORS);
      assertThat(remedy.objects())
          .containsExactly(ResourceFlavor.of("new"), ResourceFlavor.of("newer"));
    }

    @Test
    void admissionChecksThatDoNotExistAreRemoved() {
      cluster.with(queue("a", 10)
          .addAllAdmissionChecks(
              ImmutableList.of(new AdmissionCheckRule("check", ImmutableList.of())))
          .build());
      submit(cluster.job("w", "a", 1));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.REMOVE_ADMISSION_CHECKS);
    }

    @Test
    void aRemovedNamespaceIsCreated() {
      submit(cluster.job("w", "a", 1));
      engine.remove(Namespace.class, NAMESPACE);
      assertThat(make("w").objects()).containsExactly(Namespace.of(NAMESPACE));
    }

    @Test
    void theNamespaceGetsTheLabelsThatAreSelected() {
      cluster.with(
          Namespace.of(NAMESPACE, Map.of("old", "x", "keep", "y", "zone", "b")),
          queue("a", 10)
              .namespaceSelector(new LabelSelector(
                  LabelSelector.labels(Map.of("team", "x")).matchLabels(),
                  ImmutableList.of(
                      LabelRequirement.in("tier", "gold", "silver"),
                      LabelRequirement.in("zone", "a", "b"),
                      new LabelRequirement(
                          "owner", LabelRequirement.Operator.EXISTS, ImmutableList.of()),
                      new LabelRequirement(
                          "old", LabelRequirement.Operator.DOES_NOT_EXIST, ImmutableList.of()))))
              .build());
      submit(cluster.job("w", "a", 1));
      assertThat(kinds("w"))
          .containsExactly(Remedy.Kind.LABEL_NAMESPACE, Remedy.Kind.SELECT_EVERY_NAMESPACE);
      assertThat(make("w").objects())
          .containsExactly(Namespace.of(
              NAMESPACE,
              Map.of("team", "x", "tier", "gold", "owner", "", "keep", "y", "zone", "b")));
    }

    @Test
    void aSelectorThatNoLabelSuitsIsOpened() {
      cluster.with(queue("a", 10)
          .namespaceSelector(new LabelSelector(
              LabelSelector.everything().matchLabels(),
              ImmutableList.of(new LabelRequirement(
                  "level", LabelRequirement.Operator.GREATER_THAN, ImmutableList.of("3")))))
          .build());
      submit(cluster.job("w", "a", 1));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.SELECT_EVERY_NAMESPACE);
    }

    @Test
    void aQueueWithoutSelectorIsOpened() {
      cluster.with(queue("a", 10).namespaceSelector(Optional.empty()).build());
      submit(cluster.job("w", "a", 1));
      assertThat(make("w").kind()).isEqualTo(Remedy.Kind.SELECT_EVERY_NAMESPACE);
    }
  }

  @Nested
  class Stops {
    private ClusterQueue.Builder preempting(String name, int cpu) {
      return queue(name, cpu)
          .preemption(Preemption.builder()
              .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
              .build());
    }

    @Test
    void victimsThatPoliciesAllowAreNamed() {
      cluster.with(preempting("b", 10));
      cluster.run("low", "b", 8);
      cluster.submit(cluster.job("w", "b", 5, w -> w.priority(1)));
      assertThat(kinds("w")).containsExactly(Remedy.Kind.STOP_VICTIMS);
      Remedy remedy = make("w");
      assertThat(remedy.stops()).containsExactly(id("low"));
      assertThat(remedy).hasToString("workload ns/low stops");
    }

    @Test
    void victimsThatWereToldAreWaitedFor() {
      cluster.with(preempting("b", 10));
      cluster.run("low", "b", 8);
      cluster.submit(cluster.job("w", "b", 5, w -> w.priority(1)));
      cluster.cycle();
      assertThat(make("w").stops()).containsExactly(id("low"));
    }

    /** No other workload is admitted until all pods of {@code starting} are ready. */
    @Test
    void victimsWhoseStopIsNotEnoughAreNoRemedy() {
      PodsReadyPolicy oneByOne = PodsReadyPolicy.builder()
          .timeout(Duration.ofMinutes(5))
          .blockAdmission(true)
          .build();
      Cluster blocked =
          new Cluster(Settings.builder().podsReady(oneByOne).build()).with(preempting("b", 10));
      blocked.run("low", "b", 5);
      blocked.lifecycle.setPodsReady(id("low"), true);
      blocked.submit(blocked.job("starting", "b", 3, w -> w.priority(1)));
      blocked.cycle();
      Workload wide = blocked.job("w", "b", 5, w -> w.priority(1));
      blocked.submit(wide);

      assertThat(blocked.engine.tryAdmit(wide).result())
          .isInstanceOf(AdmissionResult.Preempting.class);
      assertThat(blocked.engine.explain(id("w")).remedies()).isEmpty();

      blocked.lifecycle.setPodsReady(id("starting"), true);
      assertThat(blocked.engine.explain(id("w")).remedies())
          .extracting(Remedy::kind)
          .containsExactly(Remedy.Kind.STOP_VICTIMS);
    }

    @Test
    void theSmallestHolderThatSufficesIsNamed() {
      cluster.run("small", "a", 1);
      cluster.run("middle", "a", 3);
      cluster.run("large", "a", 5);
      cluster.submit("w", "a", 3);
      Remedy remedy = changes("w").get(1);
      assertThat(remedy.kind()).isEqualTo(Remedy.Kind.STOP_HOLDERS);
      assertThat(remedy.stops()).containsExactly(id("middle"));
    }

    @Test
    void severalHoldersAreTheFewest() {
      cluster.run("small", "a", 1);
      cluster.run("big", "a", 4);
      cluster.run("large", "a", 5);
      cluster.submit("w", "a", 8);
      Remedy remedy = changes("w").get(1);
      assertThat(remedy.stops()).containsExactly(id("big"), id("large"));
      assertThat(remedy).hasToString("workloads ns/big, ns/large stop");
    }

    @Test
    void theFlavorWithTheFewestStopsIsFreed() {
      cluster.with(ResourceFlavor.of("other"));
      cluster.with(openQueue("b")
          .addResourceGroups(
              ResourceGroup.of(FlavorQuotas.of(FLAVOR, cpu(4)), FlavorQuotas.of("other", cpu(4)))));
      cluster.run("one", "b", 2).run("two", "b", 2).run("whole", "b", 4);
      cluster.submit("w", "b", 4);
      assertThat(stops()).containsExactly(id("whole"));
    }

    @Test
    void fewerHoldersAreEnoughForFewerPods() {
      cluster.run("large", "a", 3).run("small", "a", 2);
      for (int i = 0; i < 5; i++) {
        cluster.run("single" + i, "a", 1);
      }
      PodSet pods =
          PodSet.builder().count(5).minCount(3).requestAmount("cpu", 1000).build();
      cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
      assertThat(stops()).containsExactly(id("large"));
    }

    @Test
    void theSmallestHolderForFewerPodsIsNamed() {
      cluster.run("large", "a", 4).run("middle", "a", 3).run("single", "a", 1).run("two", "a", 2);
      PodSet pods =
          PodSet.builder().count(5).minCount(3).requestAmount("cpu", 1000).build();
      cluster.submit(cluster.jobOf("w", "a", w -> w.addPodSets(pods)));
      assertThat(stops()).containsExactly(id("middle"));
    }

    private List<WorkloadId> stops() {
      return changes("w").stream()
          .filter(remedy -> remedy.kind() == Remedy.Kind.STOP_HOLDERS)
          .collect(MoreCollectors.onlyElement())
          .stops();
    }

    private void withUnits(long cpu, long gpu) {
      cluster.with(openQueue("b")
          .addResourceGroups(ResourceGroup.of(FlavorQuotas.of(
              FLAVOR, ResourceQuota.ofAmount("cpu", cpu), ResourceQuota.ofAmount("gpu", gpu)))));
    }

    private void runs(String name, long cpu, long gpu) {
      cluster.run(cluster.job(name, "b", 0, Map.of("cpu", cpu, "gpu", gpu)));
    }

    @Test
    void holdersOfMoreThanIsMissingAreLeftOut() {
      withUnits(36, 2);
      for (int i = 0; i < 4; i++) {
        runs("cpu" + i, 9, 0);
      }
      for (int i = 0; i < 2; i++) {
        runs("gpu" + i, 0, 1);
      }
      cluster.submit(cluster.job("w", "b", 0, Map.of("cpu", 10L, "gpu", 2L)));
      assertThat(stops()).containsExactly(id("cpu2"), id("cpu3"), id("gpu0"), id("gpu1"));
    }

    @Test
    void aHolderOfAllThatIsMissingComesFirst() {
      withUnits(10, 6);
      runs("cpu", 8, 0);
      runs("gpu", 0, 5);
      runs("two", 2, 1);
      cluster.submit(cluster.job("w", "b", 0, Map.of("cpu", 2L, "gpu", 1L)));
      assertThat(stops()).containsExactly(id("two"));
    }

    /** No more than 16 holders are tried. */
    @Test
    void holdersOfAPartAreNotTriedAlone() {
      withUnits(20, 3);
      for (int i = 0; i < 17; i++) {
        runs("cpu" + i, 1, 0);
      }
      runs("all-large", 2, 2);
      runs("all-small", 1, 1);
      cluster.submit(cluster.job("w", "b", 0, Map.of("cpu", 1L, "gpu", 1L)));
      assertThat(stops()).containsExactly(id("all-small"));
    }

    @Test
    void whatCouldNeverFitIsNotHelpedByAnyStop() {
      cluster.run("running", "a", 4);
      cluster.submit("w", "a", 11);
      assertThat(kinds("w")).containsExactly(Remedy.Kind.RAISE_NOMINAL_QUOTA);
    }
  }
}
