package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.PreemptionVictim;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private final List<Decisions> heard = new ArrayList<>();
  private final AdmissionEngine engine = AdmissionEngine.builder()
      .clock(InstantSource.fixed(Cluster.START))
      .listener(
          new EngineListener() {
            @Override
            public void decided(Decisions decisions) {
              heard.add(decisions);
            }
          },
          failure -> {
            throw new AssertionError(failure);
          })
      .build();

  @CanIgnoreReturnValue
  private Decisions oneQueue(StopPolicy stopPolicy) {
    return engine.apply(
        ResourceFlavor.of(Cluster.FLAVOR),
        Queues.queue("q", 4)
            .preemption(Preemption.builder()
                .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
                .build())
            .stopPolicy(stopPolicy)
            .build(),
        Queues.localQueue("q"));
  }

  private static Workload job(String name, int priority) {
    return Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name(name)
        .queueName("q")
        .priority(priority)
        .addPodSets(PodSet.builder().requestAmount("cpu", 4000).build())
        .build();
  }

  @Test
  void theListenerReceivesWhatACycleReturns() {
    oneQueue(StopPolicy.NONE);
    engine.submit(job("low", 0));
    Decisions first = engine.runCycle();
    engine.submit(job("high", 7));
    Decisions second = engine.runCycle();

    assertThat(first.all()).hasOnlyElementsOfType(AdmissionResult.Admitted.class);
    assertThat(second.all())
        .extracting(Decision::workload)
        .containsExactly(Cluster.id("low"), Cluster.id("high"));
    assertThat(second.all().get(0)).isInstanceOf(PreemptionVictim.class);
    assertThat(second.all().get(1)).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(heard).containsExactly(first, second);
  }

  @Test
  void theListenerReceivesTheAnswerOfTryAdmit() {
    oneQueue(StopPolicy.NONE);
    Decisions admitted = engine.tryAdmit(job("w", 0));
    assertThat(admitted.all()).containsExactly(admitted.result());
    assertThat(heard).containsExactly(Decisions.of(admitted.all()));

    assertThat(engine.tryAdmit(job("x", 0)).result()).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(heard).as("nothing is decided on a workload that waits").hasSize(1);
  }

  @Test
  void theVictimsOfTryAdmitAreReturnedAndHeardIfEvicted() {
    oneQueue(StopPolicy.NONE);
    engine.submit(job("low", 0));
    engine.runCycle();
    heard.clear();

    Decisions asked = engine.tryAdmit(job("high", 7));
    Decisions evicting = engine.tryAdmit(job("high", 7), TryAdmitOptions.evictingVictims());

    assertThat(asked.result()).isInstanceOf(AdmissionResult.Preempting.class);
    assertThat(asked.isEmpty()).isTrue();
    assertThat(evicting.result()).isEqualTo(asked.result());
    assertThat(evicting.mustStop()).containsExactly(Cluster.id("low"));
    assertThat(heard).containsExactly(Decisions.of(evicting.all()));
  }

  @Test
  void onlyCallsAboutOneWorkloadHaveAResult() {
    oneQueue(StopPolicy.NONE);
    Decisions queued = engine.submit(job("w", 0));
    Decisions cycle = engine.runCycle();

    assertThat(queued.result()).isInstanceOf(AdmissionResult.Pending.class);
    assertThat(queued.and(cycle).result()).isEqualTo(queued.result());
    assertThat(queued.and(cycle).all()).isEqualTo(cycle.all());
    assertThatIllegalStateException()
        .isThrownBy(cycle::result)
        .withMessageContaining(
            "have no result, which tryAdmit, submit, update and setReclaimablePods return");
  }

  @Test
  void whatFollowsFromAChangeOfTheConfigurationIsReturnedOnce() {
    oneQueue(StopPolicy.NONE);
    AdmissionResult unused = engine.tryAdmit(job("w", 0)).result();
    heard.clear();
    Decisions decisions = oneQueue(StopPolicy.HOLD_AND_DRAIN);

    assertThat(heard).hasSize(1);
    assertThat(decisions).isEqualTo(heard.get(0));
    assertThat(decisions.evicted()).extracting(Eviction::workload).containsExactly(Cluster.id("w"));
    assertThat(engine.runCycle().isEmpty()).isTrue();
  }

  @Test
  void aCallThatFailsDecidesNothing() {
    oneQueue(StopPolicy.NONE);
    AdmissionResult unused2 = engine.tryAdmit(job("w", 0)).result();
    heard.clear();
    assertThatIllegalStateException().isThrownBy(() -> engine.remove(ClusterQueue.class, "q"));
    assertThat(heard).isEmpty();
  }

  @Test
  void whatMustStopIsPreemptedEvictedOrSuspended() {
    oneQueue(StopPolicy.NONE);
    engine.submit(job("low", 0));
    assertThat(engine.runCycle().mustStop()).isEmpty();
    engine.submit(job("high", 7));
    Decisions preempting = engine.runCycle();
    Decisions draining = engine
        .podsStopped(Cluster.id("low"))
        .and(engine.runCycle())
        .and(oneQueue(StopPolicy.HOLD_AND_DRAIN));

    assertThat(preempting.mustStop()).containsExactly(Cluster.id("low"));
    assertThat(draining.mustStop()).containsExactly(Cluster.id("high"));
    assertThat(preempting
            .and(draining)
            .and(preempting)
            .and(Decisions.of(List.of(new Decision.Suspension(Cluster.id("other")))))
            .mustStop())
        .containsExactly(Cluster.id("low"), Cluster.id("high"), Cluster.id("other"));
  }

  @Test
  void aRemovedWorkloadIsADecisionUnlessItWasUnknown() {
    oneQueue(StopPolicy.NONE);
    List.of("a", "b", "c", "d").forEach(name -> engine.submit(job(name, 0)));
    engine.runCycle();
    heard.clear();
    List<Decisions> removals = List.of(
        engine.release(Cluster.id("a")),
        engine.finish(Cluster.id("b")),
        engine.delete(Cluster.id("c")));

    assertThat(removals.stream().flatMap(removal -> removal.all().stream()))
        .containsExactly(
            new Decision.Removal(Cluster.id("a"), WorkloadRemoved.Reason.RELEASED),
            new Decision.Removal(Cluster.id("b"), WorkloadRemoved.Reason.FINISHED),
            new Decision.Removal(Cluster.id("c"), WorkloadRemoved.Reason.DELETED));
    assertThat(heard).isEqualTo(removals);
    assertThat(engine.finish(Cluster.id("b")).removed()).isEmpty();
    assertThat(engine.delete(Cluster.id("c")).removed()).isEmpty();
    assertThat(engine.release(Cluster.id("d")).removed())
        .as("it holds no quota")
        .isEmpty();
    assertThat(heard).hasSize(3);
  }

  @Test
  void decisionsAreJoinedInTheirOrder() {
    Decision one = new Decision.Suspension(Cluster.id("one"));
    Decision two = new Decision.Suspension(Cluster.id("two"));
    Decisions joined = Decisions.of(List.of(one)).and(Decisions.of(List.of(two)));
    assertThat(joined.all()).containsExactly(one, two);
    assertThat(joined.suspended()).containsExactly(Cluster.id("one"), Cluster.id("two"));
    assertThat(joined.ofKind(Eviction.class)).isEmpty();
    assertThat(Decisions.none().and(Decisions.none()).isEmpty()).isTrue();
  }
}
