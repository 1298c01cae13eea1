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
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.AdmissionCheckRule;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodsReadyPolicy;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadCondition.ConditionType;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadStatus;
import io.kueue4j.core.testkit.jqwik.Choices;
import io.kueue4j.core.testkit.jqwik.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Whatever happens to workloads, none is lost or charged twice, no decision is reported twice, and
 * the decisions that a caller received agree with the state of the engine.
 */
class LifecycleProperties {
  private static final int WORKLOADS = 8;
  private static final List<String> CHECKS = List.of("k0", "k1");

  /** The state of a caller that follows the decisions. */
  static final class Caller {
    final Set<WorkloadId> known = new HashSet<>();
    final Set<WorkloadId> running = new HashSet<>();
    final Set<WorkloadId> stopping = new HashSet<>();

    void admitted(List<Admission> admitted) {
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

  /** An engine and its caller. */
  static final class Life {
    final AdmissionEngine engine;
    final Caller caller = new Caller();
    Instant now = Cluster.START;

    Life(Setup setup) {
      engine =
          AdmissionEngine.builder().clock(() -> now).settings(setup.settings()).build();
      engine.apply(ResourceFlavor.of(Cluster.FLAVOR));
      CHECKS.forEach(check -> engine.apply(AdmissionCheck.of(check, "x")));
      for (ClusterQueue queue : setup.queues()) {
        engine.apply(queue, Queues.localQueue(queue.name()));
      }
    }
  }

  /** The configuration of an engine: its settings, and queues {@code a} and {@code b}. */
  record Setup(Settings settings, ImmutableList<ClusterQueue> queues) {
    static Setup draw(Choices choices) {
      Settings.Builder settings = Settings.builder();
      if (choices.nextInt(3) > 0) {
        settings.podsReady(PodsReadyPolicy.builder()
            .timeout(Duration.ofSeconds(20))
            .recoveryTimeout(Duration.ofSeconds(choices.nextInt(2) * 10L))
            .backoffBase(Duration.ofSeconds(5))
            .backoffLimitCount(3)
            .blockAdmission(choices.nextInt(3) == 2)
            .build());
      }
      return new Setup(
          settings.build(), ImmutableList.of(queue("a", choices), queue("b", choices)));
    }

    @Override
    public String toString() {
      return settings.podsReady() + " "
          + queues.stream().map(LifecycleProperties::text).toList();
    }
  }

  /** What differs between the queues. */
  private static String text(ClusterQueue queue) {
    return queue.name() + " " + queue.stopPolicy() + " checked by "
        + queue.admissionChecks().stream().map(AdmissionCheckRule::name).toList();
  }

  private static ClusterQueue queue(String name, Choices choices) {
    ClusterQueue.Builder queue = Queues.queue(name, 4)
        .cohort("team")
        .preemption(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build());
    for (String check : CHECKS) {
      if (choices.nextInt(3) == 2) {
        queue.addAllAdmissionChecks(
            ImmutableList.of(new AdmissionCheckRule(check, ImmutableList.of())));
      }
    }
    return queue.stopPolicy(policy(choices)).build();
  }

  private static StopPolicy policy(Choices choices) {
    return choices.nextInt(3) == 2 ? choices.of(StopPolicy.values()) : StopPolicy.NONE;
  }

  private static Operation<Life> step(Choices choices) {
    int choice = choices.nextInt(20);
    if (choice < 6) {
      return Operation.run("cycle", life -> life.caller.follow(life.engine.runCycle()));
    } else if (choice == 6) {
      int seconds = choices.nextInt(15);
      return Operation.run(
          seconds + " seconds pass", life -> life.now = life.now.plusSeconds(seconds));
    } else if (choice == 7) {
      return Operation.run("tick", life -> life.caller.follow(life.engine.tick()));
    } else if (choice == 8) {
      ClusterQueue queue = queue(choices.of("a", "b"), choices);
      return Operation.run(
          "ClusterQueue " + text(queue), life -> life.caller.follow(life.engine.apply(queue)));
    } else if (choice == 9) {
      LocalQueue open = Queues.localQueue(choices.of("a", "b"));
      StopPolicy policy = policy(choices);
      return Operation.run(
          "LocalQueue " + open.name() + " " + policy,
          life -> life.caller.follow(life.engine.apply(
              LocalQueue.builder().from(open).stopPolicy(policy).build())));
    }
    WorkloadId id = Cluster.id("w" + choices.nextInt(WORKLOADS));
    Workload workload = workload(id, choices);
    Operation<Life> happening = happening(id, choices);
    return Operation.run(
        "submit " + text(workload) + " unless it is known; otherwise " + happening, life -> {
          if (life.caller.known.add(id)) {
            life.caller.follow(life.engine.submit(workload));
          } else {
            happening.on(life);
          }
        });
  }

  private static Workload workload(WorkloadId id, Choices choices) {
    Workload.Builder workload = Workload.builder()
        .namespace(id.namespace())
        .name(id.name())
        .queueName(choices.of("a", "b"))
        .priority(choices.nextInt(3))
        .addPodSets(PodSet.builder()
            .requestAmount("cpu", 1000L * (1 + choices.nextInt(4)))
            .build());
    if (choices.nextInt(4) == 3) {
      workload.maximumExecutionTime(Duration.ofSeconds(1 + choices.nextInt(60)));
    }
    return workload.build();
  }

  private static String text(Workload workload) {
    return workload.name() + " to " + workload.queueName() + " of priority "
        + workload.priority() + " for "
        + workload.podSets().get(0).requests()
        + workload.maximumExecutionTime().map(most -> " for " + most).orElse("");
  }

  private static Operation<Life> happening(WorkloadId id, Choices choices) {
    return switch (choices.nextInt(10)) {
      case 0, 1, 2 -> {
        CheckState state =
            choices.nextInt(4) < 3 ? CheckState.READY : choices.of(CheckState.values());
        AdmissionCheckState check = AdmissionCheckState.of(choices.of(CHECKS), state);
        yield ofLifecycle(
            check.name() + " is " + state, lifecycle -> lifecycle.setCheck(id, check));
      }
      case 3, 4 -> {
        boolean ready = choices.nextInt(3) < 2;
        yield ofLifecycle("pods ready: " + ready, lifecycle -> lifecycle.setPodsReady(id, ready));
      }
      case 5 -> {
        boolean active = choices.nextInt(3) < 2;
        yield ofLifecycle("active: " + active, lifecycle -> lifecycle.setActive(id, active));
      }
      case 6 ->
        ofLifecycle("evict", lifecycle -> lifecycle.evict(id, EvictionReason.NODE_FAILURES, ""));
      case 7 -> {
        boolean hold = choices.nextInt(3) == 2;
        yield ofLifecycle("on hold: " + hold, lifecycle -> lifecycle.setOnHold(id, hold));
      }
      case 8 -> Operation.run("pods stopped", life -> podsStopped(life, id));
      default -> {
        boolean finishes = choices.nextBoolean();
        yield Operation.run(finishes ? "finish" : "delete", life -> {
          assertThat((finishes ? life.engine.finish(id) : life.engine.delete(id)).removed())
              .containsExactly(id);
          life.caller.gone(id);
        });
      }
    };
  }

  private static Operation<Life> ofLifecycle(
      String text, Function<WorkloadLifecycle, Decisions> call) {
    return Operation.run(text, life -> life.caller.follow(call.apply(life.engine.lifecycle())));
  }

  private static void podsStopped(Life life, WorkloadId id) {
    boolean isStopping = life.caller.stopping.contains(id);
    List<Decisions> decided = new ArrayList<>();
    assertThat(EngineCalls.podsStopped(life.engine, id, decided::add)).isEqualTo(isStopping);
    if (isStopping) {
      life.caller.stopped(id);
    }
    decided.forEach(life.caller::follow);
  }

  @Provide
  Arbitrary<Setup> setups() {
    return Choices.arbitrary(Setup::draw);
  }

  @Provide
  Arbitrary<List<Operation<Life>>> steps() {
    return Choices.lists(120, LifecycleProperties::step);
  }

  @Property(tries = 300)
  void nothingIsLostOrCountedTwice(
      @ForAll("setups") Setup setup, @ForAll("steps") List<Operation<Life>> steps) {
    Life life = new Life(setup);
    for (Operation<Life> step : steps) {
      step.on(life);
      check(life.engine, life.caller);
    }
    comesToAnEnd(life);
  }

  private static void check(AdmissionEngine engine, Caller caller) {
    Map<String, Long> used = new HashMap<>();
    for (WorkloadId id : caller.known) {
      WorkloadStatus status = engine.lifecycle().status(id);
      Explanation explanation = engine.explain(id);
      assertThat(status.phase() == WorkloadStatus.Phase.ADMITTED)
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
  private static void comesToAnEnd(Life life) {
    AdmissionEngine engine = life.engine;
    Caller caller = life.caller;
    for (String queue : List.of("a", "b")) {
      engine.apply(Queues.queue(queue, 4).cohort("team").build(), Queues.localQueue(queue));
    }
    for (WorkloadId id : Set.copyOf(caller.known)) {
      engine.lifecycle().setActive(id, true);
      engine.lifecycle().setOnHold(id, false);
    }
    for (int i = 0; i < 4 * WORKLOADS && !caller.known.isEmpty(); i++) {
      life.now = life.now.plusSeconds(3600);
      engine.runCycle();
      for (WorkloadId id : Set.copyOf(caller.known)) {
        engine.podsStopped(id);
        engine.lifecycle().setActive(id, true);
        engine.lifecycle().setPodsReady(id, true);
        if (engine.lifecycle().status(id).phase() == WorkloadStatus.Phase.ADMITTED) {
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
