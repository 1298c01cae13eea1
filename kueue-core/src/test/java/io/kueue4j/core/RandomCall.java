package io.kueue4j.core;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.ConsumedUsage;
import io.kueue4j.core.decision.TryAdmitOptions;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.AdmissionCheckRule;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionMode;
import io.kueue4j.core.model.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.FairSharing;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.model.QueueingStrategy;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A call of an engine that is determined by its seed alone, not by the state of the engine: the
 * objects that it names may not exist. So the same calls can be made of any engine, and none
 * queries more than necessary.
 *
 * @param kind the kind of call
 * @param seed determines the rest
 * @param time the time of the call
 */
record RandomCall(Kind kind, long seed, Instant time) {
  private static final int QUEUES = 8;
  private static final int COHORTS = 5;
  private static final int LOCAL_QUEUES = 9;
  private static final int WORKLOADS = 20;

  enum Kind {
    APPLY_QUEUE,
    APPLY_QUEUE_AND_COHORT,
    REMOVE_QUEUE,
    APPLY_COHORT,
    REMOVE_COHORT,
    APPLY_LOCAL_QUEUE,
    REMOVE_LOCAL_QUEUE,
    APPLY_FLAVOR,
    REMOVE_FLAVOR,
    APPLY_NAMESPACE,
    REMOVE_NAMESPACE,
    APPLY_PRIORITY_CLASS,
    REMOVE_PRIORITY_CLASS,
    SUBMIT,
    UPDATE,
    TRY,
    TRY_AND_EVICT,
    CYCLE,
    FINISH,
    DELETE,
    RELEASE,
    PODS_STOPPED,
    RECORDED,
    RESTORE,
    RESTORE_USAGE,
    TICK,
    NEXT_TICK,
    EXPLAIN,
    ADMISSION,
    PREEMPTED,
    APPLY_CHECK,
    REMOVE_CHECK,
    SET_CHECK,
    PODS_READY,
    SET_ACTIVE,
    EVICT,
    REQUEUE,
    ON_HOLD,
    TAKE_DECISIONS,
    STATUS,
    LOOK,
    PRINT
  }

  private static final List<Kind> OFTEN = List.of(
      Kind.SUBMIT,
      Kind.SUBMIT,
      Kind.SUBMIT,
      Kind.TRY,
      Kind.CYCLE,
      Kind.CYCLE,
      Kind.CYCLE,
      Kind.FINISH,
      Kind.PODS_STOPPED,
      Kind.TRY_AND_EVICT,
      Kind.SET_CHECK,
      Kind.SET_CHECK,
      Kind.PODS_READY,
      Kind.UPDATE);

  static RandomCall next(Random random, Instant time) {
    Kind kind = random.nextInt(3) > 0
        ? OFTEN.get(random.nextInt(OFTEN.size()))
        : Kind.values()[random.nextInt(Kind.values().length)];
    return new RandomCall(kind, random.nextInt(1 << 20), time);
  }

  /** {@return the calls that create the initial configuration of an engine} */
  static List<RandomCall> beginning(Random random, Instant time) {
    return random
        .ints(40, 0, 1 << 20)
        .mapToObj(seed -> new RandomCall(
            List.of(
                    Kind.APPLY_QUEUE,
                    Kind.APPLY_LOCAL_QUEUE,
                    Kind.APPLY_LOCAL_QUEUE,
                    Kind.APPLY_FLAVOR,
                    Kind.APPLY_CHECK,
                    Kind.APPLY_COHORT)
                .get(seed % 6),
            seed,
            time))
        .toList();
  }

  /** {@return the answer of the engine, as text} */
  @CanIgnoreReturnValue
  String callOn(AdmissionEngine engine) {
    return String.valueOf(answerOf(engine));
  }

  /** {@return the answer of the engine, an exception if it rejects the call} */
  Object answerOf(AdmissionEngine engine) {
    try {
      return answer(engine, new Random(seed));
    } catch (IllegalArgumentException | IllegalStateException refused) {
      return refused;
    }
  }

  private Object answer(AdmissionEngine engine, Random random) {
    switch (kind) {
      case APPLY_QUEUE -> engine.apply(queue(random));
      case APPLY_QUEUE_AND_COHORT -> engine.apply(queue(random), cohort(random));
      case APPLY_COHORT -> engine.apply(cohort(random));
      case APPLY_LOCAL_QUEUE -> engine.apply(localQueue(random));
      case APPLY_FLAVOR -> engine.apply(ResourceFlavor.of(flavor(random)));
      case APPLY_NAMESPACE -> engine.apply(Namespace.of("ns"));
      case APPLY_PRIORITY_CLASS ->
        engine.apply(new WorkloadPriorityClass("high", 1 + random.nextInt(5)));
      case RESTORE -> restore(engine, random);
      case APPLY_CHECK ->
        engine.apply(new AdmissionCheck("k" + random.nextInt(2), "c", random.nextInt(8) > 0));
      case RESTORE_USAGE ->
        engine.restoreConsumedUsage(
            "ns",
            localQueueName(random),
            new ConsumedUsage(
                ImmutableSortedMap.of("cpu", BigDecimal.valueOf(random.nextInt(1000))), time));
      default -> {
        return answerOfOthers(engine, random);
      }
    }
    return "done";
  }

  private Object answerOfOthers(AdmissionEngine engine, Random random) {
    return switch (kind) {
      case REMOVE_QUEUE -> engine.remove(ClusterQueue.class, queueName(random));
      case REMOVE_COHORT -> engine.remove(Cohort.class, cohortName(random));
      case REMOVE_LOCAL_QUEUE -> engine.remove(LocalQueue.class, "ns/" + localQueueName(random));
      case REMOVE_FLAVOR -> engine.remove(ResourceFlavor.class, flavor(random));
      case REMOVE_NAMESPACE -> engine.remove(Namespace.class, "ns");
      case REMOVE_PRIORITY_CLASS -> engine.remove(WorkloadPriorityClass.class, "high");
      case REMOVE_CHECK -> engine.remove(AdmissionCheck.class, "k" + random.nextInt(2));
      case SET_CHECK, PODS_READY, SET_ACTIVE, EVICT, REQUEUE, ON_HOLD, STATUS ->
        answerOfLifecycle(engine.lifecycle(), id(random), random);
      case SUBMIT -> engine.submit(workload(random));
      case UPDATE -> engine.update(workload(random));
      case TRY -> engine.tryAdmit(workload(random));
      case TRY_AND_EVICT -> engine.tryAdmit(workload(random), TryAdmitOptions.evictingVictims());
      case FINISH -> engine.finish(id(random));
      case DELETE -> engine.delete(id(random));
      case RELEASE -> engine.release(id(random));
      case PODS_STOPPED -> engine.podsStopped(id(random));
      case RECORDED -> engine.admissionRecorded(id(random));
      case EXPLAIN -> engine.explain(id(random));
      case ADMISSION -> engine.admission(id(random));
      case PREEMPTED -> engine.preempted(id(random));
      case LOOK -> engine.view().clusterQueue(queueName(random)).map(EngineDescription::describe);
      case PRINT -> engine.toString();
      case TAKE_DECISIONS -> engine.takeDecisions();
      case TICK -> engine.tick();
      case NEXT_TICK -> engine.nextTick();
      default -> engine.runCycle();
    };
  }

  private Object answerOfLifecycle(WorkloadLifecycle lifecycle, WorkloadId id, Random random) {
    return switch (kind) {
      case SET_CHECK -> lifecycle.setCheck(id, check(random));
      case PODS_READY -> lifecycle.setPodsReady(id, random.nextInt(4) > 0);
      case SET_ACTIVE -> lifecycle.setActive(id, random.nextInt(3) > 0);
      case EVICT -> lifecycle.evict(id, pick(random, EvictionReason.values()), "out of the blue");
      case REQUEUE -> lifecycle.requeue(id, "Asked", "somebody asked for it");
      case ON_HOLD -> lifecycle.setOnHold(id, random.nextBoolean());
      case STATUS -> lifecycle.status(id);
      default -> throw new AssertionError(kind);
    };
  }

  private static AdmissionCheckState check(Random random) {
    CheckState state = random.nextInt(3) > 0 ? CheckState.READY : pick(random, CheckState.values());
    AdmissionCheckState.Builder check =
        AdmissionCheckState.builder().name("k" + random.nextInt(2)).state(state);
    if (random.nextBoolean()) {
      check.requeueAfter(Duration.ofSeconds(random.nextInt(40)));
    }
    return check.build();
  }

  private static void restore(AdmissionEngine engine, Random random) {
    Workload workload = workload(random);
    Admission.Builder admission = Admission.builder()
        .workload(workload.id())
        .clusterQueue(queueName(random))
        .quotaReservedTime(Cluster.START);
    for (PodSet podSet : workload.podSets()) {
      PodSetAssignment.Builder assignment =
          PodSetAssignment.builder().name(podSet.name()).count(podSet.count());
      podSet
          .requests()
          .forEach((resource, amount) -> assignment
              // Names that may be unknown outside this fork get ids of their own in it.
              .putFlavors(resource, "f" + random.nextInt(6))
              .resourceUsageAmount(resource, amount * podSet.count()));
      admission.addPodSetAssignments(assignment.build());
    }
    engine.restore(workload, admission.build());
  }

  static WorkloadId id(int number) {
    return WorkloadId.of("ns", "w" + number);
  }

  static List<WorkloadId> ids() {
    return IntStream.range(0, WORKLOADS).mapToObj(RandomCall::id).toList();
  }

  private static WorkloadId id(Random random) {
    return id(random.nextInt(WORKLOADS));
  }

  private static String queueName(Random random) {
    return "q" + random.nextInt(QUEUES);
  }

  private static String cohortName(Random random) {
    return "c" + random.nextInt(COHORTS);
  }

  private static String localQueueName(Random random) {
    return "l" + random.nextInt(LOCAL_QUEUES);
  }

  private static String flavor(Random random) {
    return "f" + random.nextInt(3);
  }

  private static LocalQueue localQueue(Random random) {
    LocalQueue open = LocalQueue.of("ns", localQueueName(random), queueName(random));
    return random.nextInt(8) > 0
        ? open
        : new LocalQueue(
            open.namespace(),
            open.name(),
            open.clusterQueue(),
            pick(random, StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN),
            open.fairSharing());
  }

  private static ClusterQueue queue(Random random) {
    ClusterQueue.Builder queue = ClusterQueue.builder()
        .name(queueName(random))
        .namespaceSelector(LabelSelector.everything())
        .queueingStrategy(pick(random, QueueingStrategy.values()))
        .fairSharing(new FairSharing(1 + random.nextInt(3)))
        .preemption(Preemption.of(
            pick(random, PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY),
            pick(random, PreemptionPolicy.NEVER, PreemptionPolicy.ANY)));
    if (random.nextInt(3) == 0) {
      queue.admissionMode(AdmissionMode.USAGE_BASED_ADMISSION_FAIR_SHARING);
    }
    if (random.nextInt(8) == 0) {
      queue.stopPolicy(pick(random, StopPolicy.HOLD, StopPolicy.HOLD_AND_DRAIN));
    }
    if (random.nextInt(3) == 0) {
      queue.admissionChecks(ImmutableList.of(
          new AdmissionCheckRule("k0", ImmutableList.of()),
          new AdmissionCheckRule("k1", ImmutableList.of("f0"))));
    }
    if (random.nextInt(3) > 0) {
      queue.cohort(cohortName(random));
    }
    return queue.addResourceGroups(group(random)).build();
  }

  private static Cohort cohort(Random random) {
    int number = random.nextInt(COHORTS);
    Cohort.Builder cohort = Cohort.builder().name("c" + number);
    if (number > 0 && random.nextBoolean()) {
      cohort.parent("c" + random.nextInt(number));
    }
    if (random.nextBoolean()) {
      cohort.addResourceGroups(group(random));
    }
    return cohort.build();
  }

  private static ResourceGroup group(Random random) {
    FlavorQuotas first = quotas("f0", random);
    return random.nextBoolean()
        ? ResourceGroup.of(first)
        : ResourceGroup.of(first, quotas("f" + (1 + random.nextInt(2)), random));
  }

  private static FlavorQuotas quotas(String flavor, Random random) {
    return FlavorQuotas.of(
        flavor,
        ResourceQuota.ofAmount("cpu", 1000L * random.nextInt(6)),
        ResourceQuota.ofAmount("gpu", random.nextInt(6)));
  }

  private static Workload workload(Random random) {
    Workload.Builder workload = Workload.builder()
        .namespace("ns")
        .name(id(random).name())
        .queueName(localQueueName(random))
        .priority(random.nextInt(3))
        .active(random.nextInt(10) > 0);
    if (random.nextInt(4) > 0) {
      workload.creationTime(Cluster.START.plusSeconds(random.nextInt(3)));
    }
    if (random.nextInt(4) == 0) {
      workload.priorityClass("high");
    }
    workload.elastic(random.nextInt(3) == 0);
    if (random.nextInt(3) == 0) {
      workload.replaces(id(random));
    }
    if (random.nextInt(6) == 0) {
      workload.sliceName(id(random).name());
    }
    if (random.nextInt(6) == 0) {
      workload.requeueAt(Cluster.START.plusSeconds(random.nextInt(60)));
    }
    if (random.nextInt(6) == 0) {
      workload.maximumExecutionTime(Duration.ofSeconds(1 + random.nextInt(60)));
    }
    return workload
        .addPodSets(PodSet.builder()
            .name("main")
            .count(1 + random.nextInt(3))
            .requestAmount("cpu", 500L * random.nextInt(4))
            .requestAmount("gpu", random.nextInt(3))
            .putAllRequests(otherRequests(random))
            .build())
        .build();
  }

  /** {@return mostly no requests, otherwise an amount of a resource that no queue has} */
  private static Map<String, Long> otherRequests(Random random) {
    return random.nextInt(8) > 0 ? Map.of() : Map.of("r" + random.nextInt(4), 1L);
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... from) {
    return from[random.nextInt(from.length)];
  }
}
