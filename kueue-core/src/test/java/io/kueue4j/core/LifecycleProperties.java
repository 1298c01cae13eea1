package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.decision.Eviction;
import io.kueue4j.core.decision.Explanation;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConditionType;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPhase;
import io.kueue4j.core.model.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Whatever happens to workloads, none is lost or charged twice, no decision is reported twice, and
 * the decisions that a caller received agree with the state of the engine.
 */
class LifecycleProperties {
  private static final int WORKLOADS = 8;
  private static final List<String> CHECKS = List.of("k0", "k1");

  private Instant now = Cluster.START;

  /** The state of a caller that follows the decisions. */
  private static final class Caller {
    final Set<WorkloadId> known = new HashSet<>();
    final Set<WorkloadId> running = new HashSet<>();
    final Set<WorkloadId> stopping = new HashSet<>();

    void admitted(ImmutableList<Admission> admitted) {
      for (Admission admission : admitted) {
        assertThat(running.add(admission.workload())).as("%s twice", admission).isTrue();
      }
    }

    void follow(Decisions changes) {
      admitted(changes.admitted());
      changes.suspended().forEach(running::remove);
      for (Eviction eviction : changes.evicted()) {
        boolean isNew = stopping.add(eviction.workload());
        assertThat(isNew || eviction.reason() == EvictionReason.DEACTIVATED)
            .as("%s twice", eviction)
            .isTrue();
      }
      changes.preempted().forEach(victim -> stopping.add(victim.workload()));
    }

    void gone(WorkloadId id) {
      known.remove(id);
      stopped(id);
    }

    void stopped(WorkloadId id) {
      running.remove(id);
      stopping.remove(id);
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void nothingIsLostOrCountedTwice(@ForAll long seed) {
    now = Cluster.START;
    Random random = new Random(seed);
    AdmissionEngine engine = engine(random);
    Caller caller = new Caller();
    for (int step = 0; step < 120; step++) {
      step(engine, caller, random);
      caller.follow(engine.takeDecisions());
      check(engine, caller);
    }
    comesToAnEnd(engine, caller);
  }

  private AdmissionEngine engine(Random random) {
    Settings.Builder settings = Settings.builder();
    if (random.nextInt(3) > 0) {
      settings.podsReady(PodsReadyPolicy.builder()
          .timeout(Duration.ofSeconds(20))
          .recoveryTimeout(Duration.ofSeconds(random.nextInt(2) * 10L))
          .backoffBase(Duration.ofSeconds(5))
          .backoffLimitCount(3)
          .blockAdmission(random.nextInt(3) == 0)
          .build());
    }
    AdmissionEngine engine =
        AdmissionEngine.builder().clock(() -> now).settings(settings.build()).build();
    engine.apply(ResourceFlavor.of(Cluster.FLAVOR));
    CHECKS.forEach(check -> engine.apply(AdmissionCheck.of(check, "x")));
    for (String queue : List.of("a", "b")) {
      engine.apply(queue(queue, random), Queues.localQueue(queue));
    }
    return engine;
  }

  private static ClusterQueue queue(String name, Random random) {
    ClusterQueue.Builder queue = Queues.queue(name, 4)
        .cohort("team")
        .preemption(Preemption.of(PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY));
    for (String check : CHECKS) {
      if (random.nextInt(3) == 0) {
        queue.addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule(check, ImmutableList.of())));
      }
    }
    return queue.stopPolicy(policy(random)).build();
  }

  private static StopPolicy policy(Random random) {
    return random.nextInt(3) == 0 ? pick(random, StopPolicy.values()) : StopPolicy.NONE;
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }

  private void step(AdmissionEngine engine, Caller caller, Random random) {
    WorkloadId id = Cluster.id("w" + random.nextInt(WORKLOADS));
    int choice = random.nextInt(20);
    if (choice < 6) {
      caller.follow(engine.runCycle());
    } else if (choice == 6) {
      now = now.plusSeconds(random.nextInt(15));
    } else if (choice == 7) {
      caller.follow(engine.tick());
    } else if (choice == 8) {
      caller.follow(engine.apply(queue(random.nextBoolean() ? "a" : "b", random)));
    } else if (choice == 9) {
      LocalQueue open = Queues.localQueue(random.nextBoolean() ? "a" : "b");
      caller.follow(engine.apply(new LocalQueue(
          open.namespace(), open.name(), open.clusterQueue(), policy(random), open.fairSharing())));
    } else if (!caller.known.contains(id)) {
      engine.submit(workload(id, random));
      caller.known.add(id);
    } else {
      happens(engine, caller, id, random);
    }
  }

  private static Workload workload(WorkloadId id, Random random) {
    Workload.Builder workload = Workload.builder()
        .namespace(id.namespace())
        .name(id.name())
        .queueName(random.nextBoolean() ? "a" : "b")
        .priority(random.nextInt(3))
        .addPodSets(PodSet.builder()
            .requestAmount("cpu", 1000L * (1 + random.nextInt(4)))
            .build());
    if (random.nextInt(4) == 0) {
      workload.maximumExecutionTime(Duration.ofSeconds(1 + random.nextInt(60)));
    }
    return workload.build();
  }

  private static void happens(AdmissionEngine engine, Caller caller, WorkloadId id, Random random) {
    WorkloadLifecycle lifecycle = engine.lifecycle();
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> {
        CheckState state =
            random.nextInt(4) > 0 ? CheckState.READY : pick(random, CheckState.values());
        caller.follow(lifecycle.setCheck(
            id, AdmissionCheckState.of(CHECKS.get(random.nextInt(CHECKS.size())), state)));
      }
      case 3, 4 -> caller.follow(lifecycle.setPodsReady(id, random.nextInt(3) > 0));
      case 5 -> caller.follow(lifecycle.setActive(id, random.nextInt(3) > 0));
      case 6 -> caller.follow(lifecycle.evict(id, EvictionReason.NODE_FAILURES, ""));
      case 7 -> caller.follow(lifecycle.setOnHold(id, random.nextInt(3) == 0));
      case 8 -> {
        boolean isStopping = caller.stopping.contains(id);
        List<Decisions> decided = new ArrayList<>();
        assertThat(EngineCalls.podsStopped(engine, id, decided::add)).isEqualTo(isStopping);
        if (isStopping) {
          caller.stopped(id);
        }
        decided.forEach(caller::follow);
      }
      default -> {
        assertThat(random.nextBoolean() ? engine.finish(id) : engine.delete(id)).isTrue();
        caller.gone(id);
      }
    }
  }

  private void check(AdmissionEngine engine, Caller caller) {
    Map<String, Long> used = new HashMap<>();
    for (WorkloadId id : caller.known) {
      WorkloadStatus status = engine.lifecycle().status(id);
      Explanation explanation = engine.explain(id);
      assertThat(status.phase() == WorkloadPhase.ADMITTED)
          .as("%s runs: %s", id, status)
          .isEqualTo(caller.running.contains(id));
      boolean isStopping =
          status.isTrue(ConditionType.EVICTED) && status.isTrue(ConditionType.QUOTA_RESERVED);
      assertThat(isStopping).as("%s stops", id).isEqualTo(caller.stopping.contains(id));
      engine
          .admission(id)
          .ifPresent(admission -> used.merge(
              admission.clusterQueue(),
              admission.podSetAssignments().get(0).resourceUsage().getOrDefault("cpu", 0L),
              Long::sum));
      boolean isQueued = explanation.positionInClusterQueue().isPresent();
      boolean isKeptOut = explanation.cause().isPresent() && !isQueued;
      assertThat(isQueued ^ isKeptOut ^ engine.admission(id).isPresent())
          .as("%s is in one place: %s", id, explanation)
          .isTrue();
      assertThat(status.accumulatedPastExecutionTime().isNegative()).isFalse();
    }
    for (String queue : List.of("a", "b")) {
      ClusterQueueView view = engine.view().clusterQueue(queue).orElseThrow();
      assertThat(view.usage().get(0).used()).isEqualTo(used.getOrDefault(queue, 0L));
      assertThat(view.admitted()).extracting(Admission::workload).isSubsetOf(caller.known);
    }
  }

  /** Under favourable conditions every workload is admitted eventually. */
  private void comesToAnEnd(AdmissionEngine engine, Caller caller) {
    for (String queue : List.of("a", "b")) {
      engine.apply(Queues.queue(queue, 4).cohort("team").build(), Queues.localQueue(queue));
    }
    for (WorkloadId id : Set.copyOf(caller.known)) {
      engine.lifecycle().setActive(id, true);
      engine.lifecycle().setOnHold(id, false);
    }
    for (int i = 0; i < 4 * WORKLOADS && !caller.known.isEmpty(); i++) {
      now = now.plusSeconds(3600);
      engine.takeDecisions();
      engine.runCycle();
      for (WorkloadId id : Set.copyOf(caller.known)) {
        engine.podsStopped(id);
        engine.lifecycle().setActive(id, true);
        engine.lifecycle().setPodsReady(id, true);
        if (engine.lifecycle().status(id).phase() == WorkloadPhase.ADMITTED) {
          engine.finish(id);
          caller.known.remove(id);
        }
      }
    }
    assertThat(caller.known).isEmpty();
    for (String queue : List.of("a", "b")) {
      assertThat(engine.view().clusterQueue(queue).orElseThrow().usage().get(0).used())
          .isZero();
    }
  }
}
