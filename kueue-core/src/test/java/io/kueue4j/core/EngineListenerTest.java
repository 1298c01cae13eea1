package io.kueue4j.core;

import static io.kueue4j.core.Admissions.admission;
import static io.kueue4j.core.Cluster.START;
import static io.kueue4j.core.Cluster.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.decision.Decision;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.EngineListener.PreemptedBy;
import io.kueue4j.core.decision.EngineListener.StatusChange;
import io.kueue4j.core.decision.EngineListener.WorkloadRemoved;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionReason;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The events that a listener receives, and when. */
class EngineListenerTest {
  private final List<String> received = new ArrayList<>();
  private final List<StatusChange> changes = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private Instant now = START;
  private final AdmissionEngine engine = engine(new Recorder());

  private final class Recorder implements EngineListener {
    @Override
    public void statusChanged(StatusChange change) {
      changes.add(change);
      received.add(change.workload().name() + "@" + change.clusterQueue().orElse("-") + " "
          + Stream.of(ConditionType.values())
              .filter(type -> change.before().isTrue(type) != change.after().isTrue(type))
              .map(type -> (change.becameTrue(type).isPresent() ? "+" : "-") + type)
              .collect(Collectors.joining(" ")));
    }

    @Override
    public void departed(WorkloadRemoved departure) {
      received.add(departure.workload().name() + "@" + departure.clusterQueue().orElse("-") + " "
          + departure.reason());
    }
  }

  private AdmissionEngine engine(EngineListener listener) {
    AdmissionEngine made = AdmissionEngine.builder()
        .clock(() -> now)
        .listener(listener, failures::add)
        .build();
    made.apply(ResourceFlavor.of(Cluster.FLAVOR));
    return made;
  }

  private void queue(ClusterQueue.Builder queue) {
    ClusterQueue built = queue.build();
    engine.apply(built, Queues.localQueue(built.name()));
  }

  private static Workload job(String name, String queue, int cpu, int priority) {
    return Workload.builder()
        .namespace(Cluster.NAMESPACE)
        .name(name)
        .queueName(queue)
        .priority(priority)
        .creationTime(START)
        .addPodSets(PodSet.builder().requestAmount("cpu", cpu * 1000L).build())
        .build();
  }

  @Test
  void aLifeIsReportedStepByStep() {
    queue(Queues.queue("q", 10));
    engine.submit(job("a", "q", 4, 0));
    assertThat(received).isEmpty();
    engine.runCycle();
    engine.lifecycle().setPodsReady(id("a"), true);
    engine.finish(id("a"));
    assertThat(received)
        .containsExactly("a@q +QuotaReserved +Admitted", "a@q +PodsReady", "a@q FINISHED");
  }

  @Test
  void aRemovedWorkloadIsReportedWithTheReason() {
    queue(Queues.queue("q", 10));
    AdmissionResult unused = engine.tryAdmit(job("a", "q", 4, 0)).result();
    AdmissionResult unused2 = engine.tryAdmit(job("b", "q", 4, 0)).result();
    engine.submit(job("c", "nowhere", 4, 0));
    received.clear();
    engine.release(id("a"));
    engine.delete(id("b"));
    engine.delete(id("c"));
    assertThat(engine.finish(id("unknown")).removed()).isEmpty();
    assertThat(received).containsExactly("a@q RELEASED", "b@q DELETED", "c@- DELETED");
  }

  @Test
  void theVariantsOfARemovedWorkloadAreNotReported() {
    List<String> removed = new ArrayList<>();
    Cluster cluster = new Cluster(ConcurrentFlavors.settings().build(), new EngineListener() {
      @Override
      public void departed(WorkloadRemoved departure) {
        removed.add(departure.workload().name());
      }
    });
    ConcurrentFlavors.FLAVORS.forEach(flavor -> cluster.with(ResourceFlavor.of(flavor)));
    cluster.with(ConcurrentFlavors.queue(ConcurrentFlavors.TRY_PREFERRED)).submit("w", "q", 4);
    cluster.cycle();
    cluster.finish("w");
    assertThat(removed).containsExactly("w");
  }

  @Test
  void aPreemptedWorkloadIsReportedWithItsPreemptor() {
    queue(Queues.queue("q", 10)
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .build()));
    AdmissionResult unused3 = engine.tryAdmit(job("low", "q", 8, 0)).result();
    engine.submit(job("high", "q", 8, 5));
    changes.clear();
    engine.runCycle();
    assertThat(changes).hasSize(1);
    StatusChange change = changes.get(0);
    assertThat(change.preemptedBy()).contains(new PreemptedBy(id("high"), "q"));
    assertThat(change.becameTrue(ConditionType.PREEMPTED))
        .hasValueSatisfying(
            condition -> assertThat(condition.reason()).isEqualTo("InClusterQueue"));
    assertThat(change.eviction())
        .hasValueSatisfying(
            eviction -> assertThat(eviction.reason()).isEqualTo(EvictionReason.PREEMPTED));
    received.clear();
    engine.podsStopped(id("low"));
    engine.runCycle();
    assertThat(received)
        .containsExactly(
            "low@q -QuotaReserved -Admitted +Requeued", "high@q +QuotaReserved +Admitted");
    engine.finish(id("high"));
    engine.runCycle();
    assertThat(engine.lifecycle().preempted(id("low"))).isEmpty();
    assertThat(engine.explain(id("low")).preemptedBy()).isEmpty();
  }

  @Test
  void theSecondEvictionForOneReasonIsReportedAsTheSecond() {
    queue(Queues.queue("q", 10));
    for (int i = 1; i <= 2; i++) {
      AdmissionResult unused4 = engine.tryAdmit(job("a", "q", 4, 0)).result();
      changes.clear();
      engine.lifecycle().evict(id("a"), EvictionReason.NODE_FAILURES, "gone");
      assertThat(changes.get(0).eviction().orElseThrow().count()).isEqualTo(i);
      engine.podsStopped(id("a"));
    }
  }

  @Test
  void checksThatAreNotPassedAreStepsOfTheirOwn() {
    engine.apply(AdmissionCheck.of("budget", "controller"));
    queue(Queues.checkedQueue("budget"));
    engine.submit(job("a", "q", 4, 0));
    engine.runCycle();
    received.clear();
    now = now.plusSeconds(5);
    engine.lifecycle().setCheck(id("a"), AdmissionCheckState.of("budget", CheckState.READY));
    assertThat(received).containsExactly("a@q +Admitted");
  }

  @Test
  void aDrainedQueueTellsOfEachOfItsWorkloads() {
    queue(Queues.queue("q", 10));
    AdmissionResult unused5 = engine.tryAdmit(job("a", "q", 4, 0)).result();
    AdmissionResult unused6 = engine.tryAdmit(job("b", "q", 4, 0)).result();
    received.clear();
    engine.apply(Queues.queue("q", 10).stopPolicy(StopPolicy.HOLD_AND_DRAIN).build());
    assertThat(received).containsExactlyInAnyOrder("a@q +Evicted", "b@q +Evicted");
  }

  @Test
  void deactivationIsReportedOfTheQueueThoughItsQuotaIsFree() {
    queue(Queues.queue("q", 10));
    AdmissionResult unused7 = engine.tryAdmit(job("a", "q", 4, 0)).result();
    received.clear();
    engine.lifecycle().setActive(id("a"), false);
    engine.podsStopped(id("a"));
    assertThat(received).first().isEqualTo("a@q +Evicted");
    assertThat(received).last().asString().startsWith("a@q -QuotaReserved -Admitted");
  }

  @Test
  void whatIsRestoredHappenedBefore() {
    queue(Queues.queue("q", 10));
    engine.lifecycle().restore(job("a", "q", 4, 0), admission("a", "q", 4));
    engine
        .lifecycle()
        .restore(
            job("b", "q", 4, 0),
            admission("b", "q", 4),
            new PreemptedCondition(PreemptionReason.IN_CLUSTER_QUEUE, START));
    engine
        .lifecycle()
        .restore(
            job("c", "q", 1, 0),
            Optional.of(admission("c", "q", 1)),
            engine.lifecycle().status(id("a")));
    assertThat(received).isEmpty();
    engine.podsStopped(id("b"));
    assertThat(received).containsExactly("b@q -QuotaReserved -Admitted +Requeued");
  }

  @Test
  void studiesAreNotTold() {
    queue(Queues.queue("q", 10));
    AdmissionResult unused8 =
        engine.view().whatIf().tryAdmit(job("a", "q", 4, 0)).result();
    assertThat(received).isEmpty();
  }

  @Test
  void anExceptionOfTheListenerDoesNotReachTheCaller() {
    AdmissionEngine other = engine(new EngineListener() {
      @Override
      public void statusChanged(StatusChange change) {
        received.add(change.workload().name());
        throw new IllegalStateException("full");
      }
    });
    other.apply(Queues.queue("q", 10).build(), Queues.localQueue("q"));
    other.submit(job("a", "q", 4, 0));
    assertThat(other.runCycle().admitted()).hasSize(1);
    assertThat(other.tryAdmit(job("b", "q", 4, 0)).result().isAdmitted()).isTrue();
    assertThat(received).containsExactly("a", "b");
    assertThat(failures).hasSize(2).allMatch(failure -> "full".equals(failure.getMessage()));
  }

  /** {@return an engine whose listener throws, and whose failure handler throws the same} */
  private AdmissionEngine engineThatThrows(Error error) {
    AdmissionEngine made = AdmissionEngine.builder()
        .clock(() -> now)
        .listener(
            new EngineListener() {
              @Override
              public void statusChanged(StatusChange change) {
                received.add(change.workload().name());
                throw error;
              }
            },
            failure -> {
              failures.add(failure);
              throw error;
            })
        .build();
    made.apply(
        ResourceFlavor.of(Cluster.FLAVOR), Queues.queue("q", 10).build(), Queues.localQueue("q"));
    return made;
  }

  @Test
  void anErrorOfAListenerOrItsHandlerDoesNotReachTheCaller() {
    Error error = new AssertionError("full");
    AdmissionEngine other = engineThatThrows(error);
    assertThat(other.tryAdmit(job("a", "q", 4, 0)).result().isAdmitted()).isTrue();
    assertThat(other.tryAdmit(job("b", "q", 4, 0)).result().isAdmitted()).isTrue();
    assertThat(received).containsExactly("a", "b");
    assertThat(failures).containsExactly(error, error);
  }

  @Test
  void anErrorOfTheVirtualMachineReachesTheCallerAfterTheCall() {
    AdmissionEngine other = engineThatThrows(new OutOfMemoryError("full"));
    other.submit(job("a", "q", 4, 0));
    other.submit(job("b", "q", 4, 0));
    assertThatThrownBy(other::runCycle).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(other::runCycle).isInstanceOf(OutOfMemoryError.class);
    assertThat(received).containsExactly("a", "b");
    assertThat(failures).isEmpty();
    assertThat(other.admission(id("a"))).isPresent();
    assertThat(other.admission(id("b"))).isPresent();
  }

  @Test
  void aCallThatFailsCausesNoEvents() {
    queue(Queues.queue("q", 10));
    Workload elsewhere = job("a", "elsewhere", 4, 0);
    engine.submit(elsewhere);
    assertThatThrownBy(() -> engine.submit(job("a", "q", 4, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(received).isEmpty();
    AdmissionResult unused9 = engine.tryAdmit(job("b", "q", 4, 0)).result();
    assertThat(received).containsExactly("b@q +QuotaReserved +Admitted");
  }

  @Test
  void aCallThatFailsAfterItsDecisionsTellsNobody() {
    queue(Queues.queue("q", 10));
    engine.submit(job("a", "q", 4, 0));
    assertThatThrownBy(() -> engine.inside(core -> {
          Decisions unused = core.workloads().runCycle(now);
          core.state().announcements().decided(new Decision.Suspension(id("a")));
          throw new IllegalStateException("fails");
        }))
        .hasMessage("fails");
    assertThat(received).isEmpty();
    assertThat(engine.submit(job("b", "elsewhere", 4, 0)).all()).isEmpty();
    assertThat(received).isEmpty();
  }

  @Test
  void aListenerMayCallTheEngine() {
    List<String> seen = new ArrayList<>();
    AdmissionEngine[] held = new AdmissionEngine[1];
    held[0] = engine(new EngineListener() {
      @Override
      public void statusChanged(StatusChange change) {
        seen.add("begin " + change.workload().name());
        if (change.workload().name().equals("a")) {
          AdmissionResult unused10 = held[0].tryAdmit(job("b", "q", 4, 0)).result();
          seen.add("used "
              + held[0].view().clusterQueue("q").orElseThrow().admitted().size());
        }
        seen.add("end " + change.workload().name());
      }
    });
    held[0].apply(Queues.queue("q", 10).build(), Queues.localQueue("q"));
    AdmissionResult unused11 = held[0].tryAdmit(job("a", "q", 4, 0)).result();
    assertThat(seen).containsExactly("begin a", "used 2", "end a", "begin b", "end b");
    assertThat(failures).isEmpty();
  }

  @Test
  void timesAreThoseOfTheClock() {
    queue(Queues.queue("q", 10));
    Workload workload = job("a", "q", 4, 0);
    engine.submit(workload);
    now = now.plus(Duration.ofSeconds(7));
    engine.runCycle();
    assertThat(changes).hasSize(1);
    assertThat(changes.get(0).submitted()).isEqualTo(START);
    assertThat(changes.get(0).becameTrue(ConditionType.ADMITTED).orElseThrow().lastTransitionTime())
        .isEqualTo(START.plusSeconds(7));
  }
}
